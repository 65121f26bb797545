import type { ChangeSpec, Extension } from "@codemirror/state";
import { Book } from "../text/book.js";
import { browserShelf, Drafts } from "../text/drafts.js";
import { Declined, Language, pathOf } from "../text/language.js";
import { byPath, changesOf } from "../text/places.js";
import type { Draft, Edit, FlowMap, Operated, Operation, Path, Project, TextEdit } from "../text/shapes.js";
import { openTabs, ownTab } from "../text/tab.js";
import { TeamServer } from "../together/server.js";
import type { Merged } from "../together/shapes.js";
import { languageOf, ProjectServer } from "./server.js";

/** A project as it is open in this tab: its texts, and everything that is asked about them. */
export class Opened {
  readonly server: ProjectServer;
  readonly team: TeamServer;
  /** The version that the texts were read from. */
  base: number;
  /** Told of each operation that was done, so that who looks at a place goes on looking at the same. */
  operated: (file: string, operation: Operation) => void = () => {};
  /** Operations one after the other: each is about the text that the one before has left. */
  private queue: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly project: Project,
    readonly book: Book,
    readonly language: Language,
    readonly drafts: Drafts,
    version: number,
    /** What was left unsaved and is in the texts again. */
    readonly restored: Draft | null,
    /** What was left unsaved in other tabs that are gone. */
    readonly left: Draft[],
    private readonly release: () => void,
  ) {
    this.server = new ProjectServer(project.id);
    this.team = new TeamServer(project.id);
    this.base = version;
  }

  static async open(project: Project, locale: string, extensions: (opened: Opened, path: string) => Extension) {
    const server = new ProjectServer(project.id);
    const [{ version, texts }, { tab, release }] = await Promise.all([server.texts(), ownTab(project.id)]);
    let opened: Opened | null = null;
    const here = () => {
      if (!opened) throw new Error("not open yet");
      return opened;
    };
    const book = new Book((path) => extensions(here(), path), !project.writable);
    const base = () => here().base;
    const drafts = new Drafts(project.id, tab, book, base, browserShelf, server.drafts);
    const language = new Language(languageOf(project.id, locale), book);
    const { mine, others } = project.writable ? await leftOver(drafts, project.id, tab) : { mine: null, others: [] };
    opened = new Opened(project, book, language, drafts, mine?.base ?? version, mine, others, release);
    for (const [path, text] of Object.entries(texts)) {
      const now = mine?.texts[path];
      book.open(path, text, typeof now === "string" ? now : text);
    }
    for (const [path, text] of Object.entries(mine?.texts ?? {}))
      if (typeof text === "string" && !book.has(path)) book.open(path, null, text);
    if (mine && mine.tab !== tab) void drafts.now().then(() => drafts.drop(mine.tab));
    else if (project.writable) void drafts.now();
    return opened;
  }

  close(): void {
    this.drafts.close();
    this.language.close();
    this.release();
  }

  /** Ask the language service for an operation on what a person sees, and do it: one step that can be undone. */
  operate(file: string, operation: Operation): Promise<Path | null> {
    return this.inTurn(async () => {
      for (let tries = 0; ; tries += 1) {
        const before = this.revisions();
        const answer = await this.language.ask<Operated>("operations", { file, operation });
        if (this.isAsBefore(before, answer.edit)) {
          this.apply(answer.edit);
          this.operated(file, operation);
          return answer.select;
        }
        if (tries === 3) throw new Declined("");
      }
    });
  }

  /** One of the protocol's own edits, as a rename or a mend is. */
  async edited(method: string, params: object): Promise<boolean> {
    return this.inTurn(async () => {
      const edit = await this.language.request<{ changes?: Record<string, TextEdit[]> } | null>(method, params);
      if (!edit) return false;
      this.apply(byPath(edit, pathOf));
      return true;
    });
  }

  /** Apply an edit to the texts as they are. */
  apply(edit: Edit): readonly string[] {
    if (this.book.readOnly) return [];
    const changes = new Map<string, ChangeSpec>();
    for (const [path, edits] of Object.entries(edit.changes)) {
      if (!edits.length) continue;
      if (!this.book.has(path)) this.book.open(path, null, "");
      changes.set(path, changesOf(this.book.sheet(path).state.doc, edits));
    }
    this.book.apply(changes, { userEvent: "input.operation" });
    return [...changes.keys()];
  }

  map(): Promise<FlowMap> {
    return this.language.ask<FlowMap>("map", {});
  }

  /** Texts that differ from the saved version. */
  unsaved(): Record<string, string> {
    return Object.fromEntries(this.book.changed.map((path) => [path, this.book.text(path)]));
  }

  /**
   * Makes these texts one with what others have saved since they were read. What both have changed otherwise is given
   * back, and nothing is done, unless it is `settled`: then ours stands, or theirs where it is in `take`.
   */
  async catchUp(
    mine: Record<string, string | null>,
    take: readonly { file: string; number: number }[] = [],
    settled = false,
  ): Promise<Merged> {
    for (;;) {
      const [merged, now] = await Promise.all([this.team.merge(this.base, mine, [...take]), this.server.texts()]);
      if (merged.version !== now.version) continue;
      if (merged.conflicts.length && !settled) return merged;
      this.stand(now.version, now.texts, merged.texts);
      return merged;
    }
  }

  /** From now on these texts are edits of another version. */
  private stand(version: number, saved: Record<string, string>, edited: Record<string, string | null>): void {
    for (const [path, text] of Object.entries(saved)) {
      const now = edited[path];
      const wanted = typeof now === "string" ? now : text;
      if (this.book.has(path)) this.book.rewrite(path, wanted);
      else if (now !== null) this.book.open(path, text, wanted);
    }
    for (const path of this.book.paths)
      if (!(path in saved) && typeof edited[path] !== "string") {
        this.language.leave(path);
        this.book.close(path);
      }
    this.book.saved(saved);
    this.base = version;
    this.language.saved();
  }

  /** Save what has changed as one version. */
  async save(note: string, more: { changes?: Record<string, string | null>; renames?: Record<string, string> } = {}) {
    const texts = this.unsaved();
    const version = await this.server.save({
      base: this.base,
      note,
      changes: { ...texts, ...more.changes },
      ...(more.renames && { renames: more.renames }),
    });
    this.book.saved(texts);
    // Others have saved other files meanwhile: without theirs, the next save would take them back.
    if (version.number > this.base + 1) await this.catchUp({ ...texts, ...this.unsaved() }, [], true);
    else this.base = version.number;
    this.language.saved();
    await this.drafts.now();
    return version;
  }

  /** Another name for a file; saved at once, with whatever else is unsaved in it. */
  async rename(from: string, to: string, note: string): Promise<void> {
    const text = this.book.text(from);
    const own = this.unsaved()[from];
    const isNew = this.book.sheet(from).kept === null;
    if (!isNew) {
      const changes: Record<string, string> = own === undefined ? {} : { [to]: own };
      const version = await this.server.save({ base: this.base, note, changes, renames: { [from]: to } });
      this.base = version.number;
    }
    this.language.leave(from);
    this.book.close(from);
    this.book.open(to, isNew ? null : text, text);
    this.language.saved();
    await this.drafts.now();
  }

  /** Takes a file out; saved at once. */
  async remove(path: string, note: string): Promise<void> {
    if (this.book.sheet(path).kept !== null) {
      const version = await this.server.save({ base: this.base, note, changes: { [path]: null } });
      this.base = version.number;
    }
    this.language.leave(path);
    this.book.close(path);
    this.language.saved();
    await this.drafts.now();
  }

  /** Counts what was undone and done again. */
  turn = 0;

  turned(): void {
    this.turn += 1;
  }

  private inTurn<T>(act: () => Promise<T>): Promise<T> {
    const next = this.queue.then(act, act);
    this.queue = next.catch(() => {});
    return next;
  }

  private revisions(): Map<string, number> {
    return new Map([...this.book.sheets].map(([path, sheet]) => [path, sheet.revision]));
  }

  private isAsBefore(before: Map<string, number>, edit: Edit): boolean {
    return Object.keys(edit.changes).every(
      (path) => !this.book.has(path) || this.book.sheet(path).revision === before.get(path),
    );
  }
}

/** What was left unsaved: this tab's own, else the newest of tabs that are gone; the rest is offered. */
async function leftOver(
  drafts: Drafts,
  project: string,
  tab: string,
): Promise<{ mine: Draft | null; others: Draft[] }> {
  const [left, open] = await Promise.all([drafts.left(), openTabs(project)]);
  const gone = left.filter((draft) => draft.tab === tab || !open.has(draft.tab));
  const mine = gone.find((draft) => draft.tab === tab) ?? gone[0] ?? null;
  return { mine, others: gone.filter((draft) => draft !== mine) };
}
