import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import "../desk/words.js";
import { useAsked } from "../shell/asking.js";
import { moment } from "../shell/times.js";

interface Deed {
  at: string;
  who: string;
  name: string | null;
  role: string;
  what: string;
  session: string | null;
  detail: string | null;
}

/** Who did what: everything that shows or adds a word, and everything done to accounts. */
export function Audit() {
  const { t, i18n } = useTranslation(["administration", "shell", "desk"]);
  const [session, setSession] = useState("");
  const { found, failed } = useAsked<{ records: Deed[] }>(
    `/staff/audit?limit=200${session ? `&session=${encodeURIComponent(session)}` : ""}`,
  );
  const deed = (what: string) => (i18n.exists(`shell:deeds.${what}`) ? t(`shell:deeds.${what}`) : what);

  const detail = (said: string | null) =>
    said && i18n.exists(`desk:handing.reasons.${said}`) ? t(`desk:handing.reasons.${said}`) : said;

  function choose(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    setSession(String(new FormData(event.currentTarget).get("session") ?? "").trim());
  }

  return (
    <section className="stack">
      <p className="soft">{t("auditText")}</p>
      <form className="fields" onSubmit={choose}>
        <label htmlFor="audit-session">{t("auditSession")}</label>
        <div className="one-line">
          <input id="audit-session" name="session" autoComplete="off" spellCheck={false} />
          <button className="second" type="submit">
            {t("show")}
          </button>
        </div>
      </form>
      <p role="status">
        {failed ? failed.message || t("shell:unreachable") : found?.records.length === 0 ? t("none") : ""}
      </p>
      {found && found.records.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <section className="scrolls" tabIndex={0} aria-label={t("audit")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("when")}</th>
                <th scope="col">{t("who")}</th>
                <th scope="col">{t("what")}</th>
                <th scope="col">{t("where")}</th>
                <th scope="col">{t("detail")}</th>
              </tr>
            </thead>
            <tbody>
              {found.records.map((each, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows are on record and have no other name
                <tr key={index}>
                  <td>{moment(each.at)}</td>
                  <td>{each.name ?? each.who}</td>
                  <td>{deed(each.what)}</td>
                  <td>{each.session && <code title={each.session}>{each.session.slice(0, 8)}</code>}</td>
                  <td>{detail(each.detail)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
