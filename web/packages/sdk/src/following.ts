import { type Growing, Growth } from "./growth.js";
import type { Human, Message, MessageDelta, Position, Progress, Request, Session, Turn } from "./shapes.js";
import type { ServerEvent } from "./sse.js";
import { nothing } from "./state.js";
import { Transcript } from "./transcript.js";

/** No turn takes longer, and its end may have been missed. */
const LONGEST_TURN = 120_000;

export interface Follower {
  changed(): void;
  /** Something is missing and has to be read. */
  missed(): void;
  /** An event says that a turn is over. */
  completed(): void;
}

/** So long it is shown that a human is writing. */
const WRITING = 6_000;

type Standing = Pick<Turn, "request" | "progress" | "position" | "in_crisis" | "human" | "quiet">;

/** The session as the server tells it: by events, by answers and by looking. They may come doubled and in any order;
 * what is newer is told by the number of the turn. */
export class Following {
  readonly transcript = new Transcript();
  private readonly growth = new Growth();
  current: Session | null = null;
  request: Request = nothing.request;
  progress: Progress = nothing.progress;
  position: Position | null = null;
  inCrisis = false;
  human: Human | null = null;
  quiet = false;
  private wrote = 0;
  private completedTurn = -1;
  private eventTurn = -1;
  private readonly running = new Map<number, number>();

  constructor(private readonly follower: Follower) {}

  /** The turn that somebody is at work on; null when nobody is. */
  get underWay(): number | null {
    const since = Date.now() - LONGEST_TURN;
    const running = [...this.running].filter(([, start]) => start > since).map(([seq]) => seq);
    return running.length > 0 ? Math.max(...running) : null;
  }

  /** Whether the human who holds the session is writing something. */
  get typing(): boolean {
    return this.human !== null && Date.now() - this.wrote < WRITING;
  }

  /** What is being written, and what was until its message comes: nothing that has been shown goes away. */
  get growing(): readonly Growing[] {
    const { transcript, completedTurn } = this;
    return this.growth.keep(({ seq, turn }) => (turn > completedTurn ? !transcript.has(seq) : seq > transcript.last));
  }

  /** A look at the session. */
  session(session: Session): void {
    if (session.last_event_id < (this.current?.last_event_id ?? 0)) return;
    this.current = session;
    this.stand(session.turn, session, session.status === "ended" || session.status === "archived");
  }

  /** The answer to something that we sent. */
  turn(turn: Turn): void {
    this.transcript.add(turn.messages);
    this.over(turn);
    this.look();
  }

  event({ event, data }: ServerEvent): void {
    const told: unknown = parse(data);
    if (told === undefined) this.follower.missed();
    else if (event === "message.completed") this.message(told as Message);
    else if (event === "message.delta") this.delta(told as MessageDelta);
    else if (event === "turn.started") this.started((told as Pick<Turn, "turn">).turn.seq);
    else if (event === "turn.completed") this.completed(told as Turn);
    else if (event === "choice.requested") this.meanwhile(() => (this.request = told as Request));
    else if (event === "progress") this.meanwhile(() => (this.progress = told as Progress));
    else if (event === "human.typing") this.writing();
    else if (event === "error" || event === "turn.failed") this.running.clear();
    this.follower.changed();
  }

  private writing(): void {
    this.wrote = Date.now();
    setTimeout(() => this.follower.changed(), WRITING);
  }

  private message(message: Message): void {
    this.transcript.add([message]);
    if (message.sender === "human") this.wrote = 0;
    this.eventTurn = Math.max(this.eventTurn, message.turn);
    this.look();
  }

  /** What comes of a turn that is over comes too late. */
  private delta(delta: MessageDelta): void {
    if (delta.turn > this.completedTurn && !this.transcript.has(delta.number)) this.growth.add(delta);
  }

  private started(seq: number): void {
    this.eventTurn = Math.max(this.eventTurn, seq);
    if (seq > this.completedTurn) this.running.set(seq, Date.now());
  }

  private completed(turn: Turn): void {
    this.follower.completed();
    this.over(turn);
  }

  private over(turn: Turn): void {
    this.transcript.recall(turn.recalled ?? []);
    const last = turn.execution_status !== "waiting_input";
    // At once, so that it is never somebody's turn in between.
    if (last && this.current && this.current.status !== "archived") this.current = { ...this.current, status: "ended" };
    this.stand(turn.turn.seq, turn, last);
    // A turn may have ended the session or woken it: how it stands now is not said by the turn.
    const awake = this.current?.status === "active" && !this.current.paused;
    if (turn.execution_status !== "waiting_input" || !awake) this.follower.missed();
  }

  /** What belongs to a turn under way counts only while nothing later is known. */
  private meanwhile(change: () => void): void {
    if (this.eventTurn > this.completedTurn) change();
  }

  /** Who was in a crisis when it ended is in one still, even where the server says no more of it. */
  private stand(turn: number, standing: Standing, ended: boolean): void {
    for (const seq of this.running.keys()) if (seq <= turn) this.running.delete(seq);
    if (turn < this.completedTurn) return;
    this.completedTurn = turn;
    this.request = standing.request;
    this.progress = standing.progress;
    this.position = standing.position;
    this.human = ended ? null : (standing.human ?? null);
    this.quiet = !ended && (standing.quiet ?? false);
    this.inCrisis = standing.in_crisis || (ended && this.inCrisis);
  }

  private look(): void {
    if (this.transcript.gap(0) !== null) this.follower.missed();
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
