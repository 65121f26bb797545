import type { Path } from "../text/shapes.js";
import { useWords } from "../words/speaking.js";
import { besideOf, useCompany } from "./context.js";

/** Who else has the project open. */
export function Others() {
  const { here } = useCompany();
  const t = useWords();
  const names = [...new Set(here.filter((each) => !each.me).map((each) => each.name))];
  if (!names.length) return null;
  return (
    <ul className="others" aria-label={t("here.name")}>
      {names.map((name) => (
        <li key={name} title={t("here.isHere", { name })}>
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Somebody else has the same settings open. A hint: nothing is kept from anybody. */
export function AlsoHere({ file, path }: { file: string; path: Path }) {
  const state = useCompany();
  const t = useWords();
  const { people } = besideOf(state, file, path);
  const names = [...new Set(people.filter((each) => !each.me).map((each) => each.name))];
  if (!names.length) return null;
  const editing = people.some((each) => !each.me && each.editing);
  return (
    <p className="notice also-here" role="status">
      {t(editing ? "here.editing" : "here.looking", { names: names.join(t("here.and")) })}
    </p>
  );
}
