import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask, Refusal } from "./api.js";
import { useAsked, useWords } from "./asking.js";
import { Language, Light } from "./head.js";
import { Link, tokenOfLink } from "./link.js";
import { hasPasskeys, signInWithPasskey, wasClosed } from "./passkeys.js";
import { type Back, backFromProvider, goToProvider, signInFromProvider } from "./provider.js";
import { type SignedIn, useSigning } from "./signing.js";
import { useTitle } from "./title.js";

/** Nothing of the app is shown before somebody has signed in. */
export function Gate({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { principal, unreachable, look } = useSigning();
  const [link, setLink] = useState(tokenOfLink);
  const [back, setBack] = useState(backFromProvider);
  if (link) return <Link token={link} onDone={() => setLink(null)} />;
  if (back && back !== "refused" && (principal !== undefined || unreachable))
    return <FromProvider back={back} onDone={() => setBack(null)} />;
  if (principal) return children;
  if (principal === null) return <SignIn refused={back === "refused"} />;
  return (
    <main id="main" className="page">
      <p role="status">{unreachable ? t("unreachable") : t("loading")}</p>
      {unreachable && (
        <button type="button" className="main" onClick={() => void look()}>
          {t("again")}
        </button>
      )}
    </main>
  );
}

/** The page before the app: a heading, a form, and how it is shown. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title);
  return (
    <main id="main" className="door">
      <div className="settings">
        <Language />
        <Light />
      </div>
      <p className="product">HeartRule</p>
      <h1>{title}</h1>
      {children}
    </main>
  );
}

/** Somebody comes back from the provider: whatever was here before, they are signed in by what it says. */
function FromProvider({ back, onDone }: { back: Back; onDone(): void }) {
  const { t } = useTranslation();
  const words = useWords();
  const { begin } = useSigning();
  const [trouble, setTrouble] = useState("");

  // What came back counts once, so it is sent once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    signInFromProvider(back).then(
      (answer) => {
        begin(answer);
        onDone();
      },
      (error) => setTrouble(words(error)),
    );
  }, [back]);

  return (
    <Door title={trouble ? t("signIn.title") : t("loading")}>
      <p className="line" role="alert">
        {trouble}
      </p>
      {trouble && (
        <div className="acts">
          <button type="button" className="main" onClick={onDone}>
            {t("signIn.title")}
          </button>
        </div>
      )}
    </Door>
  );
}

function SignIn({ refused }: { refused: boolean }) {
  const { t } = useTranslation();
  const words = useWords();
  const { begin } = useSigning();
  const { found: ways } = useAsked<{ provider: string | null }>("/staff/ways");
  const [trouble, setTrouble] = useState(refused ? t("signIn.refused") : "");
  const [wantsCode, setWantsCode] = useState(false);
  const [busy, setBusy] = useState(false);

  async function enter(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const said = (name: string) => String(given.get(name) ?? "");
    const code = said("code").replaceAll(/\s/g, "");
    setBusy(true);
    setTrouble("");
    try {
      const body = { name: said("name").trim(), password: said("password"), ...(code && { code }) };
      begin(await ask<SignedIn>("/staff/sign-in", { method: "POST", body, signingIn: true }));
    } catch (error) {
      const why = error instanceof Refusal ? error.code : "";
      if (why === "code-needed" || why === "code-wrong") setWantsCode(true);
      setTrouble(why === "code-needed" ? t("signIn.codeNeeded") : words(error));
      setBusy(false);
    }
  }

  async function otherwise(enter: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setTrouble("");
    try {
      await enter();
    } catch (error) {
      setTrouble(wasClosed(error) ? t("signIn.closed") : words(error));
      setBusy(false);
    }
  }
  const withPasskey = () => otherwise(async () => begin(await signInWithPasskey()));

  return (
    <Door title={t("signIn.title")}>
      {(hasPasskeys() || ways?.provider) && (
        <div className="ways">
          {ways?.provider && (
            <button type="button" className="second" disabled={busy} onClick={() => void otherwise(goToProvider)}>
              {t("signIn.provider", { name: ways.provider })}
            </button>
          )}
          {hasPasskeys() && (
            <button type="button" className="second" disabled={busy} onClick={() => void withPasskey()}>
              {t("signIn.passkey")}
            </button>
          )}
          <p className="soft">{t("signIn.or")}</p>
        </div>
      )}
      <form onSubmit={(event) => void enter(event)}>
        <label htmlFor="name">{t("signIn.name")}</label>
        <input id="name" name="name" autoComplete="username" autoCapitalize="none" spellCheck={false} required />
        <label htmlFor="password">{t("signIn.password")}</label>
        <input id="password" name="password" type="password" autoComplete="current-password" required />
        {wantsCode && (
          <>
            <label htmlFor="code">{t("signIn.code")}</label>
            {/* biome-ignore lint/a11y/noAutofocus: it appears because it is to be filled in now */}
            <input id="code" name="code" autoComplete="one-time-code" spellCheck={false} autoFocus required />
          </>
        )}
        <button className="main" type="submit" disabled={busy}>
          {t("signIn.enter")}
        </button>
      </form>
      <p className="line" role="alert">
        {trouble}
      </p>
      <p className="soft">{t("signIn.locked")}</p>
    </Door>
  );
}
