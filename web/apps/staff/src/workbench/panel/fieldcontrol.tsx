import { type ReactNode, useId } from "react";
import type { FieldShape, Json, Path } from "../text/shapes.js";
import { plain, said, useLabel, useWords } from "../words/speaking.js";
import { ConditionControl } from "./conditioncontrol.js";
import { DurationControl } from "./durationcontrol.js";
import { ItemsControl } from "./itemscontrol.js";
import { LinesControl, NamesControl } from "./listcontrols.js";
import { ReferenceControl } from "./referencecontrol.js";
import { TemplateControl } from "./templatecontrol.js";
import { TextControl } from "./textcontrol.js";
import { YamlControl } from "./yamlcontrol.js";

/** What a control is given: what stands there, and how to have it otherwise. */
export interface Given {
  shape: FieldShape;
  /** What the page calls it. */
  name: string;
  value: Json | undefined;
  /** Where the value stands, or would. */
  path: Path;
  /** As it is written; of fields only. */
  text: string;
  disabled: boolean;
  set(value: Json): void;
  /** The names of the label and of the help, for whoever listens. */
  labelled: { id: string; "aria-labelledby": string; "aria-describedby"?: string };
}

/** One field with its name, its help and the control that fits it. */
export function FieldControl(props: Omit<Given, "labelled" | "name"> & { below?: ReactNode; kind?: string }) {
  const { shape, below, kind, ...given } = props;
  const label = useLabel();
  const t = useWords();
  const id = useId();
  const own = kind ? label(`own.${kind}`, shape.key) : shape.key;
  const name = own === shape.key ? label("fields", shape.key) : own;
  const told = plain(said(shape.help), label);
  const help = told.replace(/[.。]$/, "") === name ? "" : told;
  const labelled = { id, "aria-labelledby": `${id}-label`, ...(help && { "aria-describedby": `${id}-help` }) };
  const inline = shape.control === "boolean";
  return (
    <div className={inline ? "field inline" : "field"} data-field={shape.key}>
      <div className="field-name">
        <label id={`${id}-label`} htmlFor={id}>
          {name}
          {shape.required && <span className="needed"> {t("panel.needed")}</span>}
        </label>
      </div>
      <Control {...given} shape={shape} name={name} labelled={labelled} />
      {help && (
        <small id={`${id}-help`} className="field-help">
          {help}
        </small>
      )}
      {below}
    </div>
  );
}

/** Controls of one value; what stands there may be more than one all the same. */
const SIMPLE = new Set([
  "line",
  "text",
  "template",
  "number",
  "integer",
  "boolean",
  "plain",
  "choice",
  "duration",
  "reference",
  "variable",
]);
/** When an awareness script can look. */
const MOMENTS = [
  ...["answer", "topic_start", "topic_end", "before ai_ask", "after ai_ask", "before ai_say", "after ai_say"],
];

export function Control(given: Given) {
  const { shape, value } = given;
  if (SIMPLE.has(shape.control) && typeof value === "object" && value !== null) {
    const isMapped = shape.item && !Array.isArray(value);
    return isMapped ? <ItemsControl {...given} shape={{ ...shape, control: "mapping" }} /> : <YamlControl {...given} />;
  }
  if (shape.key === "at" && shape.control === "lines")
    return <NamesControl {...given} shape={{ ...shape, of: null, options: MOMENTS }} />;
  switch (shape.control) {
    case "line":
    case "text":
    case "number":
    case "integer":
    case "plain":
      return <TextControl {...given} />;
    case "template":
      return <TemplateControl {...given} />;
    case "boolean":
      return <BooleanControl {...given} />;
    case "choice":
      return <ChoiceControl {...given} />;
    case "duration":
      return <DurationControl {...given} />;
    case "condition":
    case "expression":
      return <ConditionControl {...given} />;
    case "reference":
    case "variable":
      return <ReferenceControl {...given} />;
    case "names":
      return <NamesControl {...given} />;
    case "lines":
      return <LinesControl {...given} />;
    case "outputs":
    case "items":
    case "mapping":
      return <ItemsControl {...given} />;
    default:
      return <YamlControl {...given} />;
  }
}

function BooleanControl({ shape, value, disabled, set, labelled }: Given) {
  const now = typeof value === "boolean" ? value : shape.default === true;
  return (
    <input
      type="checkbox"
      {...labelled}
      checked={now}
      disabled={disabled}
      onChange={(event) => set(event.target.checked)}
    />
  );
}

function ChoiceControl({ shape, value, disabled, set, labelled }: Given) {
  const label = useLabel();
  const t = useWords();
  const name = (each: string) => label("choices", each);
  const options = shape.options ?? [];
  const now = value === undefined || value === null ? "" : String(value);
  return (
    <select {...labelled} value={now} disabled={disabled} onChange={(event) => set(event.target.value || null)}>
      {(!shape.required || !now) && (
        <option value="">
          {typeof shape.default === "string" ? t("panel.usual", { value: name(shape.default) }) : t("panel.unset")}
        </option>
      )}
      {now && !options.includes(now) && <option value={now}>{now}</option>}
      {options.map((each) => (
        <option key={each} value={each}>
          {name(each)}
        </option>
      ))}
    </select>
  );
}
