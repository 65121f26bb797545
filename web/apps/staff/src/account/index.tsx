import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useAsked, useDeed } from "../shell/asking.js";
import { teach } from "../shell/language.js";
import { LEAST_PASSWORD } from "../shell/link.js";
import { rolesOf, type SignedIn, usePrincipal, useSigning } from "../shell/signing.js";
import { moment } from "../shell/times.js";
import { useTitle } from "../shell/title.js";
import { device } from "./device.js";
import { Passkeys } from "./passkeys.js";
import { OwnServices } from "./services.js";
import { en } from "./texts.en.js";
import { zh } from "./texts.zh-CN.js";
import { type Security, TwoSteps } from "./two-steps.js";

teach("account", { "zh-CN": zh, en });

/** One's own account: the name that is shown, the password, two-step sign-in, and where one is signed in. */
export default function Account() {
  const { t } = useTranslation("account");
  useTitle(t("title"));
  const { found: security, again } = useAsked<Security>("/staff/security");
  return (
    <div className="page stack">
      <h1>{t("title")}</h1>
      <ShownName />
      {security?.provider && <p className="soft">{t("byProvider")}</p>}
      {security && !security.provider && <Passkeys password={security.password} />}
      {security?.password && (
        <>
          <Password />
          <TwoSteps found={security} again={again} />
        </>
      )}
      <SignIns />
      <OwnServices />
    </div>
  );
}

function ShownName() {
  const { t } = useTranslation(["account", "shell"]);
  const { begin } = useSigning();
  const me = usePrincipal();
  const { busy, trouble, does } = useDeed();
  const [saved, setSaved] = useState(false);

  async function save(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("shown") ?? "").trim();
    setSaved(await does(async () => begin(await ask<SignedIn>("/staff/me", { method: "PATCH", body: { name } }))));
  }

  return (
    <section>
      <form className="fields" onSubmit={(event) => void save(event)}>
        <label htmlFor="shown">{t("shownName")}</label>
        <div className="one-line">
          <input id="shown" name="shown" defaultValue={me.name} maxLength={40} required />
          <button className="second" type="submit" disabled={busy}>
            {t("shell:save")}
          </button>
        </div>
      </form>
      <p className="soft">
        {t("rolesAre", {
          roles: rolesOf(me)
            .map((role) => t(`shell:roles.${role}`))
            .join(" · "),
        })}
      </p>
      <p role="status">{saved ? t("shownNameSaved") : ""}</p>
      <p className="line" role="alert">
        {trouble}
      </p>
    </section>
  );
}

function Password() {
  const { t } = useTranslation(["account", "shell"]);
  const { busy, trouble, does } = useDeed();
  const [changed, setChanged] = useState(false);

  async function save(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const body = { old: String(given.get("old") ?? ""), new: String(given.get("new") ?? "") };
    const done = await does(() => ask("/staff/password", { method: "POST", body }));
    setChanged(done);
    if (done) form.reset();
  }

  return (
    <section>
      <h2>{t("password")}</h2>
      <form className="fields" onSubmit={(event) => void save(event)}>
        <label htmlFor="old">{t("oldPassword")}</label>
        <input id="old" name="old" type="password" autoComplete="current-password" required />
        <label htmlFor="new">{t("newPassword")}</label>
        <input
          id="new"
          name="new"
          type="password"
          autoComplete="new-password"
          minLength={LEAST_PASSWORD}
          aria-describedby="new-rule"
          required
        />
        <p id="new-rule" className="soft">
          {t("shell:link.rule", { least: LEAST_PASSWORD })}
        </p>
        <div>
          <button className="second" type="submit" disabled={busy}>
            {t("changePassword")}
          </button>
        </div>
      </form>
      <p role="status">{changed ? t("passwordChanged") : ""}</p>
      <p className="line" role="alert">
        {trouble}
      </p>
    </section>
  );
}

interface SignInRow {
  id: string;
  agent: string;
  created_at: string;
  seen_at: string;
  expires_at: string;
  current: boolean;
}

function SignIns() {
  const { t } = useTranslation("account");
  const { found, again } = useAsked<{ sign_ins: SignInRow[] }>("/staff/sign-ins");
  const { busy, trouble, does } = useDeed();
  const revoke = (id: string) => does(() => ask(`/staff/sign-ins/${id}`, { method: "DELETE" })).then(again);
  return (
    <section>
      <h2>{t("signIns")}</h2>
      <ul className="rows">
        {(found?.sign_ins ?? []).map((each) => (
          <li key={each.id}>
            <div>
              <b>{device(each.agent) || t("unknownDevice")}</b>{" "}
              {each.current && <span className="tag">{t("here")}</span>}
              <p className="soft">
                {t("seen", { at: moment(each.seen_at) })} ·{" "}
                {t("began", { at: moment(each.created_at), until: moment(each.expires_at) })}
              </p>
            </div>
            {!each.current && (
              <button type="button" className="second" disabled={busy} onClick={() => void revoke(each.id)}>
                {t("revoke")}
              </button>
            )}
          </li>
        ))}
      </ul>
      <p className="line" role="alert">
        {trouble}
      </p>
    </section>
  );
}
