import { useEffect, useState } from "react";
import type { Beside } from "../code/beside.js";
import { useBook, useHere, useTry } from "../project/context.js";
import type { FlowMap } from "../text/shapes.js";
import { moment, type useWords } from "../words/speaking.js";
import type { CompanyState } from "./company.js";
import { besideOf, useTogether } from "./context.js";

/** Comments, what is to be decided, and people beside the lines at which their nodes begin. */
export function besideLines(
  company: CompanyState,
  map: FlowMap | null,
  path: string,
  t: ReturnType<typeof useWords>,
): Beside[] {
  const found: Beside[] = [];
  for (const node of map?.nodes ?? []) {
    if (node.file !== path) continue;
    const { threads, conflicts, people } = besideOf(company, node.file, node.path);
    const line = node.range.start.line + 1;
    if (threads.length) {
      const said = threads.map((thread) => thread.comments[0]?.text ?? "").join("\n");
      found.push({ line, text: t("threads.some", { count: threads.length }), title: said, kind: "comments" });
    }
    if (conflicts.length) {
      const text = t("save.undecided", { count: conflicts.length });
      found.push({ line, text, title: text, kind: "conflicts" });
    }
    const names = [...new Set(people.filter((each) => !each.me).map((each) => each.name))];
    if (names.length) found.push({ line, text: names.join(" "), title: t("here.name"), kind: "people" });
  }
  return found;
}

/** Who wrote each line of a file as it is saved; nothing as long as it is not asked for, or once it is changed. */
export function useWritten(path: string): { lines: Beside[] | null; toggle(): void } {
  const { opened } = useHere();
  const { company } = useTogether();
  const attempt = useTry();
  useBook();
  const [found, setFound] = useState<{ path: string; lines: Beside[] } | null>(null);
  const changed = opened.book.isChanged(path);
  useEffect(() => {
    if (changed) setFound(null);
  }, [changed]);
  const lines = found?.path === path ? found.lines : null;
  const toggle = () => {
    if (lines) return setFound(null);
    void attempt(async () => {
      const answer = await company.server.written(path);
      setFound({
        path,
        lines: answer.lines.map(({ first, author, at, version, note }) => ({
          line: first,
          text: `${author} ${moment(at)}`,
          title: `${version} ${note}`,
          kind: "written" as const,
        })),
      });
    });
  };
  return { lines, toggle };
}
