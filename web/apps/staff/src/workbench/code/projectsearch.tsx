import { useMemo, useState } from "react";
import { useBook, useHere } from "../project/context.js";
import { useWords } from "../words/speaking.js";
import { hits } from "./hits.js";

export function ProjectSearch({ close }: { close(): void }) {
  const { opened, goTo } = useHere();
  const t = useWords();
  const version = useBook();
  const [words, setWords] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts are other ones with each version
  const found = useMemo(() => hits(opened.book.texts(), words), [opened, words, version]);
  return (
    <section className="project-search" aria-label={t("text.search")}>
      <input
        type="search"
        aria-label={t("text.searchFor")}
        placeholder={t("text.searchFor")}
        value={words}
        // biome-ignore lint/a11y/noAutofocus: it was opened to search
        autoFocus
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && close()}
      />
      <p className="soft" role="status">
        {words && t("text.hits", { count: found.length })}
      </p>
      <ul>
        {found.map((hit) => (
          <li key={`${hit.path}:${hit.from}`}>
            <button type="button" onClick={() => goTo(hit.path, { from: hit.from, to: hit.to })}>
              <small>
                {hit.path}:{hit.line}
              </small>
              <span>
                {hit.before}
                <mark>{hit.found}</mark>
                {hit.after}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
