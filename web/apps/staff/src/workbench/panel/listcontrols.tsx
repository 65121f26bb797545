import { type Named, useNames } from "../project/names.js";
import type { Json } from "../text/shapes.js";
import { useWords } from "../words/speaking.js";
import type { Given } from "./fieldcontrol.js";
import { usePausing } from "./pausing.js";
import { linesOf } from "./textcontrol.js";

function listOf(value: Json | undefined): string[] {
  if (Array.isArray(value))
    return value.map((each) => (typeof each === "object" ? JSON.stringify(each) : String(each)));
  return value === undefined || value === null || value === "" ? [] : [String(value)];
}

/** Names of things in the project: those that are in, each with a way out, and one to add another. */
export function NamesControl({ shape, value, disabled, set, labelled }: Given) {
  const t = useWords();
  const names = useNames(shape.of, shape.options, shape.named);
  const chosen = listOf(value);
  const left = names.filter((each) => !chosen.includes(each.name));
  const labelOf = (name: string) => names.find((each: Named) => each.name === name)?.label ?? name;
  const change = (next: string[]) => set(next.length ? next : null);
  return (
    <div className="chips">
      {chosen.map((name) => (
        <span key={name} className="chip">
          {labelOf(name)}
          <button
            type="button"
            className="chip-out"
            disabled={disabled}
            aria-label={t("panel.takeOut", { name: labelOf(name) })}
            onClick={() => change(chosen.filter((each) => each !== name))}
          >
            ×
          </button>
        </span>
      ))}
      <select
        {...labelled}
        value=""
        disabled={disabled || !left.length}
        onChange={(event) => event.target.value && change([...chosen, event.target.value])}
      >
        <option value="">{left.length ? t("panel.addName") : t("panel.noneLeft")}</option>
        {left.map((each) => (
          <option key={each.name} value={each.name}>
            {each.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Texts, one a line. */
export function LinesControl({ value, disabled, set, labelled }: Given) {
  const t = useWords();
  const { typed, type, now } = usePausing(listOf(value).join("\n"), (next) => {
    const lines = next.split("\n").filter((line) => line.trim());
    set(lines.length ? lines : null);
  });
  return (
    <textarea
      {...labelled}
      value={typed}
      rows={linesOf(typed)}
      disabled={disabled}
      placeholder={t("panel.onePerLine")}
      onBlur={now}
      onChange={(event) => type(event.target.value)}
    />
  );
}
