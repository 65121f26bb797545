import { type Extension, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { EditorView, GutterMarker, gutter } from "@codemirror/view";

/** What stands beside a line: comments, who is there, or who wrote it. */
export interface Beside {
  /** From 1. */
  line: number;
  text: string;
  title: string;
  kind: "comments" | "conflicts" | "people" | "written";
}

class Mark extends GutterMarker {
  constructor(private readonly told: Beside) {
    super();
  }

  override eq(other: Mark): boolean {
    return this.told.text === other.told.text && this.told.kind === other.told.kind;
  }

  override toDOM(): Node {
    const element = document.createElement("span");
    element.className = `cm-beside ${this.told.kind}`;
    element.textContent = this.told.text;
    element.title = this.told.title;
    return element;
  }
}

/** Puts marks beside lines, in the place of those that were there. */
export const put = StateEffect.define<readonly Beside[]>();

const marks = StateField.define<RangeSet<Mark>>({
  create: () => RangeSet.empty,
  update(now, transaction) {
    let next = now.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(put)) continue;
      const { doc } = transaction.state;
      const ranges = effect.value
        .filter(({ line }) => line >= 1 && line <= doc.lines)
        .map((told) => new Mark(told).range(doc.line(told.line).from));
      next = RangeSet.of(ranges, true);
    }
    return next;
  },
});

/** The room beside the lines, which takes no place as long as there is nothing in it. */
export const beside: Extension = [
  marks,
  gutter({ class: "cm-besides", markers: (view) => view.state.field(marks) }),
  EditorView.theme({
    ".cm-beside": { fontFamily: "var(--sans)", fontSize: "0.75rem", padding: "0 0.35rem", whiteSpace: "nowrap" },
    ".cm-beside.comments": { background: "var(--help)", color: "var(--ink)", borderRadius: "0.6rem" },
    ".cm-beside.conflicts": { background: "var(--warned-soft)", color: "var(--warned)", borderRadius: "0.6rem" },
    ".cm-beside.people": { background: "var(--leaf)", color: "var(--leaf-ink)", borderRadius: "0.6rem" },
    ".cm-beside.written": { color: "var(--ink-soft)" },
  }),
];
