import type { Command, EditorView, KeyBinding } from "@codemirror/view";
import type { Opened } from "../project/opened.js";
import { pathOf, uriOf } from "../text/language.js";
import { placeOf } from "../text/places.js";
import type { Range, TextEdit } from "../text/shapes.js";

interface Location {
  uri: string;
  range: Range;
}

export interface Place {
  file: string;
  range: Range;
}

/** What the text view asks its surroundings for. */
export interface Asking {
  /** A new name for what is there; null: it stays. */
  name(old: string): Promise<string | null>;
  goTo(place: Place): void;
  list(name: string, places: Place[]): void;
  say(text: string, problem?: boolean): void;
  undo(): void;
  redo(): void;
  save(): void;
  /** Says something beside what stands there. */
  comment(file: string, line: number): void;
}

let asking: Asking | null = null;

/** Whoever shows the editor answers what its commands ask. */
export function answer(by: Asking | null): void {
  asking = by;
}

function at(view: EditorView, path: string) {
  return { textDocument: { uri: uriOf(path) }, position: placeOf(view.state.doc, view.state.selection.main.head) };
}

async function told(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof Error && error.message) asking?.say(error.message, true);
  }
}

export async function rename(opened: Opened, path: string, view: EditorView): Promise<void> {
  await told(async () => {
    const found = await opened.language.request<{ placeholder: string } | null>(
      "textDocument/prepareRename",
      at(view, path),
    );
    const name = found && (await asking?.name(found.placeholder));
    if (!name || name === found.placeholder) return;
    await opened.edited("textDocument/rename", { ...at(view, path), newName: name });
  });
}

export async function define(opened: Opened, path: string, view: EditorView): Promise<void> {
  await told(async () => {
    const found = await opened.language.request<Location[] | null>("textDocument/definition", at(view, path));
    const [first] = found ?? [];
    if (first) asking?.goTo({ file: pathOf(first.uri), range: first.range });
  });
}

export async function refer(opened: Opened, path: string, view: EditorView): Promise<void> {
  await told(async () => {
    const asked = { ...at(view, path), context: { includeDeclaration: true } };
    const found = await opened.language.request<Location[] | null>("textDocument/references", asked);
    const word = view.state.wordAt(view.state.selection.main.head);
    const name = word ? view.state.sliceDoc(word.from, word.to) : "";
    asking?.list(
      name,
      (found ?? []).map(({ uri, range }) => ({ file: pathOf(uri), range })),
    );
  });
}

export async function format(opened: Opened, path: string): Promise<void> {
  await told(async () => {
    const asked = { textDocument: { uri: uriOf(path) }, options: { tabSize: 2, insertSpaces: true } };
    const edits = await opened.language.request<TextEdit[] | null>("textDocument/formatting", asked);
    if (edits?.length) opened.apply({ changes: { [path]: edits } });
  });
}

/** The keys of an editor, besides those that every editor has. */
export function commands(opened: Opened, path: string): KeyBinding[] {
  const run =
    (act: (view: EditorView) => unknown): Command =>
    (view) => {
      void act(view);
      return true;
    };
  return [
    { key: "Mod-z", run: run(() => asking?.undo()), preventDefault: true },
    { key: "Mod-y", mac: "Mod-Shift-z", run: run(() => asking?.redo()), preventDefault: true },
    { key: "Mod-Shift-z", run: run(() => asking?.redo()), preventDefault: true },
    { key: "Mod-s", run: run(() => asking?.save()), preventDefault: true },
    {
      key: "Mod-Alt-m",
      run: run((view) => asking?.comment(path, view.state.doc.lineAt(view.state.selection.main.head).number - 1)),
      preventDefault: true,
    },
    { key: "F2", run: run((view) => rename(opened, path, view)) },
    { key: "F12", run: run((view) => define(opened, path, view)) },
    { key: "Shift-F12", run: run((view) => refer(opened, path, view)) },
    { key: "Shift-Alt-f", run: run(() => format(opened, path)) },
  ];
}
