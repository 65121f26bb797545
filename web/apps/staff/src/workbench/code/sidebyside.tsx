import { yaml } from "@codemirror/lang-yaml";
import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { locale } from "../../shell/language.js";
import { editorLook } from "./extensions.js";
import { phrases } from "./phrases.js";

/** Two texts side by side, with what differs between them; what is the same for long is folded. */
export function SideBySide(props: { before: string; after: string; names: readonly [string, string] }) {
  const { before, after, names } = props;
  const host = useRef<HTMLDivElement>(null);
  const [left, right] = names;
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const side = (doc: string, name: string) => ({
      doc,
      extensions: [
        yaml(),
        lineNumbers(),
        EditorView.lineWrapping,
        EditorState.readOnly.of(true),
        EditorState.lineSeparator.of("\n"),
        EditorView.contentAttributes.of({ "aria-label": name, tabindex: "0" }),
        locale() === "en" ? [] : EditorState.phrases.of(phrases),
        editorLook,
        differences,
      ],
    });
    const made = new MergeView({
      parent: root,
      root,
      a: side(before, left),
      b: side(after, right),
      collapseUnchanged: { margin: 3, minSize: 6 },
      gutter: true,
    });
    return () => made.destroy();
  }, [before, after, left, right]);
  return (
    <div className="beside">
      <div className="beside-names" aria-hidden="true">
        <span>{left}</span>
        <span>{right}</span>
      </div>
      <div ref={host} className="beside-texts" />
    </div>
  );
}

const differences = EditorView.theme({
  "&": { blockSize: "auto" },
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": {
    backgroundColor: "color-mix(in srgb, var(--help) 55%, transparent)",
  },
  "&.cm-merge-b .cm-changedLine": { backgroundColor: "color-mix(in srgb, var(--leaf-soft) 80%, transparent)" },
  "&.cm-merge-a .cm-changedText": { background: "var(--help)", textDecoration: "none" },
  "&.cm-merge-b .cm-changedText": { background: "color-mix(in srgb, var(--leaf) 30%, transparent)" },
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: "'…'", margin: "0 0.5em" },
  ".cm-collapsedLines": { background: "var(--paper-sunk)", color: "var(--ink-soft)" },
});
