import { useState } from "react";
import { useHere, useTry } from "../project/context.js";
import type { FieldShape, Json, Path } from "../text/shapes.js";
import { Icon } from "../words/icon.js";
import { useLabel, useWords } from "../words/speaking.js";
import { FieldControl, type Given } from "./fieldcontrol.js";
import { freshItem } from "./freshitem.js";
import { useNode } from "./node.js";
import { YamlControl } from "./yamlcontrol.js";

type Mapping = { [key: string]: Json };

function isMapping(value: Json | undefined): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands for an item in a list of them: its name, else the first words in it. */
export function titleOf(item: Json): string {
  if (!isMapping(item)) return item === null ? "" : String(item);
  const named = ["label", "get", "set", "var", "name", "title", "to", "directive", "say", "message", "id"];
  for (const key of named) {
    const value = item[key];
    if (typeof value === "string" || typeof value === "number") return String(value);
  }
  const first = Object.values(item).find((value) => typeof value === "string" || typeof value === "number");
  return first === undefined ? "" : String(first);
}

/** Fields within a field: of one mapping, or of each item of a list, which can be added, moved and taken out. */
export function ItemsControl(given: Given) {
  const { shape, value, path, disabled } = given;
  if (!shape.item) return <YamlControl {...given} />;
  if (shape.control === "mapping") {
    if (value !== undefined && value !== null && !isMapping(value)) return <YamlControl {...given} />;
    return <Mapped fields={shape.item.fields} value={value ?? null} path={path} disabled={disabled} />;
  }
  if (value !== undefined && value !== null && !Array.isArray(value)) return <YamlControl {...given} />;
  return <Listed {...given} fields={shape.item.fields} items={Array.isArray(value) ? value : []} />;
}

/** What each directive needs to know. */
const OF_DIRECTIVE: Record<string, readonly string[]> = {
  INSERT_TOPIC: ["topic", "position"],
  SUSPEND_CURRENT: ["reason"],
  SKIP_TOPICS: ["topics"],
  REORDER_TOPICS: ["priority_map"],
  CALL_TECHNIQUE: ["technique", "params", "without_model"],
  SET_VAR: ["var", "value"],
  FEEDBACK: ["text"],
  ENABLE: ["awareness"],
  DISABLE: ["awareness"],
  ESCALATE: ["to", "note"],
  END_SESSION: [],
};
const ALL_OF_DIRECTIVES = new Set(Object.values(OF_DIRECTIVE).flat());
const FIRST = ["field", "if", "directive", "get", "set", "var", "name", "label", "value", "to", "define", "type"];

/** The fields that have a meaning beside what is there already, what names the item first. */
export function fittingOf(fields: readonly FieldShape[], value: Mapping | null): FieldShape[] {
  const here = value ?? {};
  const own = typeof here.directive === "string" ? OF_DIRECTIVE[here.directive] : undefined;
  const fits = ({ key }: FieldShape) => {
    if (key in here) return true;
    if (own && ALL_OF_DIRECTIVES.has(key)) return own.includes(key);
    if ("set" in here) return key === "value" || key === "if";
    return !("get" in here && key === "set");
  };
  const weight = ({ key }: FieldShape) => {
    const at = FIRST.indexOf(key);
    return at < 0 ? FIRST.length : at;
  };
  return fields.filter(fits).sort((one, other) => weight(one) - weight(other));
}

/** The fields of one mapping; what is not there yet begins with the first of them. */
export function Mapped(props: {
  fields: FieldShape[];
  value: Mapping | null;
  path: Path;
  disabled: boolean;
  /** In what it stands: the kind of script, or the list that it is an item of. */
  kind?: string;
}) {
  const { fields, value, path, disabled, kind } = props;
  const { opened } = useHere();
  const attempt = useTry();
  const { file } = useNode();
  const t = useWords();
  const [more, setMore] = useState(false);
  const set = (key: string, next: Json) => {
    const only = value && Object.keys(value).length === 1 && key in value && next === null;
    const operation =
      value && !only
        ? ({ kind: "set", path: [...path, key], value: next } as const)
        : ({ kind: "set", path, value: next === null ? null : { [key]: next } } as const);
    void attempt(() => opened.operate(file, operation));
  };
  const fitting = fittingOf(fields, value);
  const shown = fitting.filter((field) => !field.more || more || (value !== null && field.key in value));
  return (
    <div className="within">
      {shown.map((field) => (
        <FieldControl
          key={field.key}
          shape={field}
          {...(kind && { kind })}
          value={value?.[field.key]}
          path={[...path, field.key]}
          text=""
          disabled={disabled}
          set={(next) => set(field.key, next)}
        />
      ))}
      {shown.length < fitting.length && (
        <button type="button" className="quiet small" onClick={() => setMore(true)}>
          {t("panel.more", { count: fitting.length - shown.length })}
        </button>
      )}
    </div>
  );
}

function Listed({
  shape,
  name,
  path,
  disabled,
  fields,
  items,
  labelled,
}: Given & { fields: FieldShape[]; items: Json[] }) {
  const { opened } = useHere();
  const attempt = useTry();
  const node = useNode();
  const { file } = node;
  const t = useWords();
  const label = useLabel();
  const [open, setOpen] = useState<number | null>(null);
  const operate = (operation: Parameters<typeof opened.operate>[1]) => attempt(() => opened.operate(file, operation));
  const add = async () => {
    const questions = node.kind === "form" ? idsOf(node.fields.find(({ key }) => key === "fields")?.value) : [];
    const item = freshItem({ list: shape.key, fields, items, questions }, t("panel.fresh"));
    const done = await operate({ kind: "insert", path, index: items.length, item });
    if (done) setOpen(items.length);
  };
  return (
    <fieldset className="items" aria-labelledby={labelled["aria-labelledby"]}>
      {items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no names of their own
        <div className="item" key={at}>
          <div className="item-head">
            <button
              type="button"
              className="item-name"
              aria-expanded={open === at}
              onClick={() => setOpen(open === at ? null : at)}
            >
              {label("choices", titleOf(item)) || t("panel.item", { number: at + 1 })}
            </button>
            <span className="item-acts">
              <IconButton
                label={t("act.up")}
                icon="up"
                disabled={disabled || at === 0}
                act={() => operate({ kind: "move", path: [...path, at], to: path, index: at - 1 })}
              />
              <IconButton
                label={t("act.down")}
                icon="down"
                disabled={disabled || at === items.length - 1}
                act={() => operate({ kind: "move", path: [...path, at], to: path, index: at + 2 })}
              />
              <IconButton
                label={t("act.delete")}
                icon="close"
                disabled={disabled}
                act={() => operate({ kind: "delete", path: [...path, at] })}
              />
            </span>
          </div>
          {open === at &&
            (isMapping(item) ? (
              <Mapped fields={fields} value={item} path={[...path, at]} disabled={disabled} kind={shape.key} />
            ) : (
              <p className="soft">{t("panel.inText")}</p>
            ))}
        </div>
      ))}
      <button type="button" className="quiet small" disabled={disabled} onClick={() => void add()}>
        ＋ {t("panel.addItem", { what: name })}
      </button>
    </fieldset>
  );
}

function idsOf(questions: Json | undefined): string[] {
  return (Array.isArray(questions) ? questions : []).flatMap((each) => (isMapping(each) ? [String(each.id)] : []));
}

export function IconButton(props: { label: string; icon: string; disabled?: boolean; act(): unknown }) {
  return (
    <button
      type="button"
      className="icon"
      aria-label={props.label}
      title={props.label}
      disabled={props.disabled}
      onClick={() => void props.act()}
    >
      <Icon name={props.icon} />
    </button>
  );
}
