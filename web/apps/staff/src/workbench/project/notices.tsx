import { useState, useSyncExternalStore } from "react";
import { moment, useWords } from "../words/speaking.js";
import { useHere, useTry } from "./context.js";
import { projects } from "./server.js";

/** What somebody must know before they write: another tab, a draft that came back, a project that cannot be changed. */
export function Notices({ reopen }: { reopen(): void }) {
  const { opened } = useHere();
  const t = useWords();
  const attempt = useTry();
  const [heard, setHeard] = useState(false);
  const { drafts, restored, project } = opened;
  const others = useSyncExternalStore(drafts.subscribe, () => drafts.others);
  const [left, setLeft] = useState(opened.left);
  const openElsewhere = [...new Set(others.flatMap((other) => other.paths))];
  const copy = () =>
    attempt(async () => {
      const made = await projects.make({ name: t("projects.copyOf", { name: project.name }), copy: project.id });
      location.assign(`/staff/workbench/${encodeURIComponent(made.id)}`);
    });
  return (
    <div className="notices">
      {!project.writable && (
        <p className="notice">
          {t(
            project.origin === "store"
              ? "notice.shared"
              : project.origin === "folder"
                ? "notice.folder"
                : "notice.library",
          )}
          <button type="button" className="second small" onClick={() => void copy()}>
            {t("projects.copy")}
          </button>
        </p>
      )}
      {others.length > 0 && (
        <p className="notice" role="status">
          {openElsewhere.length ? t("notice.otherTab", { files: openElsewhere.join("、") }) : t("notice.otherTabOnly")}
        </p>
      )}
      {restored && !heard && (
        <p className="notice" role="status">
          {t("notice.restored", { at: moment(restored.at) })}
          <button type="button" className="second small" onClick={() => setHeard(true)}>
            {t("notice.goOn")}
          </button>
          <button
            type="button"
            className="quiet small"
            onClick={() => {
              void drafts.discard().then(reopen);
            }}
          >
            {t("notice.discard")}
          </button>
        </p>
      )}
      {left.map((draft) => (
        <p className="notice" key={draft.tab}>
          {t("notice.left", { at: moment(draft.at), files: Object.keys(draft.texts).join("、") })}
          <button
            type="button"
            className="second small"
            onClick={() => {
              for (const [path, text] of Object.entries(draft.texts))
                if (typeof text === "string") {
                  if (opened.book.has(path)) opened.book.rewrite(path, text);
                  else opened.book.open(path, null, text);
                }
              void drafts.now().then(() => drafts.drop(draft.tab));
              setLeft(left.filter((each) => each !== draft));
            }}
          >
            {t("notice.take")}
          </button>
          <button
            type="button"
            className="quiet small"
            onClick={() => {
              void drafts.drop(draft.tab);
              setLeft(left.filter((each) => each !== draft));
            }}
          >
            {t("notice.discard")}
          </button>
        </p>
      ))}
    </div>
  );
}
