import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { hoverTooltips, serverCompletion } from "@codemirror/lsp-client";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  crosshairCursor,
  Decoration,
  type DecorationSet,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Opened } from "../project/opened.js";
import { uriOf } from "../text/language.js";
import { beside } from "./beside.js";
import { commands } from "./commands.js";
import { phrases } from "./phrases.js";

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: "var(--ink)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: "var(--code-value)" },
  { tag: tags.comment, color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: "var(--ink-soft)" },
  { tag: [tags.labelName, tags.typeName, tags.meta], color: "var(--code-value)" },
]);

export const editorLook = EditorView.theme({
  "&": { backgroundColor: "var(--paper-raised)", color: "var(--ink)", blockSize: "100%", fontSize: "0.9375rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.65" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--chosen)",
  },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--ink-soft)", borderColor: "var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--leaf-soft) 45%, transparent)" },
  ".cm-tooltip": {
    backgroundColor: "var(--paper-raised)",
    color: "var(--ink)",
    border: "1px solid var(--edge)",
    borderRadius: "0.4rem",
    boxShadow: "var(--shadow)",
    maxInlineSize: "min(36rem, 90vw)",
  },
  ".cm-lsp-hover-tooltip": { padding: "0.4rem 0.7rem", fontFamily: "var(--sans)" },
  ".cm-tooltip-autocomplete > ul > li": { padding: "0.15rem 0.5rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--leaf)",
    color: "var(--leaf-ink)",
  },
  ".cm-completionDetail": { color: "inherit", opacity: "0.85", fontStyle: "normal" },
  ".cm-diagnostic": { fontFamily: "var(--sans)", whiteSpace: "pre-wrap" },
  ".cm-diagnosticAction": {
    background: "var(--leaf)",
    color: "var(--leaf-ink)",
    borderRadius: "0.35rem",
    padding: "0.25rem 0.7rem",
    font: "inherit",
    marginInlineStart: "0",
  },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panel input, .cm-panel button": { font: "inherit", fontFamily: "var(--sans)" },
  ".cm-button": { backgroundImage: "none", background: "var(--paper-raised)", border: "1px solid var(--edge)" },
  ".cm-textfield": { background: "var(--paper-raised)", border: "1px solid var(--edge)", color: "inherit" },
  ".cm-searchMatch": { backgroundColor: "var(--help)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--help-edge)" },
  ".cm-foldPlaceholder": { background: "var(--paper-sunk)", color: "var(--ink-soft)", border: "1px solid var(--line)" },
  ".cm-lit": { backgroundColor: "var(--lit)", borderRadius: "0.2em" },
  ".cm-matchingBracket": { backgroundColor: "var(--leaf-soft)", outline: "1px solid var(--edge)" },
});

/** Places that are lit: where a variable stands. */
export const light = StateEffect.define<readonly { from: number; to: number }[]>();

const lit = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(now, transaction) {
    let next = now.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(light)) continue;
      const builder = new RangeSetBuilder<Decoration>();
      for (const { from, to } of [...effect.value].sort((one, other) => one.from - other.from))
        if (to > from) builder.add(from, to, Decoration.mark({ class: "cm-lit" }));
      next = builder.finish();
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** What the editor of a file is made of. */
export function extensionsOf(opened: Opened, path: string, locale: string, label: string): Extension {
  return [
    /\.ya?ml$/.test(path) ? serviced(opened, path) : [],
    locale.startsWith("zh") ? EditorState.phrases.of(phrases) : [],
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
    indentUnit.of("  "),
    EditorState.tabSize.of(2),
    beside,
    lineNumbers(),
    foldGutter(),
    drawSelection(),
    dropCursor(),
    rectangularSelection(),
    crosshairCursor(),
    EditorState.allowMultipleSelections.of(true),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    syntaxHighlighting(colours),
    EditorView.lineWrapping,
    lintGutter(),
    lit,
    keymap.of([
      ...commands(opened, path),
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    editorLook,
  ];
}

/** What the language service does for a script. */
function serviced(opened: Opened, path: string): Extension {
  return [
    yaml(),
    opened.language.client.plugin(uriOf(path), "yaml"),
    serverCompletion({ validFor: /^[\p{L}\p{N}_./-]*$/u }),
    autocompletion({ icons: false }),
    hoverTooltips(),
  ];
}
