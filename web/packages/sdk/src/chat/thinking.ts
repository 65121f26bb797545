import type { ReactiveController, ReactiveControllerHost } from "lit";

/** A quick answer needs no sign that it is coming. */
const SOON = 200;
const LONG = 6_000;
const LONGER = 12_000;

/** How long nothing has come: not worth showing, shown, or so long that something has to be said about it. */
export class Thinking implements ReactiveController {
  stage: "none" | "shown" | "long" | "longer" = "none";
  private since = 0;
  private timers: ReturnType<typeof setTimeout>[] = [];
  private on = false;
  private come = 0;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  /** `come`: how much of the answer is there. With each more of it the wait begins anew. */
  set(on: boolean, come: number): void {
    if (on === this.on && come === this.come) return;
    const before = this.on ? this.stage : "none";
    if (on && !this.on) this.since = Date.now();
    this.on = on;
    this.come = come;
    this.hostDisconnected();
    if (!on) return;
    if (come > 0 && before !== "none") this.stage = "shown";
    this.timers = [
      setTimeout(() => this.turn("shown"), SOON),
      setTimeout(() => this.turn("long"), LONG),
      setTimeout(() => this.turn("longer"), LONGER),
    ];
  }

  /** How long it has lasted. */
  get seconds(): number {
    return (Date.now() - this.since) / 1000;
  }

  hostDisconnected(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
    this.stage = "none";
  }

  private turn(stage: Thinking["stage"]): void {
    this.stage = stage;
    // What is said of the wait counts down, in steps that may be heard too.
    if (stage === "longer") this.timers.push(setTimeout(() => this.turn("longer"), LONG));
    this.host.requestUpdate();
  }
}
