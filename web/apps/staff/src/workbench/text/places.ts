import type { ChangeSpec, Text } from "@codemirror/state";
import type { Edit, Position, Range, TextEdit } from "./shapes.js";

/** The offset of a place in a text; what is beyond its end is its end. */
export function offsetOf(doc: Text, position: Position): number {
  if (position.line >= doc.lines) return doc.length;
  const line = doc.line(position.line + 1);
  return Math.min(line.from + position.character, line.to);
}

export function placeOf(doc: Text, offset: number): Position {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

export function spanOf(doc: Text, range: Range): { from: number; to: number } {
  const from = offsetOf(doc, range.start);
  return { from, to: Math.max(from, offsetOf(doc, range.end)) };
}

export function changesOf(doc: Text, edits: readonly TextEdit[]): ChangeSpec {
  return edits.map((edit) => ({ ...spanOf(doc, edit.range), insert: edit.newText }));
}

/** An edit of the protocol has addresses of documents, ours has paths. */
export function byPath(edit: { changes?: Record<string, TextEdit[]> }, pathOf: (uri: string) => string): Edit {
  return { changes: Object.fromEntries(Object.entries(edit.changes ?? {}).map(([uri, own]) => [pathOf(uri), own])) };
}

export function sameRange(one: Range, other: Range): boolean {
  return (
    one.start.line === other.start.line &&
    one.start.character === other.start.character &&
    one.end.line === other.end.line &&
    one.end.character === other.end.character
  );
}
