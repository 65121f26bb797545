import { Backoff } from "./backoff.js";
import { Pause } from "./pause.js";
import { Problem } from "./problem.js";
import { EventParser, type ServerEvent } from "./sse.js";

/** The server sends at least a comment every 15 seconds. */
const SILENCE = 40_000;
const DOUBTFUL = 20_000;

export interface Listener {
  event(event: ServerEvent): void;
  /** Connected (again). */
  up(): void;
  /** Something came, if only a comment. */
  alive(): void;
  /** Not connected; another try follows. */
  down(problem: Problem | null): void;
  /** The server will not have us. No other try follows. */
  refused(problem: Problem): void;
}

/** The live events of a session, connected again and again until `stop`. */
export class Live {
  lastId: number | null = null;
  private running: AbortController | null = null;
  private connection: AbortController | null = null;
  private heard = 0;
  private readonly pause = new Pause();
  private readonly backoff = new Backoff();

  constructor(
    private readonly open: (lastId: number | null, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
    private readonly listener: Listener,
  ) {}

  start(lastId: number): void {
    this.lastId ??= lastId;
    if (this.running) return;
    this.running = new AbortController();
    void this.run(this.running.signal);
  }

  stop(): void {
    this.running?.abort();
    this.running = null;
    this.connection?.abort();
    this.pause.cut();
  }

  /** Connects now if there is no connection, or one that has been silent for longer than it should; `anew`: in any
   * case, for the network is another one. */
  wake(anew: boolean): void {
    if (!this.running && this.lastId !== null) this.start(this.lastId);
    this.backoff.reset();
    if (anew || Date.now() - this.heard > DOUBTFUL) this.connection?.abort();
    this.pause.cut();
  }

  private async run(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      const problem = await this.connect(stopped);
      if (stopped.aborted) return;
      if (problem && !problem.passing) {
        this.running = null;
        this.listener.refused(problem);
        return;
      }
      this.listener.down(problem);
      await this.pause.for(this.backoff.next(problem?.retryAfter ?? null));
    }
  }

  /** One connection from beginning to end; the problem, if that is what ended it. */
  private async connect(stopped: AbortSignal): Promise<Problem | null> {
    const connection = new AbortController();
    this.connection = connection;
    this.heard = Date.now();
    try {
      const stream = await this.open(this.lastId, connection.signal);
      this.listener.up();
      await this.read(stream, connection, stopped);
      return null;
    } catch (error) {
      return error instanceof Problem ? error : new Problem("network", 0);
    } finally {
      connection.abort();
    }
  }

  private async read(
    stream: ReadableStream<Uint8Array>,
    connection: AbortController,
    stopped: AbortSignal,
  ): Promise<void> {
    const parser = new EventParser();
    const reader = stream.getReader();
    const cancel = () => void reader.cancel().catch(() => {});
    connection.signal.addEventListener("abort", cancel);
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    try {
      for (;;) {
        clearTimeout(watchdog);
        watchdog = setTimeout(() => connection.abort(), SILENCE);
        const { done, value } = await reader.read();
        if (done || stopped.aborted || connection.signal.aborted) return;
        this.heard = Date.now();
        this.backoff.reset();
        this.listener.alive();
        for (const event of parser.push(value)) this.take(event);
      }
    } finally {
      clearTimeout(watchdog);
    }
  }

  /** The id is taken after the event: should it throw, it comes again. */
  private take(event: ServerEvent): void {
    this.listener.event(event);
    const id = Number(event.id);
    if (event.id !== null && Number.isSafeInteger(id) && id > (this.lastId ?? -1)) this.lastId = id;
  }
}
