import { Backoff } from "../../backoff.js";
import type { Client } from "../../client.js";
import { Pause } from "../../pause.js";
import { Problem } from "../../problem.js";
import type { Created, NewSession } from "../../shapes.js";

export interface Maker {
  made: (created: Created) => void;
  /** The server is not there, or busy; it is being tried again. */
  disturbed: () => void;
  /** It will not have it. */
  refused: (problem: Problem) => void;
}

/** Makes one session, however often that has to be tried. */
export class Making {
  private readonly pause = new Pause();
  private over = false;

  constructor(
    private readonly client: Client,
    private readonly wanted: NewSession,
    private readonly maker: Maker,
  ) {
    void this.make();
  }

  /** Tries at once. */
  hurry(): void {
    this.pause.cut();
  }

  leave(): void {
    this.over = true;
    this.pause.cut();
  }

  private async make(): Promise<void> {
    const backoff = new Backoff();
    while (!this.over) {
      try {
        const created = await this.client.create(this.wanted);
        if (!this.over) this.maker.made(created);
        return;
      } catch (error) {
        const problem = error instanceof Problem ? error : new Problem("network", 0);
        if (this.over) return;
        if (!problem.passing) return this.maker.refused(problem);
        this.maker.disturbed();
        await this.pause.for(backoff.next(problem.retryAfter));
      }
    }
  }
}
