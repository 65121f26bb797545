import { Refusal } from "../../shell/api.js";
import { flushed } from "../panel/pausing.js";
import type { Book } from "./book.js";
import type { Draft, OtherTab } from "./shapes.js";

export type Kept = "none" | "here" | "server";

/** Milliseconds of rest in typing after which a draft is kept; how often a tab says that it is there. */
const PAUSE = 700;
const SIGN = 30_000;

/** What a draft is kept in, in this browser. */
export interface Shelf {
  put(draft: LocalDraft): Promise<void>;
  all(project: string): Promise<LocalDraft[]>;
  drop(project: string, tab: string): Promise<void>;
}

export interface LocalDraft extends Draft {
  project: string;
}

export interface DraftServer {
  put(tab: string, base: number, texts: Record<string, string | null>): Promise<{ at: string; others: OtherTab[] }>;
  all(): Promise<Draft[]>;
  /** `leaving`: the page is about to be gone. */
  drop(tab: string, leaving?: boolean): Promise<void>;
}

/**
 * Keeps what has not been saved: at each pause in typing in this browser, which needs no network, and then on the
 * server. Both are gone once it is saved.
 */
export class Drafts {
  kept: Kept = "none";
  at: Date | null = null;
  others: OtherTab[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly sign: ReturnType<typeof setInterval>;
  private readonly forget: () => void;
  private readonly listeners = new Set<() => void>();
  private sending: Promise<void> = Promise.resolve();
  private waits = false;
  private over = false;

  constructor(
    private readonly project: string,
    readonly tab: string,
    private readonly book: Book,
    private readonly base: () => number,
    private readonly shelf: Shelf,
    private readonly server: DraftServer,
  ) {
    this.forget = book.subscribe(() => this.later());
    this.sign = setInterval(() => this.now(), SIGN);
    addEventListener("online", this.again);
    addEventListener("pagehide", this.gone);
    document.addEventListener("visibilitychange", this.hidden);
  }

  close(): void {
    this.forget();
    clearTimeout(this.timer);
    clearInterval(this.sign);
    removeEventListener("online", this.again);
    removeEventListener("pagehide", this.gone);
    document.removeEventListener("visibilitychange", this.hidden);
    if (this.waits) void this.now();
    else if (this.kept === "none" && !this.book.readOnly) void this.server.drop(this.tab).catch(() => {});
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Drafts of this person that are newer than what was saved, the newest first; one a tab. */
  async left(): Promise<Draft[]> {
    const here = await this.shelf.all(this.project).catch(() => []);
    const there = await this.server.all().catch(() => []);
    const newest = new Map<string, Draft>();
    for (const draft of [...there, ...here]) {
      const known = newest.get(draft.tab);
      if (Object.keys(draft.texts).length && (!known || known.at <= draft.at)) newest.set(draft.tab, draft);
    }
    return [...newest.values()].sort((one, other) => other.at.localeCompare(one.at));
  }

  async drop(tab: string): Promise<void> {
    await this.shelf.drop(this.project, tab).catch(() => {});
    await this.server.drop(tab).catch(() => {});
    if (tab === this.tab) this.stand("none");
  }

  /** Forget what was not saved: it is kept no longer, and what stands in the texts is not kept again. */
  async discard(): Promise<void> {
    this.forget();
    clearTimeout(this.timer);
    this.waits = false;
    this.over = true;
    await this.sending;
    await this.drop(this.tab);
  }

  /** Keep what there is at once. */
  now(): Promise<void> {
    clearTimeout(this.timer);
    this.waits = false;
    this.sending = this.sending.then(() => this.keep());
    return this.sending;
  }

  private readonly again = (): void => void this.now();

  private readonly gone = (): void => {
    if (this.kept === "none" && !this.waits && !this.book.readOnly)
      void this.server.drop(this.tab, true).catch(() => {});
    else void this.now();
  };

  private readonly hidden = (): void => {
    if (document.visibilityState === "hidden") flushed();
    if (document.visibilityState === "hidden" && this.waits) void this.now();
  };

  private later(): void {
    this.waits = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.now(), PAUSE);
  }

  private async keep(): Promise<void> {
    if (this.book.readOnly || this.over) return;
    const texts = Object.fromEntries(this.book.changed.map((path) => [path, this.book.text(path)]));
    const unsaved = Object.keys(texts).length > 0;
    const draft = { project: this.project, tab: this.tab, at: new Date().toISOString(), base: this.base(), texts };
    const here = unsaved
      ? await this.shelf.put(draft).then(
          () => true,
          () => false,
        )
      : await this.shelf.drop(this.project, this.tab).then(
          () => false,
          () => false,
        );
    if (here && this.kept !== "server") this.stand("here");
    try {
      const answer = await this.server.put(this.tab, this.base(), texts);
      this.others = answer.others;
      this.stand(unsaved ? "server" : "none");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.stand(here ? "here" : "none");
    }
  }

  private stand(kept: Kept): void {
    this.kept = kept;
    this.at = kept === "none" ? null : new Date();
    for (const listener of [...this.listeners]) listener();
  }
}

const NAME = "heartrule.workbench";
const STORE = "drafts";

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: ["project", "tab"] });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

async function through<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await opened();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const asked = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** The database of this browser. */
export const browserShelf: Shelf = {
  put: async (draft) => void (await through("readwrite", (store) => store.put(draft))),
  all: (project) =>
    through("readonly", (store) => store.getAll(IDBKeyRange.bound([project], [project, []]))) as Promise<LocalDraft[]>,
  drop: async (project, tab) => void (await through("readwrite", (store) => store.delete([project, tab]))),
};
