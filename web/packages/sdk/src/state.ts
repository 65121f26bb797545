import { type Filling, unfilled } from "./filling.js";
import type { Growing } from "./growth.js";
import type { Problem } from "./problem.js";
import type { Human, Input, Message, Position, Progress, Request, Session } from "./shapes.js";

/**
 * - `loading`: nothing has been read yet
 * - `ready`: it is the person's turn
 * - `thinking`: somebody is at work on an answer
 * - `retrying`: the server is there but has not taken what was said; it is being tried again
 * - `offline`: nothing has come from the server for a while; we come back by ourselves
 * - `paused`, `ended`
 * - `failed`: the session cannot be held from here (`problem` says why); what was said stays in the outbox
 */
export type Status = "loading" | "ready" | "thinking" | "retrying" | "offline" | "paused" | "ended" | "failed";

export type Saying = Input | { type: "end" };

/** Something the person said or did that the server has not confirmed. */
export interface Entry {
  readonly key: string;
  readonly input: Saying;
  /** The last message that had been shown when it was said; null when that is not known, because nothing had been read. */
  readonly after: number | null;
  /** When it was said, in milliseconds since 1970. */
  readonly at: number;
  /** `waiting`: for its turn or for the next try. `sending`: on its way. `refused`: the server will not have it. */
  readonly state: "waiting" | "sending" | "refused";
  readonly problem: Problem | null;
  /** The label of the option that was chosen. */
  readonly label?: string;
}

/** A conversation as it stands; a new object each time that something changes. */
export interface ConversationState {
  readonly session: Session | null;
  /** Ordered by `seq`, none twice. */
  readonly messages: readonly Message[];
  /** Replies that are being written, each until it is among `messages`; it then begins with what it was here. */
  readonly growing: readonly Growing[];
  /** There are older messages that have not been read; `earlier()` reads them. */
  readonly more: boolean;
  readonly request: Request;
  readonly progress: Progress;
  readonly position: Position | null;
  readonly status: Status;
  /** Whether somebody is at work on a turn, and has been asked to end it (`stop()`). */
  readonly reply: "none" | "coming" | "stopping";
  /** What the transcript does not show yet, in the order in which it was said. */
  readonly outbox: readonly Entry[];
  /** Whether the session stands in a crisis, or ended in one. */
  readonly inCrisis: boolean;
  /** The human who speaks in the program's place. */
  readonly human: Human | null;
  /** A human has left, and the program says nothing until the person does. */
  readonly quiet: boolean;
  /** That human is writing something. */
  readonly typing: boolean;
  readonly problem: Problem | null;
  /** Of the form that is asked for: what has been filled in and is on its way, over `request.form.values`, and whether
   * it is being handed in or put away. */
  readonly filling: Filling;
}

export const nothing: ConversationState = {
  session: null,
  messages: [],
  growing: [],
  more: false,
  request: { type: "none", choices: [] },
  progress: { phases: [], milestones: [] },
  position: null,
  status: "loading",
  reply: "none",
  outbox: [],
  inCrisis: false,
  human: null,
  quiet: false,
  typing: false,
  problem: null,
  filling: unfilled,
};
