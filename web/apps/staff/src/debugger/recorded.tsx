import type { components } from "@heartrule/sdk";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useDeed } from "../shell/asking.js";

type RecordedSession = components["schemas"]["RecordedSession"];

/** A real person's session, to be read beside this one and nothing else: what somebody said stays theirs, and is put
 * into no debug session, which would outlast it. */
export function Recorded() {
  const { t } = useTranslation("debugger");
  const { busy, trouble, does } = useDeed();
  const [found, setFound] = useState<RecordedSession | null>(null);
  const open = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget).get("session")).trim();
    setFound(null);
    void does(async () => setFound(await ask<RecordedSession>(`/debug/recorded/${encodeURIComponent(id)}`)));
  };
  return (
    <section className="debug-recorded" aria-label={t("recorded.title")}>
      <form onSubmit={open}>
        <h2>{t("recorded.title")}</h2>
        <p className="soft">{t("recorded.about")}</p>
        <label>
          {t("recorded.session")}
          <input name="session" required maxLength={120} autoComplete="off" />
        </label>
        <button type="submit" disabled={busy}>
          {t("recorded.open")}
        </button>
      </form>
      <p role="alert" className="debug-trouble">
        {trouble}
      </p>
      {found && (
        <>
          <p role="status">{t("recorded.opened", { script: found.script, count: found.messages.length })}</p>
          <ol>
            {found.messages.map((each) => (
              <li key={each.id}>
                <b>{t(`recorded.sender.${each.sender}`)}</b>{" "}
                {each.recalled ? <i className="soft">{t("recorded.recalled")}</i> : each.content}
              </li>
            ))}
          </ol>
          <details>
            <summary>{t("recorded.path")}</summary>
            <ol>
              {found.path.map((each, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: what happened, in its order; the same may happen twice
                <li key={index}>{each}</li>
              ))}
            </ol>
          </details>
          <details>
            <summary>{t("recorded.variables")}</summary>
            <p>{found.variables.join(", ") || t("recorded.none")}</p>
          </details>
        </>
      )}
    </section>
  );
}
