import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Extension, RangeSet, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAsked } from "../shell/asking.js";
import { ScriptMap } from "./map.js";
import type { Bench } from "./session.js";
import type { Breakpoint, Node, State } from "./shapes.js";

interface Marks {
  running: number;
  stack: readonly number[];
  points: ReadonlyMap<number, Breakpoint>;
}

const marked = StateEffect.define<Marks>();
const none: Marks = { running: 0, stack: [], points: new Map() };

class Point extends GutterMarker {
  constructor(readonly breakpoint: Breakpoint) {
    super();
  }
  override eq(other: GutterMarker): boolean {
    return (
      other instanceof Point &&
      other.breakpoint.id === this.breakpoint.id &&
      other.breakpoint.enabled === this.breakpoint.enabled
    );
  }
  override toDOM(): Node_ {
    const dot = document.createElement("span");
    dot.className = `debug-dot${this.breakpoint.enabled === false ? " off" : ""}${this.breakpoint.log ? " log" : ""}`;
    dot.textContent = "●";
    return dot;
  }
}
type Node_ = globalThis.Node;

const marks = StateField.define<Marks>({
  create: () => none,
  update: (value, transaction) => {
    for (const effect of transaction.effects) if (effect.is(marked)) return effect.value;
    return value;
  },
});

const lines: Extension = EditorView.decorations.compute([marks], (state): DecorationSet => {
  const { running, stack } = state.field(marks);
  const found = stack
    .filter((line) => line > 0 && line <= state.doc.lines)
    .map((line) =>
      Decoration.line({ class: line === running ? "debug-running" : "debug-calling" }).range(state.doc.line(line).from),
    );
  return Decoration.set(found, true);
});

/** The files of the script: the running action marked, breakpoints at its lines, and open to be changed. */
export function Script({ bench }: { bench: Bench }) {
  const { t } = useTranslation("debugger");
  const { state, texts, changed, change, points, act, does } = bench;
  const { found, again } = useAsked<{ nodes: Node[] }>(`/debug/sessions/${bench.id}/outline`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another outline
  useEffect(() => void again(), [state.text, again]);
  const top = state.stack.find((frame) => frame.at)?.at;
  const files = Object.keys(texts).sort();
  const [chosen, setChosen] = useState("");
  const [view, setView] = useState<"text" | "map">("text");
  const [wanted, setWanted] = useState(0);
  const shown = chosen && chosen in texts ? chosen : top && top.file in texts ? top.file : (files[0] ?? "");
  const followed = top && top.file in texts ? `${top.file}:${top.line}` : "";
  useEffect(() => {
    if (!followed) return;
    setChosen(followed.slice(0, followed.lastIndexOf(":")));
    setWanted(0);
  }, [followed]);
  const home = state.script.split("/")[0];
  const nodes = (found?.nodes ?? []).filter((node) => node.at.project === home);

  const toggle = (line: number) => {
    const node = actionAt(nodes, shown, line);
    if (!node) return;
    const known = state.breakpoints.find(
      (each) => each.on === "line" && lineOf(state, each) === node.at.line && each.file === shown,
    );
    const left = state.breakpoints.filter((each) => each !== known);
    const made = {
      id: `line-${shown.length}-${node.at.line}`,
      on: "line",
      file: shown,
      line: node.at.line,
    } as Breakpoint;
    points(known ? left : [...left, made]);
  };
  const toHere = (line: number) => void does(() => act("to-here", { file: shown, line }));

  return (
    <>
      <div className="debug-files">
        <label>
          <span className="hidden">{t("file")}</span>
          <select value={shown} onChange={(event) => setChosen(event.target.value)}>
            {files.map((file) => (
              <option key={file} value={file}>
                {file}
                {file in changed ? " *" : ""}
              </option>
            ))}
          </select>
        </label>
        <fieldset className="debug-views">
          <legend className="hidden">{t("views")}</legend>
          {(["text", "map"] as const).map((each) => (
            <button
              key={each}
              type="button"
              className="quiet"
              aria-pressed={view === each}
              onClick={() => setView(each)}
            >
              {t(each)}
            </button>
          ))}
        </fieldset>
        {view === "text" && <span className="soft">{t("scriptKeys")}</span>}
      </div>
      {view === "map" && (
        <ScriptMap
          nodes={nodes}
          state={state}
          onGo={(node) => {
            setChosen(node.at.file);
            setWanted(node.at.line);
            setView("text");
          }}
        />
      )}
      {shown && view === "text" && (
        <Editor
          key={`${shown}`}
          file={shown}
          text={changed[shown] ?? texts[shown] ?? ""}
          saved={texts[shown] ?? ""}
          state={state}
          label={t("scriptOf", { file: shown })}
          wanted={wanted}
          onChange={(text) => change(shown, text)}
          onToggle={toggle}
          onHere={toHere}
        />
      )}
      {top && !(top.file in texts) && (
        <p className="soft">{t("elsewhere", { file: `${top.project}/${top.file}`, line: top.line })}</p>
      )}
    </>
  );
}

function actionAt(nodes: readonly Node[], file: string, line: number): Node | undefined {
  const own = nodes.filter((node) => node.kind === "action" && node.at.file === file);
  return own.find((node) => node.at.line <= line && line <= node.at.last) ?? own.find((node) => node.at.line >= line);
}

function lineOf(state: State, point: Breakpoint): number {
  return state.placed.find((each) => each.id === point.id)?.line || point.line || 0;
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--leaf)" },
  { tag: tags.comment, color: "var(--ink-soft)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": { background: "var(--paper-raised)", color: "var(--ink)", fontSize: "0.9375rem" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { background: "var(--paper-sunk)", color: "var(--ink-soft)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "transparent" },
  ".debug-running": { background: "var(--leaf-soft)", boxShadow: "inset 3px 0 var(--leaf)" },
  ".debug-calling": { boxShadow: "inset 3px 0 var(--edge)" },
  ".debug-gutter": { inlineSize: "1.2rem", cursor: "pointer" },
  ".debug-dot": { color: "var(--help-ink)" },
  ".debug-dot.off": { opacity: "0.4" },
  ".debug-dot.log": { color: "var(--leaf)" },
});

interface Editing {
  file: string;
  text: string;
  saved: string;
  state: State;
  label: string;
  /** A line to show; 0: what runs. */
  wanted: number;
  onChange(text: string): void;
  onToggle(line: number): void;
  onHere(line: number): void;
}

function Editor({ file, text, saved, state, label, wanted, onChange, onToggle, onHere }: Editing) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const acts = useRef({ onChange, onToggle, onHere });
  acts.current = { onChange, onToggle, onHere };
  const first = useRef(text);

  useEffect(() => {
    if (!place.current) return;
    const at = (act: (line: number) => void) => (editor: EditorView) => {
      act(editor.state.doc.lineAt(editor.state.selection.main.head).number);
      return true;
    };
    // In a root of its own: the page's policy forbids the style element that it would put into the document.
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: "open", delegatesFocus: true });
    const made = new EditorView({
      doc: first.current,
      parent: root,
      root,
      extensions: [
        gutter({
          class: "debug-gutter",
          markers: (editor) =>
            RangeSet.of(
              [...editor.state.field(marks).points]
                .filter(([line]) => line > 0 && line <= editor.state.doc.lines)
                .sort(([a], [b]) => a - b)
                .map(([line, point]) => new Point(point).range(editor.state.doc.line(line).from)),
            ),
          initialSpacer: () => new Point({ id: "", on: "line" } as Breakpoint),
          domEventHandlers: {
            mousedown: (editor, block) => {
              acts.current.onToggle(editor.state.doc.lineAt(block.from).number);
              return true;
            },
          },
        }),
        keymap.of([
          { key: "F9", run: at((line) => acts.current.onToggle(line)) },
          { key: "Ctrl-F10", run: at((line) => acts.current.onHere(line)) },
        ]),
        lineNumbers(),
        basicSetup,
        yaml(),
        marks,
        lines,
        look,
        syntaxHighlighting(colours),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((each) => each.isUserEvent("set")))
            acts.current.onChange(update.state.doc.toString());
        }),
      ],
    });
    view.current = made;
    return () => made.destroy();
  }, [label]);

  // The session's text has become another one, or what was changed here was let go.
  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== text)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text }, userEvent: "set" });
  }, [text]);

  const points = useMemo(
    () =>
      new Map(
        state.breakpoints
          .filter((each) => each.on === "line" && each.file === file)
          .map((each) => [lineOf(state, each), each]),
      ),
    [state, file],
  );
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const here = state.stack.flatMap((frame) => (frame.at && frame.at.file === file ? [frame.at.line] : []));
    const running = here[0] ?? 0;
    editor.dispatch({ effects: marked.of({ running, stack: here, points }) });
    const line = wanted || (text === saved ? running : 0);
    if (line && line <= editor.state.doc.lines)
      editor.dispatch({ effects: EditorView.scrollIntoView(editor.state.doc.line(line).from, { y: "center" }) });
  }, [state, points, file, text, saved, wanted]);

  return <div ref={place} className="debug-editor" />;
}
