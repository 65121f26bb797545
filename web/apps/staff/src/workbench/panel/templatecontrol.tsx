import { autocompletion, type CompletionContext, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap } from "@codemirror/commands";
import { Compartment, EditorState } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  keymap,
  MatchDecorator,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { useEffect, useRef } from "react";
import { useNames } from "../project/names.js";
import { difference } from "../text/book.js";
import { useWords } from "../words/speaking.js";
import type { Given } from "./fieldcontrol.js";
import { usePausing } from "./pausing.js";

const chip = new MatchDecorator({
  regexp: /\$?\{\{?\s*[^{}\s%|]+\s*\}?\}/gu,
  decoration: () => Decoration.mark({ class: "cm-chip" }),
});

const chips = ViewPlugin.define(
  (view) => ({
    marks: chip.createDeco(view),
    update(update: ViewUpdate) {
      this.marks = chip.updateDeco(update, this.marks);
    },
  }),
  { decorations: (plugin) => plugin.marks },
);

const look = EditorView.theme({
  "&": {
    backgroundColor: "var(--paper-raised)",
    color: "var(--ink)",
    border: "1px solid var(--edge)",
    borderRadius: "0.5rem",
    minBlockSize: "4.4rem",
    maxBlockSize: "20rem",
  },
  "&.cm-focused": { outline: "2px solid var(--leaf)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.4rem 0" },
  ".cm-line": { padding: "0 0.7rem" },
  ".cm-chip": {
    backgroundColor: "var(--leaf-soft)",
    color: "var(--leaf)",
    borderRadius: "0.6em",
    padding: "0.05em 0.35em",
  },
  ".cm-tooltip": { backgroundColor: "var(--paper-raised)", color: "var(--ink)", border: "1px solid var(--edge)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--leaf)",
    color: "var(--leaf-ink)",
  },
  ".cm-placeholder": { color: "var(--ink-soft)" },
});

/** Prose in which `{variable}` is drawn as a chip; `{` offers the variables that there are, and so does the list below. */
export function TemplateControl({ value, disabled, set, labelled, shape }: Given) {
  const t = useWords();
  const names = useNames("variable");
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const known = useRef(names);
  known.current = names;
  const shown = value === undefined || value === null ? "" : String(value);
  const { typed, type, now } = usePausing(shown, (next) => set(next || null));
  const acts = useRef({ type, now });
  acts.current = { type, now };
  const editable = useRef(new Compartment());

  // biome-ignore lint/correctness/useExhaustiveDependencies: made once; what changes comes in below
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open", delegatesFocus: true });
    const names = document.getElementById(labelled["aria-labelledby"])?.textContent ?? "";
    const help = labelled["aria-describedby"] && document.getElementById(labelled["aria-describedby"])?.textContent;
    const made = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: typed,
        extensions: [
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            "aria-label": names,
            tabindex: "0",
            ...(help && { "aria-description": help }),
          }),
          editable.current.of([]),
          placeholder(typeof shape.default === "string" ? shape.default : ""),
          keymap.of([...completionKeymap, ...defaultKeymap]),
          autocompletion({ icons: false, override: [(context) => offered(context, known.current)] }),
          chips,
          look,
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((each) => each.isUserEvent("from.text")))
              acts.current.type(update.state.doc.toString());
            if (update.focusChanged && !update.view.hasFocus) acts.current.now();
          }),
        ],
      }),
    });
    view.current = made;
    return () => {
      made.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    const made = view.current;
    if (!made || made.state.doc.toString() === typed) return;
    made.dispatch({ changes: difference(made.state.doc.toString(), typed), userEvent: "from.text" });
  }, [typed]);
  useEffect(() => {
    const locked = disabled
      ? [EditorState.readOnly.of(true), EditorView.contentAttributes.of({ "aria-readonly": "true" })]
      : [];
    view.current?.dispatch({ effects: editable.current.reconfigure(locked) });
  }, [disabled]);

  const insert = (name: string) => {
    const made = view.current;
    if (!made || !name) return;
    made.dispatch(made.state.replaceSelection(`{${name}}`));
    made.focus();
  };
  return (
    <div className="template">
      <div ref={host} id={labelled.id} className="template-text" />
      <select
        className="insert-variable"
        aria-label={t("panel.insertVariable")}
        value=""
        disabled={disabled || !names.length}
        onChange={(event) => insert(event.target.value)}
      >
        <option value="">{t("panel.insertVariable")}</option>
        {names.map((each) => (
          <option key={each.name} value={each.name}>
            {each.label === each.name ? each.name : `${each.name} — ${each.label.slice(0, 24)}`}
          </option>
        ))}
      </select>
    </div>
  );
}

function offered(context: CompletionContext, names: readonly { name: string; label: string }[]) {
  const before = context.matchBefore(/\{[^{}\s%|]*/u);
  if (!before) return null;
  const closed = context.state.sliceDoc(context.pos, context.pos + 1) === "}";
  return {
    from: before.from + 1,
    options: names.map((each) => ({
      label: each.name,
      detail: each.label === each.name ? undefined : each.label.slice(0, 24),
      apply: closed ? each.name : `${each.name}}`,
    })),
    validFor: /^[^{}\s%|]*$/u,
  };
}
