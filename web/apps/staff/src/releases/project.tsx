import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { ask } from "../shell/api.js";
import { useAsked, useDeed } from "../shell/asking.js";
import { Leaf } from "../shell/dialog.js";
import { moment } from "../shell/times.js";
import { SideBySide } from "./figures.js";
import { Serving } from "./index.js";
import type { Log, ProjectReleases, Release } from "./shapes.js";

/** One project: its releases, what is asked of them, the figures, and the way back. */
export function Project({ id }: { id: string }) {
  const { t } = useTranslation(["releases", "shell"]);
  const path = `/workbench/projects/${encodeURIComponent(id)}/releases`;
  const { found, failed, again } = useAsked<ProjectReleases>(path);
  if (!found) return <p role="status">{failed ? failed.message || t("shell:unreachable") : t("shell:loading")}</p>;
  return (
    <>
      <Link href="/">{t("all")}</Link>
      <h1>{t("project", { name: found.name, slug: found.slug })}</h1>
      <Serving project={found} />
      {found.may.includes("publish") && <Return project={found} path={path} onDone={again} />}
      {found.may.includes("make") && found.draft && <Make path={path} />}
      <section>
        <h2>{t("list")}</h2>
        <ol className="rows">
          {found.releases.map((each) => (
            <Row key={each.id} release={each} />
          ))}
        </ol>
      </section>
      {found.served?.candidate && found.may.includes("publish") && (
        <Share path={path} share={found.served.share} onDone={again} />
      )}
      {found.served && <SideBySide path={`${path}/figures`} key={JSON.stringify(found.served)} />}
      {found.may.includes("rule") && <Rules project={found} path={path} onDone={again} />}
      <History path={`${path}/log`} releases={found.releases} key={`log ${JSON.stringify(found.served)}`} />
    </>
  );
}

function Row({ release }: { release: Release }) {
  const { t } = useTranslation("releases");
  return (
    <li>
      <div>
        <Link href={`/${encodeURIComponent(release.id)}`} aria-label={t("open", { n: release.number })}>
          <b>{t("number", { n: release.number })}</b>
        </Link>{" "}
        <span className={`tag state-${release.state}`}>{t(`states.${release.state}`)}</span>{" "}
        <span className="soft">{t("ofVersion", { n: release.version })}</span>
        <p className="soft">
          {t("madeBy", { name: release.author, at: moment(release.made_at) })}
          {release.published_at &&
            ` · ${t("publishedBy", { name: release.publisher, at: moment(release.published_at) })}`}
        </p>
        <p className="notes">{release.notes}</p>
      </div>
    </li>
  );
}

function Make({ path }: { path: string }) {
  const { t } = useTranslation("releases");
  const [, go] = useLocation();
  const { busy, trouble, does } = useDeed();

  async function make(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const notes = String(new FormData(event.currentTarget).get("notes") ?? "").trim();
    await does(async () => {
      const made = await ask<Release>(path, { method: "POST", body: { notes: notes || null } });
      go(`/${encodeURIComponent(made.id)}`);
    });
  }

  return (
    <form className="fields" onSubmit={(event) => void make(event)}>
      <label htmlFor="notes">{t("notes")}</label>
      <textarea id="notes" name="notes" rows={3} maxLength={20000} />
      <div>
        <button type="submit" className="main" disabled={busy}>
          {t("make")}
        </button>
      </div>
      <p className="line" role="alert">
        {trouble}
      </p>
    </form>
  );
}

function Return({ project, path, onDone }: { project: ProjectReleases; path: string; onDone(): Promise<void> }) {
  const { t } = useTranslation(["releases", "shell"]);
  const { busy, trouble, does } = useDeed();
  const [asked, setAsked] = useState<"back" | "halt" | null>(null);
  if (!project.served?.release && !project.served?.candidate) return null;

  async function done(): Promise<void> {
    const what = asked;
    if (await does(() => ask(`${path}/${what}`, { method: "POST" }))) {
      setAsked(null);
      await onDone();
    }
  }

  return (
    <div className="row-acts">
      <button type="button" className="second" onClick={() => setAsked("back")}>
        {t("back")}
      </button>
      <button type="button" className="second" onClick={() => setAsked("halt")}>
        {t("halt")}
      </button>
      {asked && (
        <Leaf title={t(asked)} open alert onClose={() => setAsked(null)}>
          <p>{t(asked === "back" ? "backSure" : "haltSure")}</p>
          <div className="acts">
            <button type="button" className="main" disabled={busy} onClick={() => void done()}>
              {t("sure")}
            </button>
            <button type="button" className="second" onClick={() => setAsked(null)}>
              {t("shell:cancel")}
            </button>
          </div>
          <p className="line" role="alert">
            {trouble}
          </p>
        </Leaf>
      )}
    </div>
  );
}

function Share({ path, share, onDone }: { path: string; share: number; onDone(): Promise<void> }) {
  const { t } = useTranslation("releases");
  const { busy, trouble, does } = useDeed();

  async function change(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const wanted = Number(new FormData(event.currentTarget).get("share")) / 100;
    if (await does(() => ask(`${path}/share`, { method: "POST", body: { share: wanted } }))) await onDone();
  }

  return (
    <form className="fields" onSubmit={(event) => void change(event)}>
      <label htmlFor="share-now">{t("share")}</label>
      <div className="one-line">
        <input id="share-now" name="share" type="number" min={1} max={100} defaultValue={Math.round(share * 100)} />
        <button type="submit" className="second" disabled={busy}>
          {t("setShare")}
        </button>
      </div>
      <p className="line" role="alert">
        {trouble}
      </p>
    </form>
  );
}

function Rules({ project, path, onDone }: { project: ProjectReleases; path: string; onDone(): Promise<void> }) {
  const { t } = useTranslation("releases");
  const { busy, trouble, does } = useDeed();

  async function set(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const body = { coverage: Number(given.get("coverage")), reviewers: Number(given.get("reviewers")) };
    if (await does(() => ask(`${path}/rules`, { method: "PUT", body }))) await onDone();
  }

  return (
    <section>
      <h2>{t("rules")}</h2>
      <form className="fields" onSubmit={(event) => void set(event)}>
        <label htmlFor="coverage">{t("coverage")}</label>
        <input id="coverage" name="coverage" type="number" min={0} max={100} defaultValue={project.rules.coverage} />
        <label htmlFor="reviewers">{t("reviewers")}</label>
        <input id="reviewers" name="reviewers" type="number" min={0} max={9} defaultValue={project.rules.reviewers} />
        <div>
          <button type="submit" className="second" disabled={busy}>
            {t("setRules")}
          </button>
        </div>
        <p className="line" role="alert">
          {trouble}
        </p>
      </form>
    </section>
  );
}

function History({ path, releases }: { path: string; releases: readonly Release[] }) {
  const { t, i18n } = useTranslation("releases");
  const { found } = useAsked<Log>(path);
  const number = (id: string) => releases.find((each) => each.id === id)?.number;
  if (!found || found.happened.length === 0) return null;
  return (
    <section>
      <h2>{t("log")}</h2>
      <ol className="log">
        {found.happened.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are on record and have no other name
          <li key={index}>
            {moment(each.at)} · {each.name} ·{" "}
            {i18n.exists(`releases:deeds.${each.what}`) ? t(`deeds.${each.what}`) : each.what}
            {number(each.release) !== undefined && ` · ${t("number", { n: number(each.release) })}`}
          </li>
        ))}
      </ol>
    </section>
  );
}
