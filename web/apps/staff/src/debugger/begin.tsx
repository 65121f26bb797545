import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { ask } from "../shell/api.js";
import { useAsked, useDeed } from "../shell/asking.js";
import { moment } from "../shell/times.js";
import type { Item, Project, State } from "./shapes.js";

/** Where a debug session is begun, or one is gone back to. */
export function Begin() {
  const { t } = useTranslation("debugger");
  const { found: known } = useAsked<{ sessions: Item[] }>("/debug/sessions");
  const { found: projects } = useAsked<{ projects: Project[] }>("/debug/projects");
  const [, go] = useLocation();
  const { busy, trouble, does } = useDeed();
  const ids = useId();
  const [script, setScript] = useState("");

  const begin = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const [project = "", session = ""] = String(given.get("script")).split("|");
    const by = String(given.get("by"));
    const body = { project, script: session, go: given.get("entry") ? "into" : "run", answering: { by } };
    void does(async () => go(`/${(await ask<State>("/debug/sessions", { method: "POST", body })).id}`));
  };
  const open = (event: FormEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0];
    if (!file) return;
    void does(async () => {
      const data: unknown = JSON.parse(await file.text());
      go(`/${(await ask<State>("/debug/import", { method: "POST", body: { file: data } })).id}`);
    });
  };

  const all = projects?.projects.flatMap((each) =>
    each.scripts.map(([id, name]) => ({ project: each.id, id: String(id), name: String(name) })),
  );
  return (
    <div className="page debug-begin">
      <h1>{t("title")}</h1>
      <form onSubmit={begin}>
        <label htmlFor={`${ids}s`}>{t("begin.script")}</label>
        <select id={`${ids}s`} name="script" value={script} onChange={(e) => setScript(e.target.value)} required>
          <option value="">{t("begin.choose")}</option>
          {all?.map((each) => (
            <option key={each.id} value={`${each.project}|${each.id}`}>
              {each.name} · {each.id}
            </option>
          ))}
        </select>
        <label htmlFor={`${ids}b`}>{t("begin.answers")}</label>
        <select id={`${ids}b`} name="by" defaultValue="none">
          {(["none", "model", "typed"] as const).map((by) => (
            <option key={by} value={by}>
              {t(`answering.${by}`)}
            </option>
          ))}
        </select>
        <label className="check">
          <input type="checkbox" name="entry" /> {t("begin.entry")}
        </label>
        <button type="submit" className="main" disabled={busy || !script}>
          {t("begin.begin")}
        </button>
      </form>
      <p role="alert" className="line">
        {trouble}
      </p>
      <label className="file">
        {t("begin.file")} <input type="file" accept="application/json,.json" onChange={open} />
      </label>
      {known && known.sessions.length > 0 && (
        <section aria-labelledby={`${ids}k`}>
          <h2 id={`${ids}k`}>{t("begin.known")}</h2>
          <ul className="debug-known">
            {known.sessions.map((each) => (
              <li key={each.id}>
                <Link href={`/${each.id}`}>{each.script}</Link>{" "}
                <span className="soft">
                  {moment(each.updated_at)} {each.closed && t("status.closed")}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
