import { useBook, useHere } from "../project/context.js";
import { useWords } from "../words/speaking.js";
import { useCompany } from "./context.js";

/** Somebody else has saved since these texts were read. */
export function Newer({ reopen }: { reopen(): void }) {
  const { opened } = useHere();
  const { version } = useCompany();
  const t = useWords();
  useBook();
  if (opened.project.origin !== "store" || version <= opened.base) return null;
  const unsaved = opened.book.changed.length > 0;
  return (
    <div className="notices">
      <p className="notice" role="status">
        {t(unsaved ? "newer.unsaved" : "newer.clean", { number: version })}
        {!unsaved && (
          <button type="button" className="second small" onClick={reopen}>
            {t("newer.load")}
          </button>
        )}
      </p>
    </div>
  );
}
