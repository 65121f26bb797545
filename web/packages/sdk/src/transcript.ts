import type { Message } from "./shapes.js";

/** Messages in their order, none twice, whatever order they come in and how often. */
export class Transcript {
  messages: readonly Message[] = [];
  private readonly holes = new Set<number>();

  /** Whether anything was new. */
  add(messages: readonly Message[]): boolean {
    const known = new Set(this.messages.map((message) => message.seq));
    const fresh = messages.filter((message) => !known.has(message.seq) && known.add(message.seq));
    if (fresh.length === 0) return false;
    this.messages = [...this.messages, ...fresh].sort((one, other) => one.seq - other.seq);
    return true;
  }

  /** The words of these are gone for good, whoever may still hold them. Whether anything changed. */
  recall(seqs: readonly number[]): boolean {
    const gone = new Set(seqs);
    const known = this.messages.some(({ seq, recalled }) => gone.has(seq) && !recalled);
    if (known) {
      this.messages = this.messages.map((message) =>
        gone.has(message.seq) ? { ...message, content: "", media: [], recalled: true } : message,
      );
    }
    return known;
  }

  has(seq: number): boolean {
    return this.messages.some((message) => message.seq === seq);
  }

  get first(): number {
    return this.messages[0]?.seq ?? 0;
  }

  get last(): number {
    return this.messages.at(-1)?.seq ?? 0;
  }

  /** The `seq` after which messages are missing, when the newest is known to be `upto`; null when none are. */
  gap(upto: number): number | null {
    const at = this.messages.findIndex(({ seq }, index) => {
      const next = this.messages[index + 1]?.seq ?? Math.max(upto, seq) + 1;
      return next > seq + 1 && !this.holes.has(seq);
    });
    if (this.messages.length === 0) return upto > 0 && !this.holes.has(0) ? 0 : null;
    return at < 0 ? null : (this.messages[at]?.seq ?? null);
  }

  /** There is nothing to be had after `seq`: do not ask for it again and again. */
  leaveOut(seq: number): void {
    this.holes.add(seq);
  }
}
