import type { MessageDelta } from "./shapes.js";

/** A reply that is still being written, as far as it has come. */
export interface Growing {
  /** What the `seq` of the message will be, and of its turn. */
  readonly seq: number;
  readonly turn: number;
  readonly content: string;
  /** When the first of it came. */
  readonly at: string;
}

/** Replies while they are written. What is here only gets longer, whatever comes again, late or out of order. */
export class Growth {
  private all: readonly Growing[] = [];

  /** A part that does not follow on what is known is left out: the message will bring it. */
  add({ turn, number, offset, text }: MessageDelta): void {
    const known = this.all.find(({ seq }) => seq === number);
    // Characters are counted as the server counts them, by code points.
    const length = [...(known?.content ?? "")].length;
    const fresh = offset > length ? "" : [...text].slice(length - offset).join("");
    if (fresh === "") return;
    const content = (known?.content ?? "") + fresh;
    const grown = { seq: number, turn, content, at: known?.at ?? new Date().toISOString() };
    const others = this.all.filter(({ seq }) => seq !== number);
    this.all = [...others, grown].sort((one, other) => one.seq - other.seq);
  }

  /** Forgets what is not `wanted` any more, and gives the rest. */
  keep(wanted: (growing: Growing) => boolean): readonly Growing[] {
    if (!this.all.every(wanted)) this.all = this.all.filter(wanted);
    return this.all;
  }
}
