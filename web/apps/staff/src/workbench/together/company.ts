import type { Opened } from "../project/opened.js";
import type { Path } from "../text/shapes.js";
import type { TeamServer } from "./server.js";
import type { Conflict, HerePerson, Spot, Thread } from "./shapes.js";

/** Milliseconds of rest after which it is asked anew where comments stand in what is being typed. */
const REST = 700;
/** Milliseconds between two tellings of where somebody looks. */
const STEP = 400;
const RETRY = 3_000;

export interface CompanyState {
  here: readonly HerePerson[];
  threads: readonly Thread[];
  /** What both have changed otherwise, as long as it is not decided. */
  conflicts: readonly Conflict[];
  /** The newest saved version. */
  version: number;
  failed: boolean;
}

const ALONE: CompanyState = { here: [], threads: [], conflicts: [], version: 0, failed: false };

/** Others in an opened project: who is there and where, and what is said beside it. */
export class Company {
  state: CompanyState = ALONE;
  readonly server: TeamServer;
  private readonly tab = crypto.randomUUID();
  private readonly listeners = new Set<() => void>();
  private events: EventSource | null = null;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private step: ReturnType<typeof setTimeout> | undefined;
  private place: { file: string | null; path: Path; editing: boolean } = { file: null, path: [], editing: false };
  private told = "";
  private asked = 0;
  private left: () => void = () => {};

  constructor(private readonly opened: Opened) {
    this.server = opened.team;
  }

  start(): void {
    if (!this.shared || this.events) return;
    this.left = this.opened.book.subscribe(() => this.later());
    this.connect();
    void this.load();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): CompanyState => this.state;

  get shared(): boolean {
    return this.opened.project.origin === "store";
  }

  close(): void {
    this.events?.close();
    this.events = null;
    clearTimeout(this.retry);
    clearTimeout(this.rest);
    clearTimeout(this.step);
    this.left();
  }

  /** Tells the others what is looked at here. */
  look(file: string | null, path: Path, editing: boolean): void {
    this.place = { file, path, editing };
    clearTimeout(this.step);
    this.step = setTimeout(() => this.tell(), STEP);
  }

  async load(): Promise<void> {
    if (!this.shared) return;
    this.asked += 1;
    const { asked } = this;
    try {
      const threads = await this.server.threads(this.opened.unsaved());
      if (asked === this.asked) this.change({ threads, failed: false });
    } catch {
      if (asked === this.asked) this.change({ failed: true });
    }
  }

  /** Shows at their nodes what is to be decided. */
  meet(conflicts: readonly Conflict[]): void {
    this.change({ conflicts });
  }

  async begin(spot: Spot, text: string, mentions: string[]): Promise<void> {
    await this.server.begin(spot, text, mentions, this.opened.unsaved());
    await this.load();
  }

  async say(thread: string, text: string, mentions: string[]): Promise<void> {
    await this.server.say(thread, text, mentions);
    await this.load();
  }

  async settle(thread: string, resolved: boolean): Promise<void> {
    await this.server.settle(thread, resolved);
    await this.load();
  }

  private later(): void {
    clearTimeout(this.rest);
    if (this.state.threads.length) this.rest = setTimeout(() => void this.load(), REST);
  }

  private tell(): void {
    const now = JSON.stringify(this.place);
    if (!this.events || now === this.told) return;
    this.told = now;
    const { file, path, editing } = this.place;
    this.server.look(this.tab, file, path, editing).catch(() => {
      this.told = "";
    });
  }

  private connect(): void {
    const events = new EventSource(this.server.eventsOf(this.tab));
    this.events = events;
    let comments: string | null = null;
    events.addEventListener("hello", () => {
      this.told = "";
      this.tell();
    });
    events.addEventListener("here", (event: MessageEvent<string>) =>
      this.change({ here: (JSON.parse(event.data) as { here: HerePerson[] }).here }),
    );
    events.addEventListener("news", (event: MessageEvent<string>) => {
      const news = JSON.parse(event.data) as { version: number; comments: string };
      const moved = news.version !== this.state.version || news.comments !== comments;
      comments = news.comments;
      this.change({ version: news.version });
      if (moved) void this.load();
    });
    events.onerror = () => {
      this.change({ here: [] });
      if (events.readyState !== EventSource.CLOSED || this.events !== events) return;
      // The server refused: a request says whether somebody is still signed in, and then it is tried again.
      this.retry = setTimeout(() => void this.load().then(() => this.events === events && this.connect()), RETRY);
    };
  }

  private change(changed: Partial<CompanyState>): void {
    this.state = { ...this.state, ...changed };
    for (const listener of [...this.listeners]) listener();
  }
}

export function isAt(one: Spot | { file: string | null; path: Path } | null, file: string, path: Path): boolean {
  return one !== null && one.file === file && String(one.path) === String(path);
}

/** The people whose names stand in a text behind an @, the longest names first. */
export function named<T extends { id: string; name: string }>(text: string, people: readonly T[]): string[] {
  let left = text;
  const found: string[] = [];
  for (const each of [...people].sort((one, other) => other.name.length - one.name.length))
    if (left.includes(`@${each.name}`)) {
      found.push(each.id);
      left = left.replaceAll(`@${each.name}`, "");
    }
  return found;
}
