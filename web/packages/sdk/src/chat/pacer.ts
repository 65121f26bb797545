import { nothing as blank, html, LitElement, type PropertyDeclarations } from "lit";
import { pacerLook } from "./media-styles.js";
import { sized } from "./sizing.js";
import { fill, type Texts } from "./texts/index.js";

export type Part = "in" | "hold" | "out" | "rest";

/** A breath in seconds; `seconds`: how long it goes on in all, when it ends by itself. */
export interface Breath {
  readonly in: number;
  readonly hold: number;
  readonly out: number;
  readonly rest: number;
  readonly seconds?: number;
}

const ORDER: readonly Part[] = ["in", "hold", "out", "rest"];
const SMALL = 0.45;

/** A breath out of a message's data; null when it is none. */
export function breathOf(data: Record<string, unknown>): Breath | null {
  const part = (name: string) => (typeof data[name] === "number" ? Math.max(0, data[name] as number) : 0);
  const breath = { in: part("in"), hold: part("hold"), out: part("out"), rest: part("rest") };
  if (breath.in < 1 || breath.out < 1) return null;
  return typeof data.seconds === "number" ? { ...breath, seconds: data.seconds } : breath;
}

/** Which part of a breath it is after so many whole seconds, and the how many-th second of that part. */
export function momentOf(breath: Breath, second: number): { part: Part; count: number } {
  let left = second % ORDER.reduce((sum, part) => sum + breath[part], 0);
  for (const part of ORDER) {
    if (left < breath[part]) return { part, count: left + 1 };
    left -= breath[part];
  }
  return { part: "in", count: 1 };
}

/** How wide the circle is at the beginning and at the end of a part: it swells and sinks slowly, and never flashes. */
export function widthOf(part: Part): readonly [number, number] {
  return part === "in" ? [SMALL, 1] : part === "hold" ? [1, 1] : part === "out" ? [1, SMALL] : [SMALL, SMALL];
}

/** A circle to breathe with. It counts in words as well, and stands still for whom movement is too much. */
export class HeartPacer extends LitElement {
  static override properties: PropertyDeclarations = {
    breath: { attribute: false },
    texts: { attribute: false },
    second: { state: true },
  };
  static override styles = sized([pacerLook]);

  declare breath: Breath | null;
  declare texts: Texts;
  declare private second: number;
  private timer: ReturnType<typeof setInterval> | undefined;
  private began = 0;
  private moving: Animation | null = null;
  private moved: Part | null = null;

  constructor() {
    super();
    this.breath = null;
    this.second = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.began = performance.now();
    this.second = 0;
    // What counts is the clock: a page in the background is woken less often than every second.
    this.timer = setInterval(() => this.tick(), 250);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
    this.moving?.cancel();
    this.moving = null;
  }

  private tick(): void {
    this.second = Math.floor((performance.now() - this.began) / 1000);
  }

  protected override updated(): void {
    const { breath } = this;
    if (!breath) return;
    const { part, count } = momentOf(breath, this.second);
    if (count === 1 || !this.moving) this.move(part, breath[part]);
  }

  private move(part: Part, seconds: number): void {
    if (part === this.moved && this.moving) return;
    this.moved = part;
    const circle = this.renderRoot.querySelector(".circle");
    if (!circle?.animate || still()) return;
    const [from, to] = widthOf(part);
    this.moving?.cancel();
    this.moving = circle.animate([{ transform: `scale(${from})` }, { transform: `scale(${to})` }], {
      duration: seconds * 1000,
      easing: "ease-in-out",
      fill: "forwards",
    });
  }

  protected override render() {
    const { breath, texts } = this;
    if (!breath) return blank;
    const { part, count } = momentOf(breath, this.second);
    return html`<div class="pacer" role="group" aria-label=${texts.pacer}>
      <div class="ring" aria-hidden="true"><div class="circle"></div></div>
      <p class="count" role="timer" aria-live="off"><b>${texts[NAMES[part]]}</b> ${count}</p>
      <p class="rhythm">${rhythmOf(breath, texts)}</p>
    </div>`;
  }
}

const NAMES = { in: "breatheIn", hold: "hold", out: "breatheOut", rest: "rest" } as const;

/** The whole breath in words. */
export function rhythmOf(breath: Breath, texts: Texts): string {
  return ORDER.filter((part) => breath[part] > 0)
    .map((part) => fill(texts.seconds, { part: texts[NAMES[part]], count: breath[part] }))
    .join(" · ");
}

function still(): boolean {
  return matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}
