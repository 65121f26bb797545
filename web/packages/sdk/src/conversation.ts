import { Backoff } from "./backoff.js";
import type { Client } from "./client.js";
import { Contact } from "./contact.js";
import { Delivery } from "./delivery.js";
import { carriedOver, fillingOf } from "./filling.js";
import { type Follower, Following } from "./following.js";
import { newKey } from "./key.js";
import { Live } from "./live.js";
import { type Kept, Outbox } from "./outbox.js";
import { canTell, Owner } from "./owner.js";
import { Pause } from "./pause.js";
import { Problem } from "./problem.js";
import type { FormAnswers, FormInput, Message, ProblemDocument, Session, Turn } from "./shapes.js";
import { type ConversationState, type Entry, nothing, type Saying, type Status } from "./state.js";
import { unseen } from "./unseen.js";
import { watch } from "./wake.js";

const PAGE = 100;
/** A turn has a budget of 20 seconds, more on a slow machine; asking again with the same key costs nothing. */
const PATIENCE = 45_000;
/** The answer to what we sent should be here at the latest so long after the event that says its turn is over. */
const SETTLED = 3_500;

/**
 * One held session: what was said, what is awaited, and a safe way to say something.
 *
 * Nothing that `send` or `choose` has taken is lost or said twice, whatever happens to the network, the server or the
 * page: it lies in the outbox until the server has confirmed it or refused it.
 */
export class Conversation {
  state: ConversationState = nothing;
  private readonly listeners = new Set<(state: ConversationState) => void>();
  private readonly following: Following;
  private readonly contact = new Contact(() => this.publish());
  private readonly live: Live;
  private owner: Owner | null = null;
  private outbox: Outbox | null = null;
  private delivery: Delivery | null = null;
  private unwatch: (() => void) | null = null;
  private loaded = false;
  /** The browser has been without a network. */
  private lost = false;
  private problem: Problem | null = null;
  /** The turn that was asked to end. */
  private stopping: number | null = null;
  private syncing: Promise<void> | null = null;
  private syncAgain = false;
  private readonly looking = new Backoff();
  private later: ReturnType<typeof setTimeout> | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private readonly loading = new Pause();
  /** Messages of the transcript that are known to be something that was in our outbox. */
  private readonly claimed = new Set<number>();

  constructor(
    readonly client: Client,
    readonly id: string,
    readonly token: string,
  ) {
    this.following = new Following(this.follower());
    this.live = new Live((lastId, signal) => client.events(id, token, lastId, signal), {
      event: (event) => this.following.event(event),
      up: () => this.connected(),
      alive: () => this.contact.ok(),
      down: (problem) => this.disconnected(problem),
      refused: (problem) => this.fail(problem),
    });
  }

  /** Calls `listener` after every change; returns how to stop that. */
  subscribe(listener: (state: ConversationState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Reads the session and follows it, until `leave()`. */
  open(): void {
    if (this.outbox) return;
    this.problem = null;
    this.owner = new Owner();
    this.owner.claim();
    this.outbox = new Outbox(this.client.storage, this.id, this.owner, () => {
      this.publish();
      this.delivery?.pump();
    });
    this.delivery = new Delivery(this.outbox, this.postman());
    this.unwatch = watch({
      wake: () => this.wake(),
      rest: () => this.live.stop(),
      hide: () => this.owner?.leave(),
      // Where nobody can tell who is alive, two pages would take the same words from each other for ever.
      elsewhere: () => canTell() && this.outbox?.adopt(),
      offline: () => {
        this.lost = true;
        this.contact.bad();
      },
    });
    this.outbox.adopt();
    void this.load();
  }

  /** Begins a session that has not begun. */
  start(): void {
    const key = `start-${this.id}`;
    if (!this.outbox?.entries.some((kept) => kept.key === key)) this.put({ type: "start" }, 0, { key });
  }

  /** Says something; returns its key, or null when there is nothing to say. `after`: the last message that had been
   * shown when it was written, if that was not the last one there is. */
  send(text: string, more: { after?: number } = {}): string | null {
    const said = whole(text).trim();
    return said === "" ? null : this.put({ type: "message", text: said }, more.after);
  }

  /** Answers with one of the options. */
  choose(value: string, more: { after?: number } = {}): string | null {
    const choice = this.state.request.choices.find((option) => option.value === value);
    return choice ? this.put({ type: "choice", choice: value }, more.after, { label: choice.label }) : null;
  }

  /** Keeps answers of the form that is asked for, however far it has come. */
  fill(values: FormAnswers): string | null {
    return this.answer("form_draft", values);
  }

  /** Hands the form in. What is wrong with it comes back in `request.form.problems`, and nothing is lost. */
  submit(values: FormAnswers = {}): string | null {
    return this.answer("form_submit", values);
  }

  /** Puts the form away. */
  cancel(values: FormAnswers = {}): string | null {
    return this.answer("form_cancel", values);
  }

  /** Asks the reply that is under way to end where it is; what has been shown of it stays. Whether there was one to
   * end. A request that does not arrive is not sent again: `reply` is then "coming" as before. */
  async stop(): Promise<boolean> {
    const turn = this.following.underWay;
    if (turn === null) return false;
    this.stopping = turn;
    this.publish();
    const asked = await this.client.stop(this.id, this.token).catch(() => ({ stopping: false }));
    if (!asked.stopping && this.stopping === turn) this.stopping = null;
    this.publish();
    return asked.stopping;
  }

  /** Takes something back that the person has said. Throws `Problem`. */
  async recall(seq: number): Promise<void> {
    const turn = await this.client.recall(this.id, this.token, newKey(), seq);
    this.following.turn(turn);
    this.publish();
  }

  /** Stops the clock of the session; whatever is said next, or `resume`, goes on. */
  async pause(): Promise<void> {
    this.following.session(await this.client.pause(this.id, this.token));
    this.publish();
  }

  resume(): void {
    this.put({ type: "resume" });
  }

  /** Ends the session, after all that was said before. */
  end(): void {
    this.put({ type: "end" });
  }

  /** Takes something that was refused out of the outbox and gives its words back. What may be on its way stays. */
  discard(key: string): string | null {
    const found = this.outbox?.entries.find((kept) => kept.key === key && kept.refused);
    if (!found) return null;
    this.outbox?.remove(key);
    this.publish();
    return words(found);
  }

  /** Tries at once what is waiting. */
  retry(): void {
    this.wake();
  }

  /** Reads older messages. */
  async earlier(): Promise<void> {
    const before = this.following.transcript.first;
    if (!this.state.more || before <= 1) return;
    const page = await this.client.messages(this.id, this.token, { before, limit: PAGE });
    this.following.transcript.add(page.messages);
    this.publish();
  }

  /** Stops following. The session and the outbox stay as they are; `open()` goes on. */
  leave(): void {
    this.live.stop();
    this.delivery?.stop();
    this.outbox?.stop();
    this.owner?.leave();
    this.unwatch?.();
    this.contact.stop();
    this.loading.cut();
    clearTimeout(this.settling);
    clearTimeout(this.later);
    this.outbox = this.delivery = this.owner = this.unwatch = null;
    this.loaded = false;
  }

  /** Once it is handed in or put away, nothing more is said to it. */
  private answer(type: FormInput["type"], values: FormAnswers): string | null {
    const { form } = this.state.request;
    if (!form || this.state.filling.closing) return null;
    this.open();
    const said = { type, form: { key: form.key, values } };
    const carried = carriedOver(said, this.outbox?.entries ?? []);
    for (const [key, left] of carried.left) this.outbox?.narrow(key, left);
    return this.put({ type, form: { key: form.key, values: carried.values } });
  }

  private put(
    input: Saying,
    after: number | null = this.lastSeen(),
    more: { key?: string; label?: string } = {},
  ): string {
    this.open();
    const key = more.key ?? newKey();
    this.outbox?.add(key, input, after, more.label);
    return key;
  }

  private lastSeen(): number | null {
    return this.loaded ? this.following.transcript.last : null;
  }

  // reading

  private async load(): Promise<void> {
    const outbox = this.outbox;
    const backoff = new Backoff();
    while (outbox === this.outbox && !this.loaded) {
      try {
        const session = await this.client.session(this.id, this.token);
        const page = await this.newest(session);
        if (outbox !== this.outbox) return;
        this.following.session(session);
        this.following.transcript.add(page);
        this.loaded = true;
        this.contact.ok();
        if (!session.restorable) return this.fail(new Problem("cannot-restore", 409));
        if (!this.isOver()) this.live.start(session.last_event_id);
      } catch (error) {
        const problem = asProblem(error);
        if (!problem.passing) return this.fail(problem);
        this.contact.bad();
        await this.loading.for(backoff.next(problem.retryAfter));
      }
    }
    this.publish();
    this.delivery?.pump();
  }

  private async newest(session: Session): Promise<Message[]> {
    if (session.last_message === 0) return [];
    const page = { before: session.last_message + 1, limit: PAGE };
    return (await this.client.messages(this.id, this.token, page)).messages;
  }

  /** Looks whether anything was missed; called again meanwhile, it looks once more. */
  private sync(): Promise<void> {
    this.syncAgain = this.syncing !== null;
    this.syncing ??= this.catchUp().finally(() => {
      this.syncing = null;
      if (this.syncAgain && this.outbox) void this.sync();
    });
    return this.syncing;
  }

  private async catchUp(): Promise<void> {
    try {
      const session = await this.client.session(this.id, this.token);
      this.contact.ok();
      this.following.session(session);
      await this.readUpTo(session.last_message);
      this.looking.reset();
      if (this.isOver()) this.live.stop();
    } catch (error) {
      const problem = asProblem(error);
      if (!problem.passing) return this.fail(problem);
      this.contact.bad();
      clearTimeout(this.later);
      this.later = setTimeout(() => this.outbox && void this.sync(), this.looking.next(problem.retryAfter));
    }
    this.publish();
  }

  /** Reads the messages that are missing up to `upto`. */
  private async readUpTo(upto: number): Promise<void> {
    const { transcript } = this.following;
    for (let after = transcript.gap(upto); after !== null; after = transcript.gap(upto)) {
      const { messages } = await this.client.messages(this.id, this.token, { after, limit: PAGE });
      if (!transcript.add(messages)) transcript.leaveOut(after);
    }
  }

  private follower(): Follower {
    return {
      changed: () => this.publish(),
      missed: () => void this.sync(),
      completed: () => {
        clearTimeout(this.settling);
        this.settling = setTimeout(() => this.delivery?.doubt(), SETTLED);
      },
    };
  }

  // the way

  private connected(): void {
    this.contact.ok();
    if (this.loaded) void this.sync();
  }

  /** Something in between may swallow streams and nothing else: then we look every now and then. */
  private disconnected(problem: Problem | null): void {
    this.contact.bad();
    if (problem) void this.sync();
  }

  private wake(): void {
    if (!this.outbox || this.problem) return;
    this.loading.cut();
    this.owner?.claim();
    this.outbox.adopt();
    this.delivery?.hurry();
    if (!this.loaded) return;
    if (!this.isOver()) this.live.wake(this.lost);
    this.lost = false;
    void this.sync();
  }

  private fail(problem: Problem): void {
    this.problem = problem;
    this.live.stop();
    this.delivery?.stop();
    this.contact.ok();
    this.publish();
  }

  private postman() {
    return {
      post: (kept: Kept, follows: string | null, signal: AbortSignal) => this.post(kept, follows, signal),
      taken: (kept: Kept, turn: Turn) => {
        this.contact.ok();
        this.following.turn(turn);
        this.claim(kept);
        this.outbox?.remove(kept.key);
        this.publish();
      },
      refused: (kept: Kept, problem: Problem) => {
        this.contact.ok();
        if (words(kept) === null && !this.isFilled(kept)) this.outbox?.remove(kept.key);
        else this.outbox?.refuse(kept.key, documentOf(problem), problem.status);
        void this.sync();
      },
      disturbed: (problem: Problem) => {
        // A turn that takes too long says nothing about the way; looking does.
        if (problem.code === "timeout") void this.sync();
        else if (problem.status === 0) this.contact.bad();
        this.publish();
      },
      barred: (problem: Problem) => this.fail(problem),
      changed: () => this.publish(),
    };
  }

  /** Whether it is of the form that is being filled: what was typed there stays until it is mended or put away. */
  private isFilled({ input }: Kept): boolean {
    return "form" in input && input.form.key === this.following.request.form?.key;
  }

  private post({ key, input, after }: Kept, follows: string | null, signal: AbortSignal): Promise<Turn> {
    const more = { signal, timeout: PATIENCE };
    if (input.type === "end") return this.client.end(this.id, this.token, key, more);
    if (input.type === "resume") return this.client.resume(this.id, this.token, key, more);
    const turn = { key, ...(after === null ? {} : { after }), ...(follows === null ? {} : { follows }), input };
    return this.client.turn(this.id, this.token, turn, more);
  }

  // showing

  /** The words that `kept` was are in the transcript, and no later entry may take them for its own. */
  private claim(kept: Kept): void {
    const { messages } = this.following.transcript;
    const others = unseen([kept], messages, this.claimed);
    for (const seq of others.found.values()) this.claimed.add(seq);
  }

  private publish(): void {
    const { following } = this;
    const entries = this.outbox?.entries ?? [];
    const { transcript } = following;
    const waiting = unseen(entries, transcript.messages, this.claimed).left;
    this.state = {
      session: following.current,
      messages: transcript.messages,
      growing: following.growing,
      more: transcript.first > 1,
      request: following.request,
      progress: following.progress,
      position: following.position,
      status: this.status(entries),
      reply: this.reply(),
      outbox: waiting.map((kept) => this.entry(kept)),
      inCrisis: following.inCrisis,
      human: following.human,
      quiet: following.quiet,
      typing: following.typing,
      problem: this.problem,
      filling: fillingOf(following.request.form ?? null, entries),
    };
    for (const listener of [...this.listeners]) listener(this.state);
  }

  private status(entries: readonly Kept[]): Status {
    const waiting = entries.filter(
      (kept) => !kept.refused && (kept.input.type !== "form_draft" || this.delivery?.retrying),
    );
    if (this.problem) return "failed";
    if (this.isOver()) return "ended";
    if (this.contact.offline) return "offline";
    if (!this.following.current) return "loading";
    if (this.following.underWay !== null) return "thinking";
    if (waiting.length > 0) return this.delivery?.retrying ? "retrying" : "thinking";
    return this.following.current.paused ? "paused" : "ready";
  }

  private reply(): ConversationState["reply"] {
    const turn = this.following.underWay;
    if (turn === null || this.problem || this.isOver()) return "none";
    return turn === this.stopping ? "stopping" : "coming";
  }

  private isOver(): boolean {
    const status = this.following.current?.status;
    return status === "ended" || status === "archived";
  }

  private entry(kept: Kept): Entry {
    const { key, input, after, at, refused } = kept;
    const state = refused ? "refused" : this.delivery?.isSending(key) ? "sending" : "waiting";
    const problem = refused ? Problem.of(refused.document, refused.status) : null;
    return { key, input, after, at, state, problem, ...(kept.label === undefined ? {} : { label: kept.label }) };
  }
}

/** What a person said by it; null for what has no words. */
function words({ input, label }: Kept): string | null {
  if (input.type === "message") return input.text;
  return input.type === "choice" ? (label ?? input.choice) : null;
}

/** Half of a surrogate pair cannot be sent; browsers produce them when an emoji is cut. */
function whole(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}

function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem("network", 0);
}

function documentOf({ code, title, detail, reference }: Problem): ProblemDocument {
  return { code, title, detail, reference };
}
