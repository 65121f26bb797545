import { useEffect, useId, useState } from "react";
import { useHere, useTry } from "../project/context.js";
import { useNames } from "../project/names.js";
import { spanOf } from "../text/places.js";
import type { Condition, FieldShape, Json, Path, ReadCondition } from "../text/shapes.js";
import { said, useLabel, useWords } from "../words/speaking.js";
import { needsValue, OPERATORS, type Row, type Rows, readValue, rowsOf, treeOf, typedOf } from "./condition.js";
import type { Given } from "./fieldcontrol.js";
import { useNode } from "./node.js";
import { usePausing } from "./pausing.js";
import { linesOf } from "./textcontrol.js";

interface Judged {
  judge: string;
  [more: string]: Json;
}

function judgedOf(value: Json | undefined): Judged | null {
  return value && typeof value === "object" && !Array.isArray(value) && typeof value.judge === "string"
    ? (value as Judged)
    : null;
}

/** When something is done: rows to fill in, a question for the model, or the condition as text. */
export function ConditionControl(given: Given) {
  const { shape, value, path, disabled, set, labelled } = given;
  const { opened } = useHere();
  const t = useWords();
  const [read, setRead] = useState<ReadCondition | null>(null);
  const [chosen, choose] = useState<"rows" | "text" | "judge" | null>(null);
  const judged = judgedOf(value);
  const asText = value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

  useEffect(() => {
    if (judged) return;
    if (!asText) return setRead({ tree: null, text: "", error: null });
    let over = false;
    const plain = typeof value === "string" || typeof value === "boolean" || typeof value === "number";
    opened.language
      .ask<ReadCondition>("condition", plain ? { text: String(value) } : { condition: value })
      .then((answer) => !over && setRead(answer))
      .catch(() => !over && setRead(null));
    return () => {
      over = true;
    };
  }, [asText, opened, judged, value]);

  const rows = read && !read.error ? rowsOf(read.tree) : null;
  const way = chosen ?? (judged ? "judge" : rows ? "rows" : "text");
  const write = async (tree: Condition | null) => {
    if (!tree) return set(null);
    const answer = await opened.language.ask<ReadCondition>("condition", { condition: tree });
    if (answer.text) set(answer.text);
  };

  return (
    <div className="condition">
      <select
        {...labelled}
        value={way}
        disabled={disabled}
        onChange={(event) => choose(event.target.value as "rows" | "text" | "judge")}
      >
        <option value="rows" disabled={!rows && !!asText && !judged}>
          {t("condition.rows")}
        </option>
        <option value="judge">{t("condition.judge")}</option>
        <option value="text">{t("condition.text")}</option>
      </select>
      {way === "rows" && <RowsOf rows={rows ?? { joined: "all", rows: [] }} disabled={disabled} write={write} />}
      {way === "text" && (
        <ConditionText text={asText} disabled={disabled} set={set} error={read?.error ? said(read.error) : ""} />
      )}
      {way === "judge" && <JudgeOf value={judged} words={shape.words} path={path} disabled={disabled} set={set} />}
    </div>
  );
}

function RowsOf({ rows, disabled, write }: { rows: Rows; disabled: boolean; write(tree: Condition | null): unknown }) {
  const t = useWords();
  const [draft, setDraft] = useState<Rows>(rows);
  const key = JSON.stringify(rows);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are read anew whenever they say something else
  useEffect(
    () => setDraft((before) => (JSON.stringify(treeOf(before)) === JSON.stringify(treeOf(rows)) ? before : rows)),
    [key],
  );
  const change = (next: Rows) => {
    setDraft(next);
    if (next.rows.every((row) => row.var && (!needsValue(row.op) || typedOf(row.value) !== "")))
      void write(treeOf(next));
  };
  const changeRow = (at: number, row: Partial<Row>) =>
    change({ ...draft, rows: draft.rows.map((each, number) => (number === at ? { ...each, ...row } : each)) });
  return (
    <div className="condition-rows">
      {draft.rows.length > 1 && (
        <select
          aria-label={t("condition.joined")}
          value={draft.joined}
          disabled={disabled}
          onChange={(event) => change({ ...draft, joined: event.target.value as "all" | "any" })}
        >
          <option value="all">{t("condition.all")}</option>
          <option value="any">{t("condition.any")}</option>
        </select>
      )}
      {draft.rows.map((row, at) => (
        <ConditionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names
          key={at}
          row={row}
          disabled={disabled}
          change={(next) => changeRow(at, next)}
          remove={() => change({ ...draft, rows: draft.rows.filter((_, number) => number !== at) })}
        />
      ))}
      <button
        type="button"
        className="quiet small"
        disabled={disabled}
        onClick={() => setDraft({ ...draft, rows: [...draft.rows, { var: "", op: "==", value: null }] })}
      >
        ＋ {t("condition.add")}
      </button>
    </div>
  );
}

function ConditionRow(props: { row: Row; disabled: boolean; change(row: Partial<Row>): void; remove(): void }) {
  const { row, disabled, change, remove } = props;
  const t = useWords();
  const list = useId();
  const names = useNames("variable");
  const variable = usePausing(row.var, (next) => change({ var: next.trim() }));
  const value = usePausing(typedOf(row.value), (next) => change({ value: readValue(next, row.op) }));
  return (
    <div className="condition-row">
      <input
        aria-label={t("condition.variable")}
        list={list}
        placeholder={t("condition.variable")}
        value={variable.typed}
        disabled={disabled}
        autoComplete="off"
        onBlur={variable.now}
        onChange={(event) => variable.type(event.target.value)}
      />
      <datalist id={list}>
        {names.map((each) => (
          <option key={each.name} value={each.name}>
            {each.label}
          </option>
        ))}
      </datalist>
      <select
        aria-label={t("condition.comparison")}
        value={row.op}
        disabled={disabled}
        onChange={(event) => change({ op: event.target.value as Row["op"] })}
      >
        {OPERATORS.map((op) => (
          <option key={op} value={op}>
            {t(`condition.operators.${op}`)}
          </option>
        ))}
      </select>
      {needsValue(row.op) && (
        <input
          aria-label={t("condition.value")}
          placeholder={t("condition.value")}
          value={value.typed}
          disabled={disabled}
          onBlur={value.now}
          onChange={(event) => value.type(event.target.value)}
        />
      )}
      <button
        type="button"
        className="quiet small"
        disabled={disabled}
        aria-label={t("condition.remove")}
        onClick={remove}
      >
        ×
      </button>
    </div>
  );
}

function ConditionText(props: { text: string; disabled: boolean; set(value: Json): void; error: string }) {
  const t = useWords();
  const { typed, type, now } = usePausing(props.text, (next) => props.set(next.trim() || null));
  return (
    <>
      <textarea
        aria-label={t("condition.text")}
        className="as-text"
        value={typed}
        rows={linesOf(typed)}
        disabled={props.disabled}
        spellCheck={false}
        placeholder={t("condition.example")}
        onBlur={now}
        onChange={(event) => type(event.target.value)}
      />
      {props.error && <small className="field-problem">{props.error}</small>}
    </>
  );
}

function JudgeOf(props: {
  value: Judged | null;
  words: FieldShape["words"];
  path: Path;
  disabled: boolean;
  set(value: Json): void;
}) {
  const { value, words, path, disabled, set } = props;
  const { opened } = useHere();
  const { file } = useNode();
  const attempt = useTry();
  const t = useWords();
  const label = useLabel();
  /** Only what is changed is touched: rules and notes beside it stay as they are written. */
  const write = (key: string, next: Json) =>
    value
      ? void attempt(() => opened.operate(file, { kind: "set", path: [...path, key], value: next }))
      : set(next === null ? null : { [key]: next });
  const { typed, type, now } = usePausing(value?.judge ?? "", (next) => write("judge", next.trim() || null));
  const examples =
    value?.examples && typeof value.examples === "object" && !Array.isArray(value.examples) ? value.examples : null;
  return (
    <>
      <textarea
        aria-label={t("condition.judge")}
        value={typed}
        rows={linesOf(typed)}
        disabled={disabled}
        placeholder={t("condition.judgeExample")}
        onBlur={now}
        onChange={(event) => type(event.target.value)}
      />
      {(["hit", "miss"] as const).map(
        (kind) =>
          examples && (
            <ExampleLines
              key={kind}
              name={label("fields", kind)}
              lines={examples[kind]}
              disabled={disabled}
              set={(lines) =>
                void attempt(() =>
                  opened.operate(file, { kind: "set", path: [...path, "examples", kind], value: lines }),
                )
              }
            />
          ),
      )}
      {value && words && <WordsOf words={words} path={path} disabled={disabled} />}
    </>
  );
}

/** What counts without a model: words, one a line; rules that are more than words are shown, with the way to the text. */
function WordsOf({
  words,
  path,
  disabled,
}: {
  words: NonNullable<FieldShape["words"]>;
  path: Path;
  disabled: boolean;
}) {
  const { opened, goTo } = useHere();
  const { file, fields } = useNode();
  const attempt = useTry();
  const t = useWords();
  if (words.plain)
    return (
      <>
        <ExampleLines
          name={t("condition.words")}
          lines={words.plain}
          disabled={disabled}
          set={(lines) =>
            void attempt(() =>
              opened.operate(file, { kind: "words", path, words: Array.isArray(lines) ? lines.map(String) : [] }),
            )
          }
        />
        <small className="field-help">{t("condition.wordsHelp")}</small>
      </>
    );
  const range = fields.find(({ key }) => key === path.at(-1))?.range;
  return (
    <div className="lines-of">
      <span>{t("condition.patterns")}</span>
      <ul className="patterns">
        {words.patterns.map((pattern) => (
          <li key={pattern}>
            <code>{pattern}</code>
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="quiet small"
        onClick={() => goTo(file, range ? spanOf(opened.book.sheet(file).state.doc, range) : undefined)}
      >
        {t("condition.rulesToo")}
      </button>
    </div>
  );
}

function ExampleLines(props: { name: string; lines: Json | undefined; disabled: boolean; set(lines: Json): void }) {
  const shown = Array.isArray(props.lines) ? props.lines.map(String).join("\n") : "";
  const { typed, type, now } = usePausing(shown, (next) => {
    const lines = next.split("\n").filter((line) => line.trim());
    props.set(lines.length ? lines : null);
  });
  return (
    <label className="lines-of">
      <span>{props.name}</span>
      <textarea
        value={typed}
        rows={linesOf(typed)}
        disabled={props.disabled}
        onBlur={now}
        onChange={(event) => type(event.target.value)}
      />
    </label>
  );
}
