const FIRST = 500;
const LONGEST = 10_000;

/** How long to wait before the next try: doubling, with jitter, so that a restarted server is not met by everybody at
 * the same moment. Milliseconds. */
export class Backoff {
  private tries = 0;

  next(atLeast: number | null = null): number {
    const most = Math.min(LONGEST, FIRST * 2 ** this.tries);
    this.tries += 1;
    return Math.max(most * (0.5 + Math.random() / 2), atLeast ?? 0);
  }

  reset(): void {
    this.tries = 0;
  }
}
