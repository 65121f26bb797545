/** Where the outbox is kept. Small enough for localStorage, a test's map or an app's own. */
export interface Storage {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  keys(prefix: string): string[];
}

/** Lasts as long as the page. */
export class MemoryStorage implements Storage {
  private readonly entries = new Map<string, string>();

  get(key: string): string | null {
    return this.entries.get(key) ?? null;
  }

  set(key: string, value: string): void {
    this.entries.set(key, value);
  }

  remove(key: string): void {
    this.entries.delete(key);
  }

  keys(prefix: string): string[] {
    return [...this.entries.keys()].filter((key) => key.startsWith(prefix));
  }
}

/** A browser's storage, which may be forbidden, full or emptied at any moment: what it does not take is kept in memory,
 * so that a private window loses nothing while it is open. */
export class WebStorage implements Storage {
  private readonly rest = new MemoryStorage();

  constructor(private readonly area: () => globalThis.Storage) {}

  get(key: string): string | null {
    return this.rest.get(key) ?? this.attempt((area) => area.getItem(key), null);
  }

  set(key: string, value: string): void {
    const taken = this.attempt((area) => {
      area.setItem(key, value);
      return true;
    }, false);
    if (taken) this.rest.remove(key);
    else this.rest.set(key, value);
  }

  remove(key: string): void {
    this.rest.remove(key);
    this.attempt((area) => area.removeItem(key), undefined);
  }

  keys(prefix: string): string[] {
    const kept = this.attempt((area) => Array.from({ length: area.length }, (_, at) => area.key(at)), []);
    const own = kept.filter((key): key is string => key?.startsWith(prefix) ?? false);
    return [...new Set([...own, ...this.rest.keys(prefix)])];
  }

  private attempt<T>(use: (area: globalThis.Storage) => T, otherwise: T): T {
    try {
      return use(this.area());
    } catch {
      return otherwise;
    }
  }
}

export const localStore = (): Storage => new WebStorage(() => globalThis.localStorage);
export const sessionStore = (): Storage => new WebStorage(() => globalThis.sessionStorage);
