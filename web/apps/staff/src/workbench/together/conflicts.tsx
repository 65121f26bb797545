import { useState } from "react";
import { useHere } from "../project/context.js";
import type { Json } from "../text/shapes.js";
import { useWords } from "../words/speaking.js";
import { Window } from "../words/window.js";
import type { Conflict, Merged } from "./shapes.js";

/** What both have changed otherwise, to be decided one by one. Everything else has gone together already. */
export function Conflicts(props: {
  merged: Merged;
  close(): void;
  choose(take: { file: string; number: number }[]): unknown;
}) {
  const { merged, close, choose } = props;
  const { goTo } = useHere();
  const t = useWords();
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const keyOf = (conflict: Conflict) => `${conflict.file} ${conflict.number}`;
  const decide = (conflict: Conflict, theirsToo: boolean) => {
    const next = new Set(theirs);
    if (theirsToo) next.add(keyOf(conflict));
    else next.delete(keyOf(conflict));
    setTheirs(next);
  };
  return (
    <Window title={t("save.conflict")} close={close} wide>
      <p>{t("save.conflictAbout", { author: merged.author, count: merged.conflicts.length })}</p>
      <ol className="conflicts">
        {merged.conflicts.map((conflict) => (
          <li key={keyOf(conflict)}>
            <fieldset>
              <legend>
                {conflict.file} <code>{placeOf(conflict)}</code>
              </legend>
              <label>
                <input
                  type="radio"
                  name={keyOf(conflict)}
                  checked={!theirs.has(keyOf(conflict))}
                  onChange={() => decide(conflict, false)}
                />{" "}
                {t("save.mine")} <q>{shown(conflict.ours) || t("save.nothing")}</q>
              </label>
              <label>
                <input
                  type="radio"
                  name={keyOf(conflict)}
                  checked={theirs.has(keyOf(conflict))}
                  onChange={() => decide(conflict, true)}
                />{" "}
                {t("save.theirs")} <q>{shown(conflict.theirs) || t("save.nothing")}</q>
              </label>
              <button
                type="button"
                className="quiet small"
                onClick={() => {
                  goTo(conflict.file);
                  close();
                }}
              >
                {t("act.showText")}
              </button>
            </fieldset>
          </li>
        ))}
      </ol>
      <div className="acts">
        <button
          type="button"
          className="main"
          onClick={() =>
            void choose(
              merged.conflicts.filter((each) => theirs.has(keyOf(each))).map(({ file, number }) => ({ file, number })),
            )
          }
        >
          {t("save.decide")}
        </button>
        <button type="button" className="second" onClick={close}>
          {t("act.cancel")}
        </button>
      </div>
    </Window>
  );
}

function placeOf({ path }: Conflict): string {
  return path.slice(1).join(" › ");
}

function shown(value: Json): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
