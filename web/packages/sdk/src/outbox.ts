import { type Owner, whenGone } from "./owner.js";
import type { FormAnswers, ProblemDocument } from "./shapes.js";
import type { Saying } from "./state.js";
import type { Storage } from "./storage.js";

/** What is kept of something said until the server has confirmed it. */
export interface Kept {
  key: string;
  input: Saying;
  after: number | null;
  at: number;
  /** Orders what was said within one millisecond. */
  n: number;
  owner: string;
  label?: string;
  refused?: { document: ProblemDocument; status: number };
}

/** What this page has to say in one session. Each thing lies under a key of its own, so that two tabs never write over
 * each other; what a tab leaves behind when it dies is taken over by another one, or by the next visit. */
export class Outbox {
  private own: Kept[] = [];
  private readonly watched = new Set<string>();
  private readonly stopped = new AbortController();
  private counter = 0;

  constructor(
    private readonly storage: Storage,
    private readonly session: string,
    private readonly owner: Owner,
    private readonly changed: () => void,
  ) {}

  get entries(): readonly Kept[] {
    return this.own;
  }

  add(key: string, input: Saying, after: number | null, label?: string): Kept {
    this.counter += 1;
    const kept: Kept = { key, input, after, at: Date.now(), n: this.counter, owner: this.owner.id };
    if (label !== undefined) kept.label = label;
    this.keep(kept);
    this.changed();
    return kept;
  }

  refuse(key: string, document: ProblemDocument, status: number): void {
    const found = this.own.find((kept) => kept.key === key);
    if (found) this.keep({ ...found, refused: { document, status } });
    this.changed();
  }

  /** What is left of the answers in it; with none it goes. */
  narrow(key: string, values: FormAnswers): void {
    const found = this.own.find((kept) => kept.key === key);
    if (!found || !("form" in found.input) || Object.keys(values).length === 0) this.remove(key);
    else this.keep({ ...found, input: { ...found.input, form: { ...found.input.form, values } } });
  }

  remove(key: string): Kept | undefined {
    const found = this.own.find((kept) => kept.key === key);
    this.own = this.own.filter((kept) => kept.key !== key);
    this.storage.remove(this.place(key));
    return found;
  }

  /** Takes over what tabs that are gone have left; for those still alive, as soon as they go. */
  adopt(): void {
    const owners = new Set(this.stored().map((kept) => kept.owner));
    for (const owner of owners) {
      if (owner === this.owner.id || this.watched.has(owner)) continue;
      this.watched.add(owner);
      whenGone(owner, this.stopped.signal, () => {
        this.watched.delete(owner);
        this.takeOver(owner);
      });
    }
  }

  stop(): void {
    this.stopped.abort();
  }

  private takeOver(owner: string): void {
    const orphans = this.stored().filter((kept) => kept.owner === owner);
    for (const kept of orphans) this.keep({ ...kept, owner: this.owner.id });
    if (orphans.length > 0) this.changed();
    this.adopt();
  }

  private keep(kept: Kept): void {
    this.storage.set(this.place(kept.key), JSON.stringify(kept));
    const others = this.own.filter((other) => other.key !== kept.key);
    this.own = [...others, kept].sort((one, other) => one.at - other.at || one.n - other.n);
  }

  private place(key: string): string {
    return `heartrule.outbox.${this.session}.${key}`;
  }

  private stored(): Kept[] {
    return this.storage.keys(this.place("")).flatMap((place) => {
      const text = this.storage.get(place);
      const kept = text === null ? null : read(text);
      return kept ? [kept] : [];
    });
  }
}

function read(text: string): Kept | null {
  try {
    const kept = JSON.parse(text) as Kept;
    return typeof kept.key === "string" && kept.input?.type ? kept : null;
  } catch {
    return null;
  }
}
