import { newKey } from "./key.js";

/** A page that is alive. While it is, it holds a lock by its name, which the browser releases when the page dies in
 * whatever way. A page that is only put away (`pagehide`) may never come back, and lets go of it as well. */
export class Owner {
  readonly id = newKey();
  private release: (() => void) | null = null;

  claim(): void {
    if (this.release) return;
    const held = new Promise<void>((resolve) => {
      this.release = resolve;
    });
    locks()
      ?.request(name(this.id), () => held)
      .catch(() => {});
  }

  leave(): void {
    this.release?.();
    this.release = null;
  }
}

/** Calls `then` once nobody by the name of `owner` is alive. Without the Web Locks API (plain http) nobody can tell, and
 * it is called at once: to send something twice is safe, because it has a key, and to send it never is not. */
export function whenGone(owner: string, signal: AbortSignal, then: () => void): void {
  const shared = locks();
  if (!shared) then();
  else shared.request(name(owner), { signal }, then).catch(() => {});
}

/** Whether it can be known who is alive. */
export function canTell(): boolean {
  return locks() !== undefined;
}

function locks(): LockManager | undefined {
  return (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;
}

function name(owner: string): string {
  return `heartrule.owner.${owner}`;
}
