import { useHere, useTry } from "../project/context.js";
import { useWords } from "../words/speaking.js";
import type { Given } from "./fieldcontrol.js";
import { useNode } from "./node.js";
import { usePausing } from "./pausing.js";
import { linesOf } from "./textcontrol.js";

/** A value for which there is no control of its own, as it is written. */
export function YamlControl({ path, text, value, disabled, labelled }: Given) {
  const { opened } = useHere();
  const attempt = useTry();
  const { file } = useNode();
  const t = useWords();
  const shown = text || (value === undefined || value === null ? "" : JSON.stringify(value));
  const { typed, type, now } = usePausing(shown, (next) => {
    const operation = next.trim()
      ? ({ kind: "set_text", path, text: next } as const)
      : ({ kind: "set", path, value: null } as const);
    void attempt(() => opened.operate(file, operation));
  });
  return (
    <textarea
      {...labelled}
      className="as-text"
      value={typed}
      rows={linesOf(typed)}
      disabled={disabled}
      spellCheck={false}
      placeholder={t("panel.asText")}
      onBlur={now}
      onChange={(event) => type(event.target.value)}
    />
  );
}
