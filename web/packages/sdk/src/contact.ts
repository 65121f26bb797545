const GRACE = 1_500;

/** Whether the server can be reached. A stream that ends is usually back within a second, and not worth alarming
 * anybody about. */
export class Contact {
  offline = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly changed: () => void) {}

  ok(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.set(false);
  }

  bad(): void {
    this.timer ??= setTimeout(() => this.set(true), GRACE);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private set(offline: boolean): void {
    if (this.offline === offline) return;
    this.offline = offline;
    this.changed();
  }
}
