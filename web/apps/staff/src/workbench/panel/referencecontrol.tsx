import { useId, useState } from "react";
import { Acting, rootSlot } from "../flow/acting.js";
import { nodeAt } from "../flow/flowview.js";
import { Palette } from "../flow/palette.js";
import { useHere, useTry } from "../project/context.js";
import { useNames } from "../project/names.js";
import type { Accepts, Referent } from "../text/shapes.js";
import { useWords } from "../words/speaking.js";
import type { Given } from "./fieldcontrol.js";
import { useNode } from "./node.js";
import { usePausing } from "./pausing.js";

/** What can be made where it is missing. */
const MADE: Partial<Record<Referent, Accepts>> = { skill: "technique", form: "form", awareness: "awareness" };
const NEW = "\u0000new";

/** A name of something in the project: chosen from those that there are, or typed. */
export function ReferenceControl({ shape, value, disabled, set, labelled }: Given) {
  const t = useWords();
  const list = useId();
  const names = useNames(shape.of ?? "variable", shape.options, shape.named);
  const shown = value === undefined || value === null ? "" : String(value);
  const { typed, type, now } = usePausing(shown, (next) => set(next.trim() || null));
  const { opened } = useHere();
  const { file } = useNode();
  const attempt = useTry();
  const [making, setMaking] = useState(false);
  /** What is missing is made, and referred to. */
  const make = async (accepts: Accepts, item: string) => {
    const slot = rootSlot(await opened.map(), accepts, file);
    if (!slot) return;
    const path = await new Acting(opened).insert(slot, item);
    const node = nodeAt(await opened.map(), slot.file, path);
    if (node) set(node.detail || node.label);
  };
  const known = names.some((each) => each.name === shown);
  const accepts = shape.of ? MADE[shape.of] : undefined;
  if (accepts)
    return (
      <>
        <select
          {...labelled}
          value={shown}
          disabled={disabled}
          onChange={(event) => (event.target.value === NEW ? setMaking(true) : set(event.target.value || null))}
        >
          {(!shape.required || !shown) && <option value="">{t("panel.pick")}</option>}
          {shown && !known && <option value={shown}>{shown}</option>}
          {names.map((each) => (
            <option key={each.name} value={each.name}>
              {each.label}
            </option>
          ))}
          <option value={NEW}>{t("panel.make")}</option>
        </select>
        {making && (
          <Palette
            accepts={accepts}
            close={() => setMaking(false)}
            choose={(item) => {
              setMaking(false);
              void attempt(() => make(accepts, item));
            }}
          />
        )}
      </>
    );
  return (
    <>
      <input
        {...labelled}
        list={list}
        value={typed}
        disabled={disabled}
        autoComplete="off"
        onBlur={now}
        onChange={(event) => type(event.target.value)}
      />
      <datalist id={list}>
        {names.map((each) => (
          <option key={each.name} value={each.name}>
            {each.label}
          </option>
        ))}
      </datalist>
    </>
  );
}
