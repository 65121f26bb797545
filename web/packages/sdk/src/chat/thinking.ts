import type { ReactiveController, ReactiveControllerHost } from "lit";

/** A quick answer needs no sign that it is coming. */
const SOON = 400;
const LONG = 8_000;

/** How long it has been thinking: not worth showing, shown, or so long that something has to be said about it. */
export class Thinking implements ReactiveController {
  stage: "none" | "shown" | "long" = "none";
  private timers: ReturnType<typeof setTimeout>[] = [];
  private on = false;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  set(on: boolean): void {
    if (on === this.on) return;
    this.on = on;
    this.hostDisconnected();
    if (!on) return;
    this.timers = [setTimeout(() => this.turn("shown"), SOON), setTimeout(() => this.turn("long"), LONG)];
  }

  hostDisconnected(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
    this.stage = "none";
  }

  private turn(stage: "shown" | "long"): void {
    this.stage = stage;
    this.host.requestUpdate();
  }
}
