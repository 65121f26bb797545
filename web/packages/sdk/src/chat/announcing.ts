import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { ConversationState } from "../state.js";

/** So many replies at most are announced after having been away. */
const ANNOUNCED = 20;
/** Milliseconds after which an announcement is taken away, so that nobody who reads on meets it a second time. */
const HEARD = 20_000;
/** Up to the end of the last sentence that is whole. */
const SENTENCES = /^[\s\S]*(?:[。！？…\n]|[.!?](?=["'”’」』）)\]]*(?:\s|$)))["'”’」』）)\]]*\s*/u;

/** What those who listen are told: each reply once, sentence by sentence while it is written. */
export class Announcing implements ReactiveController {
  /** The newest message that need not be announced any more; null until the session has been read. */
  private from: number | null = null;
  private last = 0;
  private readonly told = new Map<number, readonly string[]>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  /** Each a key and something to be said. */
  get pieces(): readonly (readonly [string, string])[] {
    const replies = [...this.told].slice(-ANNOUNCED);
    return replies.flatMap(([seq, pieces]) => pieces.map((piece, at) => [`${seq}.${at}`, piece] as const));
  }

  /** What stands when the session is first read is not announced. */
  take({ session, messages, growing }: ConversationState): void {
    if (!session) return;
    this.last = messages.at(-1)?.seq ?? 0;
    this.from ??= this.last;
    for (const { seq, content } of growing) this.tell(seq, content, SENTENCES.exec(this.fresh(seq, content))?.[0]);
    for (const { seq, sender, name, content } of messages) {
      if (sender !== "person") this.tell(seq, sender === "human" ? `${name}: ${content}` : content);
    }
    this.hear();
  }

  hostDisconnected(): void {
    this.reset();
  }

  /** Another session is read. */
  reset(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.told.clear();
    this.from = null;
  }

  private fresh(seq: number, content: string): string {
    return content.slice(this.told.get(seq)?.join("").length ?? 0);
  }

  private tell(seq: number, content: string, piece = this.fresh(seq, content)): void {
    if (seq > (this.from ?? 0) && piece.trim() !== "") this.told.set(seq, [...(this.told.get(seq) ?? []), piece]);
  }

  private hear(): void {
    const { last } = this;
    if (!this.timer && last > (this.from ?? last)) this.timer = setTimeout(() => this.forget(last), HEARD);
  }

  private forget(upto: number): void {
    this.timer = undefined;
    this.from = upto;
    this.hear();
    for (const seq of this.told.keys()) if (seq <= upto) this.told.delete(seq);
    this.host.requestUpdate();
  }
}
