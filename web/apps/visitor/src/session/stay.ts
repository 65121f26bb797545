/** Milliseconds on screen after which somebody is reminded of it. */
export const LONG = 60 * 60_000;

/** How long a conversation has been on screen; calls `reached` once it has been long. What passes while nobody looks does
 * not count. */
export class Stay {
  private spent = 0;
  private since: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly reached: () => void) {}

  /** Whether it is being looked at now. */
  set(looking: boolean): void {
    if (looking === (this.since !== null)) return;
    clearTimeout(this.timer);
    if (looking) {
      this.since = Date.now();
      if (this.spent < LONG) this.timer = setTimeout(() => this.end(), LONG - this.spent);
      return;
    }
    this.spent += Date.now() - (this.since ?? Date.now());
    this.since = null;
  }

  private end(): void {
    this.spent = LONG;
    this.reached();
  }
}
