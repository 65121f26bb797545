import { useMemo, useState } from "react";
import { useBook, useHere } from "../project/context.js";
import { useKnown } from "../project/names.js";
import type { Finding } from "../text/shapes.js";
import { besideLines, useWritten } from "../together/besidelines.js";
import { useCompany } from "../together/context.js";
import { useWords } from "../words/speaking.js";
import { format } from "./commands.js";
import { Editor } from "./editor.js";
import { ProjectSearch } from "./projectsearch.js";
import { SideBySide } from "./sidebyside.js";

/** One file as text, with what is found in it, or beside its saved version. */
export function TextView(props: { path: string; findings: Finding[]; at: { from: number; to: number } | null }) {
  const { path, findings, at } = props;
  const { opened, lit } = useHere();
  const t = useWords();
  const { map, variables } = useKnown();
  const company = useCompany();
  const written = useWritten(path);
  const [comparing, setComparing] = useState(false);
  const [searching, setSearching] = useState(false);
  useBook();
  const own = useMemo(() => findings.filter((finding) => finding.file === path), [findings, path]);
  const places = useMemo(() => {
    const variable = variables.find((each) => each.name === lit);
    const all = variable ? [...variable.declared, ...variable.written, ...variable.read] : [];
    return all.filter((place) => place.file === path);
  }, [variables, lit, path]);
  const marks = useMemo(
    () => (written.lines ? written.lines : besideLines(company, map, path, t)),
    [written.lines, company, map, path, t],
  );
  const { kept, state } = opened.book.sheet(path);
  return (
    <div className="text-view">
      <div className="text-tools">
        <strong className="file-name">{path}</strong>
        <button type="button" className="quiet small" aria-pressed={searching} onClick={() => setSearching(!searching)}>
          {t("text.search")}
        </button>
        <button
          type="button"
          className="quiet small"
          aria-pressed={comparing}
          disabled={!comparing && !opened.book.isChanged(path)}
          onClick={() => setComparing(!comparing)}
        >
          {t("text.compare")}
        </button>
        {opened.project.origin === "store" && (
          <button
            type="button"
            className="quiet small"
            aria-pressed={written.lines !== null}
            disabled={written.lines === null && opened.book.isChanged(path)}
            onClick={written.toggle}
          >
            {t("written.who")}
          </button>
        )}
        {opened.project.writable && (
          <button type="button" className="quiet small" onClick={() => void format(opened, path)}>
            {t("text.format")}
          </button>
        )}
      </div>
      {searching && <ProjectSearch close={() => setSearching(false)} />}
      {comparing ? (
        <SideBySide
          before={kept?.toString() ?? ""}
          after={state.doc.toString()}
          names={[t("text.savedVersion"), t("text.now")]}
        />
      ) : (
        <Editor path={path} findings={own} places={places} besides={marks} at={at} />
      )}
    </div>
  );
}
