import { expect } from "vitest";
import type { Conversation } from "../src/conversation.js";

/** Somebody who reads along: what they have read of a message never goes away, never changes, never comes twice. */
export class Reader {
  /** By its number, what has been shown of each message of the AI. */
  readonly read = new Map<number, string>();
  /** How often something was added to a message that was there. */
  grown = 0;

  constructor(private readonly conversation: Conversation) {
    conversation.subscribe(() => this.look());
  }

  end(): void {
    this.look();
    expect(this.conversation.state.growing).toEqual([]);
    expect(this.conversation.state.reply).toBe("none");
  }

  private look(): void {
    const { messages, growing } = this.conversation.state;
    const spoken = [...messages, ...growing].filter((each) => !("sender" in each) || each.sender !== "person");
    const shown = new Map(spoken.map(({ seq, content }) => [seq, content]));
    expect(shown.size).toBe(spoken.length);
    for (const [seq, before] of this.read) {
      const now = shown.get(seq);
      expect(now?.slice(0, before.length)).toBe(before);
      if (now !== before) this.grown += 1;
    }
    for (const [seq, content] of shown) this.read.set(seq, content);
  }
}
