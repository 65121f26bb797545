import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { device } from "../account/device.js";
import { ask, trust } from "./api.js";
import { useAsked, useDeed } from "./asking.js";
import { Door } from "./gate.js";
import { locale } from "./language.js";
import { hasPasskeys, made, wasClosed } from "./passkeys.js";
import { type SignedIn, useSigning } from "./signing.js";
import { moment } from "./times.js";

/** The shortest password that the server takes. */
export const LEAST_PASSWORD = 10;

interface Opened {
  kind: "first" | "invitation" | "reset";
  name: string | null;
  passkey: boolean;
  expires_at: string;
}

/** The token of an address like `/staff/#/link/…`, which is taken out of it at once: it is worth a password. */
export function tokenOfLink(): string | null {
  const token = /^#\/link\/([\w.-]+)$/.exec(location.hash)?.[1] ?? null;
  if (token) history.replaceState(null, "", location.pathname);
  return token;
}

/** The account speaks as the browser does from which it is first used. */
async function spoken(answer: SignedIn): Promise<SignedIn> {
  trust(answer.csrf);
  if (answer.principal.locale === locale()) return answer;
  return await ask<SignedIn>("/staff/me", { method: "PATCH", body: { locale: locale() } });
}

/** A link that is good once: the first administrator, an invitation, or a password that was forgotten. */
export function Link({ token, onDone }: { token: string; onDone(): void }) {
  const { t } = useTranslation();
  const { begin } = useSigning();
  const { found, failed } = useAsked<Opened>(`/staff/links/${token}`);
  const { busy, trouble, does } = useDeed();
  const [unlike, setUnlike] = useState(false);
  const [closed, setClosed] = useState(false);
  const [name, setName] = useState("");

  async function withPasskey(): Promise<void> {
    setClosed(false);
    await does(async () => {
      const path = `/staff/links/${token}/passkey`;
      try {
        const credential = await made(`${path}/begin`, found?.kind === "first" ? { name: name.trim() } : {});
        const title = device(navigator.userAgent).slice(0, 40) || "HeartRule";
        begin(
          await spoken(await ask<SignedIn>(path, { method: "POST", body: { credential, title }, signingIn: true })),
        );
        onDone();
      } catch (error) {
        if (!wasClosed(error)) throw error;
        setClosed(true);
      }
    });
  }

  async function enter(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const password = String(given.get("password") ?? "");
    setUnlike(password !== given.get("again"));
    if (password !== given.get("again")) return;
    await does(async () => {
      const body = { password, ...(found?.kind === "first" && { name: name.trim() }) };
      const answer = await ask<SignedIn | { principal: null }>(`/staff/links/${token}`, {
        method: "POST",
        body,
        signingIn: true,
      });
      if (answer.principal) begin(await spoken(answer));
      onDone();
    });
  }

  if (!found)
    return (
      <Door title={failed ? t("link.gone") : t("loading")}>
        {failed && (
          <>
            <p>{failed.passing ? t("unreachable") : t("link.goneText")}</p>
            <div className="acts">
              <button type="button" className="main" onClick={onDone}>
                {t("signIn.title")}
              </button>
            </div>
          </>
        )}
      </Door>
    );
  return (
    <Door title={t(`link.${found.kind}`)}>
      <p className="soft">{t(`link.${found.kind}Text`, { until: moment(found.expires_at) })}</p>
      <form onSubmit={(event) => void enter(event)}>
        <label htmlFor="name">{t("signIn.name")}</label>
        <input
          id="name"
          name="name"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          value={found.name ?? name}
          onChange={(event) => setName(event.target.value)}
          readOnly={found.kind !== "first"}
          required
        />
        {hasPasskeys() && found.passkey && (
          <div className="ways">
            <button
              type="button"
              className="second"
              disabled={busy || (found.kind === "first" && !name.trim())}
              onClick={() => void withPasskey()}
            >
              {t("link.passkey")}
            </button>
            <p className="soft">{t("link.passkeyText")}</p>
          </div>
        )}
        <label htmlFor="password">{t("link.password")}</label>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={LEAST_PASSWORD}
          aria-describedby="rule"
          required
        />
        <p id="rule" className="soft">
          {t("link.rule", { least: LEAST_PASSWORD })}
        </p>
        <label htmlFor="again">{t("link.again")}</label>
        <input id="again" name="again" type="password" autoComplete="new-password" required />
        <button className="main" type="submit" disabled={busy}>
          {t("link.enter")}
        </button>
      </form>
      <p className="line" role="alert">
        {unlike ? t("link.unlike") : closed ? t("signIn.closed") : trouble}
      </p>
    </Door>
  );
}
