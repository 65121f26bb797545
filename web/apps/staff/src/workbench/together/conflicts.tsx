import { useState } from "react";
import { nodeAt } from "../flow/flowview.js";
import { nameOf } from "../flow/layout.js";
import { useHere } from "../project/context.js";
import { rootAbove } from "../project/findingslist.js";
import { useKnown } from "../project/names.js";
import { scriptOf } from "../project/room.js";
import { spanOf } from "../text/places.js";
import type { Json, MapNode } from "../text/shapes.js";
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
  const { opened, goTo, draw, setFocus } = useHere();
  const { map } = useKnown();
  const t = useWords();
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const keyOf = (conflict: Conflict) => `${conflict.file} ${conflict.number}`;
  const decide = (conflict: Conflict, theirsToo: boolean) => {
    const next = new Set(theirs);
    if (theirsToo) next.add(keyOf(conflict));
    else next.delete(keyOf(conflict));
    setTheirs(next);
  };
  const nodeOf = ({ file, node }: Conflict) => (map ? nodeAt(map, file, node) : null);
  const inText = (conflict: Conflict) => {
    const node = nodeOf(conflict);
    goTo(conflict.file, node ? spanOf(opened.book.sheet(node.file).state.doc, node.range) : undefined);
    close();
  };
  const onMap = (node: MapNode) => {
    if (map) draw(scriptOf(rootAbove(map, node)));
    setFocus({ file: node.file, path: node.path });
    close();
  };
  return (
    <Window title={t("save.conflict")} close={close} wide>
      <p>{t("save.conflictAbout", { author: merged.author, count: merged.conflicts.length })}</p>
      <ol className="conflicts">
        {merged.conflicts.map((conflict) => (
          <li key={keyOf(conflict)}>
            <fieldset>
              <legend>
                {nodeOf(conflict) ? nameOf(nodeOf(conflict) as MapNode) : conflict.file}{" "}
                <code>{placeOf(conflict)}</code> {t(`save.kind.${conflict.kind}`)}
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
              <button type="button" className="quiet small" onClick={() => inText(conflict)}>
                {t("act.showText")}
              </button>
              {nodeOf(conflict) && (
                <button type="button" className="quiet small" onClick={() => onMap(nodeOf(conflict) as MapNode)}>
                  {t("save.showMap")}
                </button>
              )}
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

/** What of the node it is. */
function placeOf({ path, node }: Conflict): string {
  return path.slice(node.length || 1).join(" › ");
}

function shown(value: Json): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
