import { localStore, MemoryStorage, type Storage, sessionStore } from "../../storage.js";

/** `none`: with the page; `session`: with the tab; `device`: until it is taken out. */
export type Persistence = "none" | "session" | "device";

/** What a widget knows again after a reload. */
export interface Kept {
  session?: string;
  token?: string;
  open?: boolean;
  /** The last message that could be seen. */
  seen?: number;
}

export function storeFor(persistence: Persistence): Storage {
  if (persistence === "none") return new MemoryStorage();
  return persistence === "device" ? localStore() : sessionStore();
}

/** The place of one widget, by what tells it from others on its page. */
export class Place {
  private readonly key: string;

  constructor(
    private readonly store: Storage,
    names: readonly string[],
  ) {
    this.key = `heartrule.widget.${names.map(encodeURIComponent).join(".")}`;
  }

  read(): Kept {
    try {
      const found: unknown = JSON.parse(this.store.get(this.key) ?? "{}");
      return typeof found === "object" && found !== null ? found : {};
    } catch {
      return {};
    }
  }

  write(more: Kept): void {
    this.store.set(this.key, JSON.stringify({ ...this.read(), ...more }));
  }

  /** The session is no more; how the widget stands stays. */
  forget(): void {
    const { open = false } = this.read();
    this.store.set(this.key, JSON.stringify({ open }));
  }
}
