import { history, isolateHistory, redo, undo, undoDepth } from "@codemirror/commands";
import {
  ChangeSet,
  type ChangeSpec,
  EditorState,
  type Extension,
  type Text,
  Transaction,
  type TransactionSpec,
} from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

/** One file: its text as it is now, and what became of it since it was last told to the server. */
export interface Sheet {
  readonly path: string;
  state: EditorState;
  /** The text of the last saved version; null of a file that it does not have. */
  kept: Text | null;
  /** Counts every change of the text. */
  revision: number;
  view: EditorView | null;
  unsynced: ChangeSet;
}

export type Edits = ReadonlyMap<string, ChangeSpec>;

type Told = (path: string | null) => void;

/** Which files one step touched; undoing takes back all of it. */
interface Step {
  readonly paths: readonly string[];
}

const UNDOING = ["undo", "redo"] as const;

/**
 * The texts of a project. They are the only truth: both views read them, and whatever changes them is one step of one
 * list of things that can be undone, over all files.
 */
export class Book {
  readonly sheets = new Map<string, Sheet>();
  private readonly listeners = new Set<Told>();
  private done: Step[] = [];
  private undone: Step[] = [];
  /** Set while a step over several files is written. */
  private gathering: string[] | null = null;
  /** Counts changes of anything, for whoever draws it. */
  version = 0;

  /** `extensions`: what the editor of a file is made of, besides the history that the book keeps itself. */
  constructor(
    private readonly extensions: (path: string) => Extension = () => [],
    readonly readOnly = false,
  ) {}

  readonly subscribe = (listener: Told): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  get paths(): string[] {
    return [...this.sheets.keys()].sort();
  }

  has(path: string): boolean {
    return this.sheets.has(path);
  }

  sheet(path: string): Sheet {
    const found = this.sheets.get(path);
    if (!found) throw new Error(`no such file: ${path}`);
    return found;
  }

  text(path: string): string {
    return this.sheet(path).state.sliceDoc();
  }

  texts(): Record<string, string> {
    return Object.fromEntries(this.paths.map((path) => [path, this.text(path)]));
  }

  /** A file that is there, with `now` where its text has not been saved yet. */
  open(path: string, kept: string | null, now: string = kept ?? ""): Sheet {
    const state = this.stateOf(path, now);
    const sheet: Sheet = {
      path,
      state,
      kept: kept === null ? null : state.toText(kept),
      revision: 0,
      view: null,
      unsynced: ChangeSet.empty(state.doc.length),
    };
    this.sheets.set(path, sheet);
    this.tell(path);
    return sheet;
  }

  close(path: string): void {
    this.sheets.delete(path);
    const without = (steps: Step[]) => steps.filter((step) => !step.paths.includes(path));
    this.done = without(this.done);
    this.undone = without(this.undone);
    this.tell(path);
  }

  isChanged(path: string): boolean {
    const sheet = this.sheet(path);
    return sheet.kept === null || !sheet.state.doc.eq(sheet.kept);
  }

  get changed(): string[] {
    return this.paths.filter((path) => this.isChanged(path));
  }

  /** What is in the book now is what has been saved. */
  saved(texts: Record<string, string>): void {
    for (const [path, text] of Object.entries(texts)) {
      const sheet = this.sheets.get(path);
      if (sheet) sheet.kept = sheet.state.toText(text);
    }
    this.tell(null);
  }

  /** Changes of one or more files, as one step. */
  apply(edits: Edits, more: TransactionSpec = {}): void {
    const paths = [...edits.keys()];
    this.gathering = [];
    try {
      for (const path of paths) {
        const changes = edits.get(path);
        if (changes === undefined) continue;
        this.dispatch(path, { ...more, changes, annotations: isolateHistory.of("full") });
      }
      const touched = this.gathering;
      if (touched.length) this.step(touched);
    } finally {
      this.gathering = null;
    }
  }

  /** The whole text of a file anew, as one step; only what differs is touched. */
  rewrite(path: string, text: string): void {
    const doc = this.sheet(path).state.doc.toString();
    if (doc === text) return;
    this.apply(new Map([[path, difference(doc, text)]]));
  }

  dispatch(path: string, spec: TransactionSpec): void {
    const sheet = this.sheet(path);
    if (sheet.view) sheet.view.dispatch(spec);
    else this.took(path, [sheet.state.update(spec)]);
  }

  /** What an editor of a file has done to it. */
  took(path: string, transactions: readonly Transaction[]): void {
    const sheet = this.sheet(path);
    let changed = false;
    for (const transaction of transactions) {
      const before = undoDepth(sheet.state);
      sheet.state = transaction.state;
      if (!transaction.docChanged) continue;
      changed = true;
      sheet.revision += 1;
      sheet.unsynced = sheet.unsynced.compose(transaction.changes);
      if (UNDOING.some((event) => transaction.isUserEvent(event))) continue;
      if (this.gathering) this.gathering.push(path);
      else if (undoDepth(sheet.state) > before || this.undone.length) this.step([path]);
    }
    if (changed) this.tell(path);
  }

  /** An editor that shows a file from now on. */
  attach(path: string, view: EditorView): void {
    this.sheet(path).view = view;
  }

  detach(path: string, view: EditorView): void {
    const sheet = this.sheets.get(path);
    if (sheet?.view === view) sheet.view = null;
  }

  get canUndo(): boolean {
    return this.done.length > 0;
  }

  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  /** The files in which the last step was taken back. */
  undo(): readonly string[] {
    return this.back(this.done, this.undone, undo);
  }

  redo(): readonly string[] {
    return this.back(this.undone, this.done, redo);
  }

  private back(from: Step[], to: Step[], how: typeof undo): readonly string[] {
    const step = from.pop();
    if (!step) return [];
    to.push(step);
    for (const path of step.paths) {
      const sheet = this.sheet(path);
      how({ state: sheet.state, dispatch: (transaction) => this.forward(sheet, transaction) });
    }
    this.tell(null);
    return step.paths;
  }

  private forward(sheet: Sheet, transaction: Transaction): void {
    if (sheet.view) sheet.view.dispatch(transaction);
    else this.took(sheet.path, [transaction]);
  }

  private step(paths: readonly string[]): void {
    this.done.push({ paths });
    this.undone = [];
  }

  private stateOf(path: string, text: string): EditorState {
    // What is written in one file after something in another is a step of its own, however soon it comes.
    const apart = EditorState.transactionExtender.of((transaction) => {
      const last = this.done.at(-1);
      const other = last !== undefined && (last.paths.length > 1 || last.paths[0] !== path);
      return transaction.docChanged && other && !transaction.annotation(isolateHistory)
        ? { annotations: isolateHistory.of("before") }
        : null;
    });
    return EditorState.create({
      doc: text,
      extensions: [
        history({ minDepth: 5_000 }),
        apart,
        // Only this parts lines, so that a text with other line ends comes out as it went in, byte for byte.
        EditorState.lineSeparator.of("\n"),
        this.readOnly ? EditorState.readOnly.of(true) : [],
        this.extensions(path),
      ],
    });
  }

  private tell(path: string | null): void {
    this.version += 1;
    for (const listener of [...this.listeners]) listener(path);
  }
}

/** The least single change that makes one text of another. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } {
  let from = 0;
  const most = Math.min(before.length, after.length);
  while (from < most && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < most - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

/** A transaction that came from somewhere else and cannot be undone here. */
export const unrecorded = Transaction.addToHistory.of(false);
