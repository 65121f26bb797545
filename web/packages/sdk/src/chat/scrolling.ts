import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Pixels from the end that still count as the end; zoomed pages do not hit it exactly. */
const NEAR = 48;
/** Pixels of a message's end that may be cut off. */
const SLACK = 8;

/** Stays at the end of a transcript as long as the reader does, and leaves a reader who has scrolled up in peace. */
export class Scrolling implements ReactiveController {
  /** The reader is at the end. */
  atEnd = true;
  /** Something is being filled in: nothing moves by itself. */
  still = false;
  /** What stands there is the beginning, and nobody has read on: it is shown from its first word. */
  opening = false;
  private area: HTMLElement | null = null;
  /** Where the reader was when it was last looked. */
  private top = 0;
  private observer: ResizeObserver | null = null;

  constructor(
    private readonly host: ReactiveControllerHost & { renderRoot: HTMLElement | DocumentFragment },
    private readonly moved: () => void,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const area = this.host.renderRoot.querySelector<HTMLElement>(".scroll");
    if (area === this.area) return;
    this.hostDisconnected();
    this.area = area;
    if (!area) return;
    area.addEventListener("scroll", this.scrolled, { passive: true });
    if (typeof ResizeObserver === "undefined") return;
    // A phone's keyboard makes the area smaller under the reader.
    this.observer = new ResizeObserver(() => this.stay());
    this.observer.observe(area);
  }

  hostDisconnected(): void {
    this.area?.removeEventListener("scroll", this.scrolled);
    this.observer?.disconnect();
    this.area = null;
  }

  /** Whatever the reader looked at is gone: what comes is shown. */
  begin(): void {
    this.atEnd = true;
    this.top = 0;
  }

  /** Back to the end, where something below has grown under a reader who is there. */
  stay(): void {
    if (this.opening) this.scrolled();
    else if (this.atEnd && !this.still && !this.hasLeft()) this.toEnd();
  }

  toEnd(): void {
    this.opening = false;
    if (!this.area) return;
    this.area.scrollTop = this.area.scrollHeight;
    this.scrolled();
  }

  /** Shows `node` from its beginning, and stays there. */
  show(node: HTMLElement): void {
    if (!this.area) return;
    this.still = true;
    this.area.scrollTop = this.topOf(node);
    this.scrolled();
  }

  /** Shows what is new from its beginning on, should it be longer than fits; where `last` is given, from the beginning
   * of that at the latest, and as much before it as there is room for. Who has read on beyond that is not taken back. */
  follow(first: HTMLElement | null, last: HTMLElement | null = null): void {
    if (this.opening) {
      this.scrolled();
      return;
    }
    if (!this.area || !this.atEnd || this.hasLeft()) return;
    const { area } = this;
    const top = this.topOf(last && this.topOf(last) > area.scrollHeight - area.clientHeight ? null : (last ?? first));
    area.scrollTop = top < area.scrollTop ? area.scrollHeight : Math.min(top, area.scrollHeight);
    this.scrolled();
  }

  private topOf(node: HTMLElement | null): number {
    const { area } = this;
    if (!area || !node) return Infinity;
    return node.getBoundingClientRect().top - area.getBoundingClientRect().top + area.scrollTop - 16;
  }

  /** The last of `.message` whose end is in view: of a long reply the question often comes last. */
  get lastInView(): HTMLElement | null {
    if (!this.area || document.visibilityState === "hidden") return null;
    const edge = Math.min(this.area.getBoundingClientRect().bottom, window.innerHeight) + SLACK;
    const messages = [...this.area.querySelectorAll<HTMLElement>(".message[id]:not(.growing)")];
    return messages.findLast((message) => message.getBoundingClientRect().bottom <= edge) ?? null;
  }

  /** Keeps the reader's place while `change` adds something above. */
  async keepPlace(change: () => Promise<unknown>): Promise<void> {
    const { area } = this;
    const below = area ? area.scrollHeight - area.scrollTop : 0;
    await change();
    if (area) area.scrollTop = area.scrollHeight - below;
  }

  /** Whether the reader has scrolled up just now, and the browser has not told of it yet. */
  private hasLeft(): boolean {
    const { area } = this;
    if (!area || area.scrollTop >= this.top - 1) return false;
    if (area.scrollHeight - area.scrollTop - area.clientHeight < NEAR) return false;
    this.scrolled();
    return true;
  }

  private readonly scrolled = () => {
    if (!this.area) return;
    const { scrollHeight, scrollTop, clientHeight } = this.area;
    this.top = scrollTop;
    this.atEnd = scrollHeight - scrollTop - clientHeight < NEAR;
    this.moved();
  };
}
