import { Backoff } from "./backoff.js";
import type { Kept, Outbox } from "./outbox.js";
import { Problem } from "./problem.js";
import type { Turn } from "./shapes.js";

/** Between two messages of one burst, so that they arrive in the order in which they were said. */
const STAGGER = 300;
const SIDE_BY_SIDE = 4;
/** What was said before has not come yet: it is on its way, and a moment later it will have. */
const OUT_OF_ORDER = 150;
/** A request that was under way when the page came back from sleep, or whose turn is known to be over, is not believed
 * in after this. */
const DOUBTFUL = 3_000;

export interface Postman {
  /** `follows`: the key of what was said before it and is not known to have come. */
  post(kept: Kept, follows: string | null, signal: AbortSignal): Promise<Turn>;
  /** The server has taken it. */
  taken(kept: Kept, turn: Turn): void;
  /** The server will not have it. */
  refused(kept: Kept, problem: Problem): void;
  /** The way is disturbed; it is tried again. */
  disturbed(problem: Problem): void;
  /** Nothing can be sent to this session any more. */
  barred(problem: Problem): void;
  changed(): void;
}

interface Journey {
  since: number;
  controller: AbortController;
}

/** Brings the outbox to the server: in order, again and again until there is a definite answer, and with the same key
 * each time, so that nothing is lost and nothing doubled. */
export class Delivery {
  /** The last try failed, and the next one is waited for. */
  retrying = false;
  private readonly journeys = new Map<string, Journey>();
  private readonly backoff = new Backoff();
  private notBefore = 0;
  /** The server asked for it (`Retry-After`), so that nothing shortens it. */
  private askedUntil = 0;
  private lastSent = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;

  constructor(
    private readonly outbox: Outbox,
    private readonly postman: Postman,
  ) {}

  isSending(key: string): boolean {
    return this.journeys.has(key);
  }

  /** Sends what may be sent now, and comes back for the rest. */
  pump(): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    const waiting = this.outbox.entries.filter((kept) => !kept.refused);
    const next = waiting.find((kept) => !this.journeys.has(kept.key));
    if (!next || !this.mayGo(next, waiting)) return;
    const now = Date.now();
    const start = Math.max(this.notBefore, this.askedUntil, this.journeys.size > 0 ? this.lastSent + STAGGER : 0);
    if (now >= start) {
      this.lastSent = now;
      void this.send(next);
    }
    this.timer = setTimeout(() => this.pump(), Math.max(start - now, STAGGER));
  }

  /** Tries everything at once: also what is under way, when it has been so for longer than a healthy answer takes. */
  hurry(): void {
    this.notBefore = 0;
    this.backoff.reset();
    this.doubt();
    this.pump();
  }

  /** Asks again for what should have been answered. */
  doubt(): void {
    for (const journey of this.journeys.values()) {
      if (Date.now() - journey.since > DOUBTFUL) journey.controller.abort();
    }
  }

  /** What is under way goes on without us: leaving does not stop a turn. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    for (const journey of this.journeys.values()) journey.controller.abort();
  }

  /** Words of one answer go side by side, for the server joins them; anything else waits for what was said before. */
  private mayGo(next: Kept, waiting: readonly Kept[]): boolean {
    if (this.journeys.size >= SIDE_BY_SIDE) return false;
    const before = waiting.filter((kept) => this.journeys.has(kept.key));
    const joins = (kept: Kept) => kept.input.type === "message" && kept.after === next.after;
    return before.length === 0 || (next.input.type === "message" && before.every(joins));
  }

  private async send(kept: Kept): Promise<void> {
    const journey = { since: Date.now(), controller: new AbortController() };
    this.journeys.set(kept.key, journey);
    this.postman.changed();
    try {
      const turn = await this.postman.post(kept, this.before(kept), journey.controller.signal);
      this.arrive(kept.key);
      this.postman.taken(kept, turn);
    } catch (error) {
      if (journey.controller.signal.aborted) this.journeys.delete(kept.key);
      else this.fail(kept, error instanceof Problem ? error : new Problem("network", 0));
    }
    this.pump();
  }

  /** What was said just before and has not been confirmed: the server takes nothing that overtook it. */
  private before(kept: Kept): string | null {
    const waiting = this.outbox.entries.filter((other) => !other.refused);
    return waiting[waiting.findIndex((other) => other.key === kept.key) - 1]?.key ?? null;
  }

  private arrive(key: string): void {
    this.journeys.delete(key);
    this.backoff.reset();
    this.notBefore = 0;
    this.retrying = false;
  }

  private fail(kept: Kept, problem: Problem): void {
    if (this.stopped) return;
    if (problem.code === "out-of-order") {
      this.journeys.delete(kept.key);
      this.notBefore = Date.now() + OUT_OF_ORDER;
      return;
    }
    if (problem.passing) {
      this.journeys.delete(kept.key);
      this.retrying = true;
      this.notBefore = Date.now() + this.backoff.next();
      this.askedUntil = Date.now() + (problem.retryAfter ?? 0);
      this.postman.disturbed(problem);
      return;
    }
    this.arrive(kept.key);
    if (isFinal(problem)) {
      this.stopped = true;
      this.postman.barred(problem);
    } else {
      this.postman.refused(kept, problem);
    }
  }
}

/** Whether it is the session or the token, and not what was said, that the server will not have. */
function isFinal({ status, code }: Problem): boolean {
  return status === 401 || status === 403 || status === 404 || code === "cannot-restore";
}
