import { useWords } from "../words/speaking.js";
import type { Given } from "./fieldcontrol.js";
import { usePausing } from "./pausing.js";
import { plainOf } from "./plain.js";

export function TextControl({ shape, value, disabled, set, labelled }: Given) {
  const t = useWords();
  const numeric = shape.control === "number" || shape.control === "integer";
  const shown =
    value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  const { typed, type, now } = usePausing(shown, (next) => {
    if (next === "") return set(null);
    if (shape.control === "plain") return set(plainOf(next, value));
    set(numeric && Number.isFinite(Number(next)) ? Number(next) : next);
  });
  const usual = shape.default !== null && typeof shape.default !== "object" ? String(shape.default) : "";
  const common = {
    ...labelled,
    value: typed,
    disabled,
    onBlur: now,
    placeholder: usual ? t("panel.usual", { value: usual }) : undefined,
  };
  if (shape.control === "text")
    return <textarea {...common} rows={linesOf(typed)} onChange={(event) => type(event.target.value)} />;
  return (
    <input
      {...common}
      type={numeric ? "number" : "text"}
      {...(numeric && {
        min: shape.minimum ?? undefined,
        max: shape.maximum ?? undefined,
        step: shape.control === "integer" ? 1 : "any",
      })}
      onChange={(event) => type(event.target.value)}
    />
  );
}

/** As many lines as a text takes, about. */
export function linesOf(text: string): number {
  const lines = text.split("\n").reduce((sum, line) => sum + 1 + Math.floor(line.length / 32), 0);
  return Math.max(2, Math.min(14, lines));
}
