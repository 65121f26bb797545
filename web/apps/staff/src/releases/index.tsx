import { useTranslation } from "react-i18next";
import { Link, Route, Switch } from "wouter";
import { useAsked } from "../shell/asking.js";
import { teach } from "../shell/language.js";
import { useTitle } from "../shell/title.js";
import { Project } from "./project.js";
import { ReleasePage } from "./release.js";
import "./releases.css";
import type { ProjectReleases } from "./shapes.js";
import { en } from "./texts.en.js";
import { zh } from "./texts.zh-CN.js";
import { percent } from "./words.js";

teach("releases", { "zh-CN": zh, en });

/** What is published, what is being tried, and the way there and back. */
export default function Releases() {
  const { t } = useTranslation("releases");
  useTitle(t("title"));
  return (
    <div className="page wide stack releases scrolling">
      <Switch>
        <Route path="/of/:project">{({ project }) => <Project id={project} />}</Route>
        <Route path="/:release">{({ release }) => <ReleasePage id={release} />}</Route>
        <Route>
          <Projects />
        </Route>
      </Switch>
    </div>
  );
}

function Projects() {
  const { t } = useTranslation(["releases", "shell"]);
  const { found, failed } = useAsked<{ projects: ProjectReleases[] }>("/workbench/releases");
  return (
    <>
      <h1>{t("title")}</h1>
      <p role="status">
        {failed ? failed.message || t("shell:unreachable") : found?.projects.length === 0 ? t("none") : ""}
      </p>
      <ul className="rows">
        {(found?.projects ?? []).map((each) => (
          <li key={each.project}>
            <div>
              <Link href={`/of/${encodeURIComponent(each.project)}`}>
                <b>{t("project", { name: each.name, slug: each.slug })}</b>
              </Link>
              <Serving project={each} />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What new sessions of a project begin with. */
export function Serving({ project }: { project: ProjectReleases }) {
  const { t } = useTranslation("releases");
  const number = (id: string | null) => project.releases.find((each) => each.id === id)?.number;
  const { served } = project;
  return (
    <p className="soft">
      {served?.release ? t("serves", { n: number(served.release) }) : t("servesNothing")}{" "}
      {served?.candidate && t("trying", { n: number(served.candidate), share: percent(served.share) })}{" "}
      {t(project.draft ? "draft" : "noDraft", { n: project.version })}
    </p>
  );
}
