import type { Client } from "./client.js";
import { type ConversationState, nothing } from "./state.js";

/** One held session. */
export class Conversation {
  state: ConversationState = nothing;

  constructor(
    readonly client: Client,
    readonly id: string,
    readonly token: string,
  ) {}

  /** Calls `listener` after every change; returns how to stop that. */
  subscribe(_listener: (state: ConversationState) => void): () => void {
    return () => {};
  }

  /** Reads the session and follows it. */
  open(): void {}
  /** Begins a session that has not begun. */
  start(): void {}
  /** Says something; returns its key, or null when there is nothing to say. */
  send(_text: string, _more?: { after?: number }): string | null {
    return null;
  }
  /** Answers with one of the options. */
  choose(_value: string): string | null {
    return null;
  }
  async pause(): Promise<void> {}
  resume(): void {}
  /** Ends the session, after all that was said before. */
  end(): void {}
  /** Takes something that was refused (or has not been sent yet) out of the outbox and gives its words back. */
  discard(_key: string): string | null {
    return null;
  }
  /** Tries at once what is waiting. */
  retry(): void {}
  /** Reads older messages. */
  async earlier(): Promise<void> {}
  /** Stops following. The session and the outbox stay as they are. */
  leave(): void {}
}
