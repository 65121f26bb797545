/** Waits that can be cut short. */
export class Pause {
  private end: (() => void) | null = null;

  async for(milliseconds: number): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.end = null;
  }

  cut(): void {
    this.end?.();
    this.end = null;
  }
}
