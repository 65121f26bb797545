import { useEffect, useRef, useState } from "react";
import { mended } from "../code/diagnostics.js";
import { useAsked, useHere, useTry } from "../project/context.js";
import { spanOf } from "../text/places.js";
import type { Field, Fields, Finding, Json } from "../text/shapes.js";
import { useTogether } from "../together/context.js";
import { AlsoHere } from "../together/others.js";
import { plain, said, useLabel, useWords } from "../words/speaking.js";
import { telling } from "../words/telling.js";
import { FieldControl } from "./fieldcontrol.js";
import { IconButton } from "./itemscontrol.js";
import { NodeContext } from "./node.js";

/** Lists that the map itself shows; they are not edited again as fields. */
const DRAWN = new Set(["phases", "steps", "actions"]);

/** Every field of the node that is looked at, each with its control, its help and what is wrong with it. */
export function Panel({ close }: { close(): void }) {
  const { focus } = useHere();
  const asked = useAsked<Fields>("fields", focus && { file: focus.file, path: focus.path });
  const last = useRef<Fields | null>(null);
  if (asked.answer) last.current = asked.answer;
  const shown = asked.answer ?? (sameNode(last.current, focus) ? last.current : null);
  const t = useWords();
  if (!focus) return null;
  return (
    <aside className="panel" aria-label={t("panel.name")}>
      {shown ? (
        <Shown fields={shown} close={close} />
      ) : (
        <div className="panel-body">
          <p className="soft">{asked.failed ?? t("wait")}</p>
          <button type="button" className="second" onClick={close}>
            {t("act.close")}
          </button>
        </div>
      )}
    </aside>
  );
}

/** What a node is about comes first, then what is mostly filled in. */
const FIRST = [
  ...[
    "session",
    "phase",
    "topic",
    "skill",
    "awareness",
    "form",
    "question",
    "content",
    "prompt",
    "picture",
    "exercise",
  ],
  ...["skill", "var", "choices", "value", "expr", "exercise_steps", "goal", "output", "decide", "required"],
];

function byWeight(one: Field, other: Field): number {
  const weight = ({ key, required }: Field) => {
    const at = FIRST.indexOf(key);
    return at >= 0 ? at : FIRST.length + (required ? 0 : 1);
  };
  return weight(one) - weight(other);
}

function sameNode(fields: Fields | null, focus: { file: string; path: Fields["path"] } | null): boolean {
  return !!fields && !!focus && fields.file === focus.file && String(fields.path) === String(focus.path);
}

function Shown({ fields, close }: { fields: Fields; close(): void }) {
  const { opened, goTo, focus } = useHere();
  const { show, company } = useTogether();
  const t = useWords();
  const label = useLabel();
  const heading = useRef<HTMLHeadingElement>(null);
  const key = `${fields.file}:${String(fields.path)}`;
  const [more, setMore] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another node is shown
  useEffect(() => {
    if (!focus?.quiet) heading.current?.focus();
    setMore(false);
  }, [key]);

  const own = fields.fields.filter((field) => !DRAWN.has(field.key) && field.key !== "type").sort(byWeight);
  const loose = [
    ...fields.findings,
    ...fields.fields.filter(({ key }) => key === "type").flatMap((each) => each.findings),
  ];
  const isWrong = (field: Field) => field.findings.length > 0;
  const first = own.filter((field) => isWrong(field) || (field.key !== "id" && (!field.more || field.present)));
  const rest = own.filter((field) => !first.includes(field));
  const kind = fields.type ? label("types", fields.type) : label("kinds", fields.kind);
  return (
    <NodeContext value={fields}>
      <header className="panel-head">
        <div>
          <p className="soft">{fields.type ? t("panel.step") : kind}</p>
          <h2 ref={heading} tabIndex={-1}>
            {fields.type ? kind : fields.title || kind}
          </h2>
        </div>
        <IconButton label={t("act.close")} icon="close" act={close} />
      </header>
      <div className="panel-body" key={key}>
        <AlsoHere file={fields.file} path={fields.path} />
        {fields.about && <p className="soft">{plain(said(fields.about), label)}</p>}
        {loose.map((finding) => (
          <Told key={keyOf(finding)} finding={finding} />
        ))}
        {first.map((field) => (
          <Row key={field.key} fields={fields} field={field} />
        ))}
        {rest.length > 0 && (
          <button type="button" className="second" aria-expanded={more} onClick={() => setMore(!more)}>
            {more ? t("panel.fewer") : t("panel.more", { count: rest.length })}
          </button>
        )}
        {more && rest.map((field) => <Row key={field.key} fields={fields} field={field} />)}
        <button
          type="button"
          className="quiet"
          onClick={() => {
            const range = fields.fields.find((field) => field.range)?.range;
            const { doc } = opened.book.sheet(fields.file).state;
            goTo(fields.file, range ? spanOf(doc, range) : undefined);
          }}
        >
          {t("act.showText")}
        </button>
        {company.shared && (
          <button type="button" className="quiet" onClick={() => show(true, { file: fields.file, path: fields.path })}>
            {t("act.comment")}
          </button>
        )}
      </div>
    </NodeContext>
  );
}

function Row({ fields, field }: { fields: Fields; field: Field }) {
  const { opened } = useHere();
  const attempt = useTry();
  const t = useWords();
  const path = [...fields.path, field.key];
  const set = (value: Json) => {
    if (value === null && !field.present) return;
    void attempt(() => opened.operate(fields.file, { kind: "set", path, value }));
  };
  return (
    <FieldControl
      shape={field}
      kind={fields.kind}
      value={field.present ? field.value : undefined}
      path={path}
      text={field.text}
      disabled={opened.book.readOnly || field.raw}
      set={set}
      below={
        <>
          {field.raw && <small className="field-help">{t("panel.shared")}</small>}
          {field.findings.map((finding) => (
            <Told key={keyOf(finding)} finding={finding} />
          ))}
        </>
      }
    />
  );
}

/** What tells findings apart: two of a kind may stand at one place, and one of them may go. */
export function keyOf({ file, code, message, range: { start } }: Finding): string {
  return `${file} ${code} ${start.line}:${start.character} ${message}`;
}

/** What is wrong, and its mend. */
export function Told({ finding }: { finding: Finding }) {
  const { opened } = useHere();
  const t = useWords();
  const label = useLabel();
  const { mend } = finding;
  const { message, hint } = telling(finding, label, t);
  return (
    <div className={`told ${finding.severity}`}>
      <p>
        {message} {hint && <span className="soft">{hint}</span>}
      </p>
      {mend && !opened.book.readOnly && (
        <button type="button" className="second small" onClick={() => mended(opened, finding)}>
          {mend.title === finding.hint ? t("findings.mend") : mend.title}
        </button>
      )}
    </div>
  );
}
