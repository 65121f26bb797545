import { localStore, MemoryStorage, type Storage, sessionStore } from "@heartrule/sdk";

/** How long this device keeps what opens the conversations, the longest first: until it is removed, as long as the tab,
 * as long as the page. */
export const PERSISTENCES = ["device", "session", "none"] as const;
export type Persistence = (typeof PERSISTENCES)[number];

const OURS = "heartrule.";
const CHOSEN = "heartrule.visitor.persistence.chosen";
const SITE = "heartrule.visitor.persistence.site";
/** Being typed: never longer than the tab. */
const TYPED = "heartrule.draft.";

/** What this device keeps. The client's own storage as well, so that forgetting reaches everything; where a browser keeps
 * nothing, it lasts as long as the page. Dispatches `change` when it is kept for another time than before. */
class Keeping extends EventTarget implements Storage {
  private readonly areas = { device: localStore(), session: sessionStore(), none: new MemoryStorage() };

  /** The shorter of what the person wants and what the site allows. Both are remembered by the tab: a page that is loaded
   * again must know it before it has asked anybody. */
  get now(): Persistence {
    return shorter(this.chosen, this.site);
  }

  get site(): Persistence {
    return read(this.areas.session.get(SITE));
  }

  /** What a person can choose here. */
  get offered(): readonly Persistence[] {
    return PERSISTENCES.slice(PERSISTENCES.indexOf(this.site));
  }

  choose(wanted: Persistence): void {
    this.change(CHOSEN, wanted);
  }

  /** The longest that the site allows. */
  limit(longest: Persistence): void {
    if (longest !== this.site) this.change(SITE, longest);
  }

  get(key: string): string | null {
    return this.areas[this.now].get(key);
  }

  set(key: string, value: string): void {
    this.areas[this.now].set(key, value);
  }

  remove(key: string): void {
    this.areas[this.now].remove(key);
  }

  keys(prefix: string): string[] {
    return this.areas[this.now].keys(prefix);
  }

  /** Leaves nothing in this tab that is not kept for longer. */
  clearTab(): void {
    for (const area of [this.areas.session, this.areas.none]) {
      for (const key of area.keys(OURS)) if (key !== CHOSEN && key !== SITE) area.remove(key);
    }
  }

  private get chosen(): Persistence {
    return read(this.areas.session.get(CHOSEN));
  }

  /** What lies elsewhere comes along, so that no conversation is lost by it and none stays behind. */
  private change(which: string, to: Persistence): void {
    const before = this.now;
    if (to === "device") this.areas.session.remove(which);
    else this.areas.session.set(which, to);
    const { now } = this;
    if (now === before) return;
    for (const [name, area] of Object.entries(this.areas)) {
      for (const key of area.keys(OURS)) {
        const target = key.startsWith(TYPED) ? shorter(now, "session") : now;
        const value = area.get(key);
        if (key === CHOSEN || key === SITE || value === null || name === target) continue;
        this.areas[target].set(key, value);
        area.remove(key);
      }
    }
    this.dispatchEvent(new Event("change"));
  }

  /** What lasts as long as a tab, at most. */
  readonly typed: Storage = {
    get: (key) => this.short.get(key),
    set: (key, value) => this.short.set(key, value),
    remove: (key) => this.short.remove(key),
    keys: (prefix) => this.short.keys(prefix),
  };

  private get short(): Storage {
    return this.areas[shorter(this.now, "session")];
  }
}

export const store = new Keeping();

function shorter(one: Persistence, other: Persistence): Persistence {
  return PERSISTENCES.indexOf(one) > PERSISTENCES.indexOf(other) ? one : other;
}

/** What nobody has said is kept as long as can be; so is what nobody can read. */
function read(text: string | null): Persistence {
  return PERSISTENCES.find((each) => each === text) ?? "device";
}

/** Whether the browser will still have it when the page is opened again. */
export function lasts(): boolean {
  const probe = "heartrule.visitor.probe";
  try {
    localStorage.setItem(probe, "1");
    localStorage.removeItem(probe);
    return true;
  } catch {
    return false;
  }
}

/** What was kept as JSON, if it is what `is` says; anything else is as good as nothing. */
export function readJson<T>(key: string, is: (value: unknown) => value is T): T | null {
  const text = store.get(key);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return is(value) ? value : null;
  } catch {
    return null;
  }
}

export function writeJson(key: string, value: unknown): void {
  store.set(key, JSON.stringify(value));
}
