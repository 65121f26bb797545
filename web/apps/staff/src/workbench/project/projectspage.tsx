import { useCallback, useEffect, useId, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { locale } from "../../shell/language.js";
import { useTitle } from "../../shell/title.js";
import type { Project, Template } from "../text/shapes.js";
import { SharingDialog } from "../together/sharing.js";
import { moment, said, useWords } from "../words/speaking.js";
import { Window } from "../words/window.js";
import { exported, imported } from "./moving.js";
import { ProjectServer, projects } from "./server.js";

/** The projects of an author, and how one begins another. */
export function ProjectsPage() {
  const t = useWords();
  useTitle(t("title"));
  const [all, setAll] = useState<Project[] | null>(null);
  const [failed, setFailed] = useState("");
  const [making, setMaking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [, go] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const load = useCallback(
    () => projects.all().then(setAll, (error: Error) => setFailed(error.message || t("failed"))),
    [t],
  );
  useEffect(() => void load(), [load]);
  const attempt = async (act: () => Promise<unknown>) => {
    setBusy(true);
    setFailed("");
    try {
      await act();
    } catch (error) {
      setFailed((error as Error).message || t("failed"));
    } finally {
      setBusy(false);
    }
  };
  const open = (project: Project) => go(`/${encodeURIComponent(project.id)}`);
  const copy = (project: Project) =>
    attempt(async () =>
      open(await projects.make({ name: t("projects.copyOf", { name: project.name }), copy: project.id })),
    );
  const give = (project: Project) =>
    attempt(async () => {
      const { texts } = await new ProjectServer(project.id).texts();
      await exported(project.slug || project.name, texts);
    });
  const take = (files: FileList | null) =>
    attempt(async () => {
      const [first] = files ?? [];
      if (!first) return;
      const { name, texts } = await imported([...(files ?? [])]);
      const made = await projects.make({ name, locale: locale() });
      const server = new ProjectServer(made.id);
      const there = await server.texts();
      const gone = Object.fromEntries(
        Object.keys(there.texts)
          .filter((path) => !(path in texts))
          .map((path) => [path, null]),
      );
      await server.save({ base: there.version, note: t("projects.importedNote"), changes: { ...gone, ...texts } });
      open(made);
    });
  const own = (all ?? []).filter((project) => project.origin === "store" && project.mine);
  const shared = (all ?? []).filter((project) => project.origin === "store" && !project.mine);
  const others = (all ?? []).filter((project) => project.origin !== "store");
  return (
    <div className="page projects">
      <header className="projects-head">
        <div>
          <h1>{t("projects.title")}</h1>
          <p className="soft">{t("projects.about")}</p>
        </div>
        <div className="acts">
          <button type="button" className="main" onClick={() => setMaking(true)}>
            {t("projects.new")}
          </button>
          <Link href="/gallery" className="button second">
            {t("gallery.name")}
          </Link>
          <button type="button" className="second" disabled={busy} onClick={() => input.current?.click()}>
            {t("projects.import")}
          </button>
          <input
            ref={input}
            hidden
            type="file"
            multiple
            accept=".zip,.yaml,.yml,.md,.txt"
            aria-label={t("projects.import")}
            onChange={(event) => {
              void take(event.target.files);
            }}
          />
        </div>
      </header>
      {failed && (
        <p className="notice" role="alert">
          {failed}
        </p>
      )}
      {!all && !failed && <p className="soft">{t("wait")}</p>}
      {all && !own.length && <p className="soft first">{t("projects.first")}</p>}
      <ul className="project-list">
        {own.map((project) => (
          <ProjectItem key={project.id} project={project} copy={copy} give={give} changed={load} />
        ))}
      </ul>
      {shared.length > 0 && (
        <>
          <h2>{t("sharing.shared")}</h2>
          <ul className="project-list">
            {shared.map((project) => (
              <ProjectItem key={project.id} project={project} copy={copy} give={give} changed={load} />
            ))}
          </ul>
        </>
      )}
      {others.length > 0 && (
        <>
          <h2>{t("projects.folders")}</h2>
          <p className="soft">{t("projects.foldersAbout")}</p>
          <ul className="project-list">
            {others.map((project) => (
              <ProjectItem key={project.id} project={project} copy={copy} give={give} changed={load} />
            ))}
          </ul>
        </>
      )}
      {making && <NewProject close={() => setMaking(false)} made={open} />}
    </div>
  );
}

function ProjectItem(props: {
  project: Project;
  copy(project: Project): unknown;
  give(project: Project): unknown;
  changed(): unknown;
}) {
  const { project, copy, give, changed } = props;
  const t = useWords();
  const [doing, setDoing] = useState<"rename" | "delete" | null>(null);
  const [sharing, setSharing] = useState(false);
  const [name, setName] = useState(project.name);
  const id = useId();
  return (
    <li className="project">
      <div>
        <Link href={`/${encodeURIComponent(project.id)}`} className="project-name">
          {project.name}
        </Link>
        <p className="soft">
          {project.scripts.length ? project.scripts.map((script) => script.name).join("、") : t("projects.empty")}
        </p>
        <small className="soft">
          {project.origin === "store"
            ? project.updated_at && t("projects.changed", { at: moment(project.updated_at), number: project.version })
            : t(project.origin === "folder" ? "projects.folder" : "projects.library")}
        </small>
      </div>
      <div className="project-acts">
        <button type="button" className="quiet small" onClick={() => void copy(project)}>
          {t("projects.copy")}
        </button>
        <button type="button" className="quiet small" onClick={() => void give(project)}>
          {t("projects.export")}
        </button>
        {project.mine && (
          <>
            <button type="button" className="quiet small" onClick={() => setSharing(true)}>
              {t("sharing.name")}
            </button>
            <button type="button" className="quiet small" onClick={() => setDoing("rename")}>
              {t("projects.rename")}
            </button>
            <button type="button" className="quiet small" onClick={() => setDoing("delete")}>
              {t("act.delete")}
            </button>
          </>
        )}
      </div>
      {sharing && <SharingDialog project={project} close={() => setSharing(false)} />}
      {doing && (
        <Window title={t(doing === "rename" ? "projects.rename" : "projects.deleteTitle")} close={() => setDoing(null)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const act = doing === "rename" ? projects.rename(project.id, name.trim()) : projects.remove(project.id);
              void act.then(() => {
                setDoing(null);
                changed();
              });
            }}
          >
            {doing === "rename" ? (
              <>
                <label htmlFor={id}>{t("projects.name")}</label>
                <input id={id} required value={name} onChange={(event) => setName(event.target.value)} />
              </>
            ) : (
              <p>{t("projects.deleteAbout", { name: project.name })}</p>
            )}
            <div className="acts">
              <button type="submit" className="main">
                {t(doing === "rename" ? "act.ok" : "act.delete")}
              </button>
              <button type="button" className="second" onClick={() => setDoing(null)}>
                {t("act.cancel")}
              </button>
            </div>
          </form>
        </Window>
      )}
    </li>
  );
}

function NewProject({ close, made }: { close(): void; made(project: Project): void }) {
  const t = useWords();
  const id = useId();
  const [templates, setTemplates] = useState<Template[] | null>(null);
  const [chosen, setChosen] = useState("");
  const [name, setName] = useState("");
  const [failed, setFailed] = useState("");
  useEffect(() => {
    projects.templates().then(
      (all) => {
        setTemplates(all);
        setChosen((before) => before || (all[0]?.id ?? ""));
      },
      (error: Error) => setFailed(error.message || t("failed")),
    );
  }, [t]);
  const make = async () => {
    try {
      made(await projects.make({ name: name.trim(), locale: locale(), ...(chosen && { template: chosen }) }));
    } catch (error) {
      setFailed((error as Error).message || t("failed"));
    }
  };
  return (
    <Window title={t("projects.new")} close={close} wide>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <label htmlFor={id}>{t("projects.name")}</label>
        <input
          id={id}
          required
          // biome-ignore lint/a11y/noAutofocus: it is what is asked first
          autoFocus
          value={name}
          maxLength={80}
          placeholder={t("projects.nameExample")}
          onChange={(event) => setName(event.target.value)}
        />
        <fieldset className="templates">
          <legend>{t("projects.template")}</legend>
          {(templates ?? []).map((template) => (
            <label key={template.id} className={template.id === chosen ? "template here" : "template"}>
              <input
                type="radio"
                name="template"
                value={template.id}
                checked={template.id === chosen}
                onChange={() => setChosen(template.id)}
              />
              <span>
                <strong>{said(template.name)}</strong>
                <small>{said(template.about)}</small>
              </span>
            </label>
          ))}
        </fieldset>
        {failed && (
          <p className="notice" role="alert">
            {failed}
          </p>
        )}
        <div className="acts">
          <button type="submit" className="main" disabled={!name.trim()}>
            {t("projects.make")}
          </button>
          <button type="button" className="second" onClick={close}>
            {t("act.cancel")}
          </button>
        </div>
      </form>
    </Window>
  );
}
