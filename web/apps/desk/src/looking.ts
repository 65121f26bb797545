import { Problem } from "@heartrule/sdk";
import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Looks again every so often, and at once when the page is shown; not while it is hidden. */
export class Looking implements ReactiveController {
  /** Whether the last look came to nothing. */
  failed = false;
  private shown = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `every`: milliseconds between looks. `ask` gets what is shown; the host is sent `refused` when it may not. */
  constructor(
    private readonly host: ReactiveControllerHost & EventTarget,
    private readonly every: number,
    private readonly ask: () => Promise<void>,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.shown = true;
    document.addEventListener("visibilitychange", this.onShown);
    void this.look();
  }

  hostDisconnected(): void {
    this.shown = false;
    document.removeEventListener("visibilitychange", this.onShown);
    clearTimeout(this.timer);
  }

  async look(): Promise<void> {
    clearTimeout(this.timer);
    try {
      await this.ask();
      this.failed = false;
    } catch (error) {
      if (error instanceof Problem && (error.status === 401 || error.status === 403)) {
        this.host.dispatchEvent(new Event("refused"));
        return;
      }
      this.failed = true;
    }
    this.host.requestUpdate();
    clearTimeout(this.timer);
    if (this.shown && document.visibilityState === "visible") this.timer = setTimeout(() => this.look(), this.every);
  }

  private readonly onShown = () => {
    if (document.visibilityState === "visible") void this.look();
  };
}
