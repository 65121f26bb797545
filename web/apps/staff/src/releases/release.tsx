import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ask } from "../shell/api.js";
import { useAsked, useDeed } from "../shell/asking.js";
import { moment } from "../shell/times.js";
import { Impact } from "./impact.js";
import { Publish } from "./publish.js";
import type { Changes, Gate, ProjectReleases, Standing } from "./shapes.js";
import { said } from "./words.js";

/** One release: what it changes, what is missing before it is published, and what it would do. */
export function ReleasePage({ id }: { id: string }) {
  const { t } = useTranslation(["releases", "shell"]);
  const path = `/workbench/releases/${encodeURIComponent(id)}`;
  const { found, failed, again, put } = useAsked<Standing>(path);
  const project = found?.release.project;
  const of = useAsked<ProjectReleases>(project ? `/workbench/projects/${encodeURIComponent(project)}/releases` : null);
  if (!found) return <p role="status">{failed ? failed.message || t("shell:unreachable") : t("shell:loading")}</p>;
  const { release } = found;
  const may = of.found?.may ?? [];
  return (
    <>
      <Link href={`/of/${encodeURIComponent(release.project)}`}>{of.found?.name ?? release.slug}</Link>
      <h1>
        {t("number", { n: release.number })}{" "}
        <span className={`tag state-${release.state}`}>{t(`states.${release.state}`)}</span>
      </h1>
      <p className="soft">
        {t("ofVersion", { n: release.version })} · {t("madeBy", { name: release.author, at: moment(release.made_at) })}
        {release.published_at &&
          ` · ${t("publishedBy", { name: release.publisher, at: moment(release.published_at) })}`}
      </p>
      {may.includes("make") ? (
        <Notes path={path} notes={release.notes} onDone={again} />
      ) : (
        <p className="notes">{release.notes}</p>
      )}
      <Gates path={path} standing={found} put={put} />
      <WhatChanges path={`${path}/changes`} />
      {may.includes("review") && <Review path={path} put={put} />}
      {found.votes.length > 0 && (
        <ul>
          {found.votes.map((each) => (
            <li key={each.name}>
              {each.name} · {t(`verdicts.${each.verdict}`)}
              {each.note && ` · ${each.note}`}
            </li>
          ))}
        </ul>
      )}
      <Impact release={id} />
      {may.includes("publish") && (
        <Publish
          path={`${path}/publish`}
          open={found.open}
          onDone={async () => {
            await again();
            await of.again();
          }}
        />
      )}
      <details>
        <summary>{t("bundle")}</summary>
        <p>
          <code>{release.bundle}</code>
        </p>
        <p>
          {t("signed")}: <code>{release.key}</code>
        </p>
      </details>
    </>
  );
}

function Notes({ path, notes, onDone }: { path: string; notes: string; onDone(): Promise<void> }) {
  const { t } = useTranslation("releases");
  const { busy, trouble, does } = useDeed();

  async function save(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const body = { notes: String(new FormData(event.currentTarget).get("notes") ?? "") };
    if (await does(() => ask(`${path}/notes`, { method: "PUT", body }))) await onDone();
  }

  return (
    <form className="fields" onSubmit={(event) => void save(event)}>
      <label htmlFor="notes">{t("notes")}</label>
      <textarea id="notes" name="notes" rows={4} maxLength={20000} defaultValue={notes} />
      <div>
        <button type="submit" className="second" disabled={busy}>
          {t("saveNotes")}
        </button>
      </div>
      <p className="line" role="alert">
        {trouble}
      </p>
    </form>
  );
}

function Gates({ path, standing, put }: { path: string; standing: Standing; put(found: Standing): void }) {
  const { t } = useTranslation("releases");
  const { busy, trouble, does } = useDeed();
  const check = () => does(async () => put(await ask<Standing>(`${path}/check`, { method: "POST" })));
  return (
    <section>
      <h2>{t("gates")}</h2>
      <ul className="gates">
        {standing.gates.map((each) => (
          <One key={each.name} gate={each} />
        ))}
      </ul>
      <button type="button" className="second" disabled={busy} onClick={() => void check()}>
        {busy ? t("checking") : t("check")}
      </button>
      <p className="line" role="alert">
        {trouble}
      </p>
    </section>
  );
}

function One({ gate }: { gate: Gate }) {
  const { t } = useTranslation("releases");
  return (
    <li className={gate.open ? "open" : "shut"} data-gate={gate.name}>
      <span className="tag">{t(gate.open ? "done" : "missing")}</span> {said(gate.says)}
      {gate.mend && <p className="soft">{said(gate.mend)}</p>}
      {gate.details.length > 0 && (
        <ul>
          {gate.details.map((each) => (
            <li key={each.en}>{said(each)}</li>
          ))}
        </ul>
      )}
    </li>
  );
}

function WhatChanges({ path }: { path: string }) {
  const { t } = useTranslation("releases");
  const { found } = useAsked<Changes>(path);
  if (!found) return null;
  const files = [...new Set(found.changes.map((each) => each.file))];
  return (
    <section>
      <h2>{t("changes")}</h2>
      {found.before === 0 ? (
        <p className="soft">{t("allNew")}</p>
      ) : (
        found.changes.length === 0 && <p className="soft">{t("noChanges")}</p>
      )}
      {found.before > 0 &&
        files.map((file) => (
          <div key={file}>
            <h3>
              <code>{file}</code>
            </h3>
            <ul>
              {found.changes
                .filter((each) => each.file === file)
                .map((each) => (
                  <li key={`${each.kind} ${each.path.join("/")} ${each.says.en}`}>{said(each.says)}</li>
                ))}
            </ul>
          </div>
        ))}
    </section>
  );
}

function Review({ path, put }: { path: string; put(found: Standing): void }) {
  const { t } = useTranslation("releases");
  const { busy, trouble, does } = useDeed();
  const [note, setNote] = useState("");
  const vote = (verdict: "approve" | "changes") =>
    does(async () => put(await ask<Standing>(`${path}/review`, { method: "POST", body: { verdict, note } })));
  return (
    <section>
      <h2>{t("review")}</h2>
      <div className="fields">
        <label htmlFor="review-note">{t("reviewNote")}</label>
        <textarea
          id="review-note"
          rows={2}
          maxLength={2000}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        <div className="row-acts">
          <button type="button" className="main" disabled={busy} onClick={() => void vote("approve")}>
            {t("approve")}
          </button>
          <button type="button" className="second" disabled={busy} onClick={() => void vote("changes")}>
            {t("ask")}
          </button>
        </div>
      </div>
      <p className="line" role="alert">
        {trouble}
      </p>
    </section>
  );
}
