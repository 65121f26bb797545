import { ask } from "../shell/api.js";
import type { AlertKind, Colleague, Item, ItemList } from "./shapes.js";

/** Milliseconds between looks, for what no event has told. */
const LOOK = 300_000;
/** Milliseconds before another try where the browser gave up. */
const RETRY = 3_000;
const MOST = 500;

export interface Call {
  session: string;
  kind: AlertKind;
  at: string;
}

export interface BoardState {
  items: ReadonlyMap<string, Item>;
  colleagues: readonly Colleague[];
  /** What has come and was not dismissed, the newest last. */
  calls: readonly Call[];
  loaded: boolean;
  failed: boolean;
  connected: boolean;
}

const EMPTY: BoardState = {
  items: new Map(),
  colleagues: [],
  calls: [],
  loaded: false,
  failed: false,
  connected: true,
};

/** The list as the server tells it: read once, then followed by its events. One for the whole app. */
export class Board {
  state: BoardState = EMPTY;
  private readonly listeners = new Set<() => void>();
  private readonly called = new Set<(call: Call) => void>();
  private events: EventSource | null = null;
  private look: ReturnType<typeof setInterval> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): BoardState => this.state;

  whenCalled(act: (call: Call) => void): () => void {
    this.called.add(act);
    return () => this.called.delete(act);
  }

  start(): void {
    if (this.events) return;
    this.connect();
    void this.refresh();
    this.look = setInterval(() => void this.refresh(), LOOK);
  }

  stop(): void {
    this.events?.close();
    this.events = null;
    clearInterval(this.look);
    clearTimeout(this.retry);
    this.state = EMPTY;
    this.tell();
  }

  /** Reads the lists whole. */
  async refresh(): Promise<void> {
    try {
      const [help, all, colleagues] = await Promise.all([
        ask<ItemList>(`/desk/sessions?show=help&limit=${MOST}`),
        ask<ItemList>(`/desk/sessions?show=all&limit=${MOST}`),
        ask<{ colleagues: Colleague[] }>("/desk/colleagues"),
      ]);
      const items = new Map([...all.sessions, ...help.sessions].map((item) => [item.id, item]));
      this.change({ items, colleagues: colleagues.colleagues, loaded: true, failed: false });
    } catch {
      this.change({ failed: true });
    }
  }

  /** Newer than what the list has. */
  put(item: Item): void {
    this.change({ items: new Map(this.state.items).set(item.id, item) });
  }

  dismiss(session: string): void {
    if (this.state.calls.some((call) => call.session === session))
      this.change({ calls: this.state.calls.filter((call) => call.session !== session) });
  }

  private connect(): void {
    const events = new EventSource("/api/v1/desk/events");
    this.events = events;
    events.addEventListener("hello", () => {
      const again = !this.state.connected;
      this.change({ connected: true });
      if (again) void this.refresh();
    });
    events.addEventListener("missed", () => void this.refresh());
    this.on<{ session: string; item: Item | null }>(events, "item", ({ session, item }) => {
      const items = new Map(this.state.items);
      if (item) items.set(session, item);
      else items.delete(session);
      const over = item === null || (item.holder !== null && !item.holder.me);
      // What was read, in whatever tab, is no news.
      const read = item?.unread === 0;
      const stays = (call: Call) => call.session !== session || !(over || (read && call.kind === "message"));
      this.change({ items, calls: this.state.calls.filter(stays) });
    });
    this.on<Call>(events, "alert", (call) => {
      const calls = [...this.state.calls.filter((each) => each.session !== call.session), call];
      this.change({ calls });
      for (const act of this.called) act(call);
    });
    this.on<{ colleagues: Colleague[] }>(events, "duty", ({ colleagues }) => this.change({ colleagues }));
    events.onerror = () => {
      this.change({ connected: false });
      if (events.readyState !== EventSource.CLOSED || this.events !== events) return;
      // The server refused: a request says whether somebody is still signed in, and then it is tried again.
      this.retry = setTimeout(() => void this.refresh().then(() => this.events === events && this.connect()), RETRY);
    };
  }

  private on<T>(events: EventSource, name: string, act: (told: T) => void): void {
    events.addEventListener(name, (event: MessageEvent<string>) => {
      if (this.events === events) act(JSON.parse(event.data) as T);
    });
  }

  private change(changed: Partial<BoardState>): void {
    this.state = { ...this.state, ...changed };
    this.tell();
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

export const board = new Board();
