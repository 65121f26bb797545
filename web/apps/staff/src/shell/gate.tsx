import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask, Refusal } from "./api.js";
import { useWords } from "./asking.js";
import { Language, Light } from "./head.js";
import { Link, tokenOfLink } from "./link.js";
import { type SignedIn, useSigning } from "./signing.js";
import { useTitle } from "./title.js";

/** Nothing of the app is shown before somebody has signed in. */
export function Gate({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { principal, unreachable, look } = useSigning();
  const [link, setLink] = useState(tokenOfLink);
  if (link) return <Link token={link} onDone={() => setLink(null)} />;
  if (principal) return children;
  if (principal === null) return <SignIn />;
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

function SignIn() {
  const { t } = useTranslation();
  const words = useWords();
  const { begin } = useSigning();
  const [trouble, setTrouble] = useState("");
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

  return (
    <Door title={t("signIn.title")}>
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
