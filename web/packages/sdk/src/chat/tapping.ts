import { nothing as blank, html } from "lit";
import type { Scale } from "../shapes.js";
import { stay } from "./composer.js";
import { fill, type Texts } from "./texts/index.js";

const HUNDRED = 100;
const TEN = 10;

interface Offered {
  readonly value: string;
  readonly label: string;
}

/** What may be tapped instead of written. */
export function tapped(offered: readonly Offered[], act: (value: string) => (event: Event) => void, texts: Texts) {
  if (offered.length === 0) return blank;
  return html`<div class="row options" role="group" aria-label=${texts.options}>
    ${offered.map(
      ({ value, label }) => html`<button dir="auto" @mousedown=${stay} @click=${act(value)}>${label}</button>`,
    )}
  </div>`;
}

/** The numbers of a scale, in tens where there are a hundred; the others can be written. */
export function numbersOf({ low, high }: Scale): number[] {
  const step = high - low >= HUNDRED ? TEN : 1;
  return Array.from({ length: (high - low) / step + 1 }, (_, at) => low + at * step);
}

export function scaleOf(scale: Scale, act: (value: string) => (event: Event) => void, texts: Texts) {
  const { low, high, ends } = scale;
  const numbers = numbersOf(scale);
  return html`<div class="options scale ${numbers.length > 6 ? "long" : ""}" role="group" aria-label=${fill(texts.scale, { low, high })}>
    <div class="numbers">
      ${numbers.map((number, at) => {
        const end = ends && (at === 0 ? ends[0] : number === high ? ends[1] : "");
        return html`<button
          aria-label=${end ? `${number} ${end}` : blank}
          @mousedown=${stay}
          @click=${act(String(number))}
        >${number}</button>`;
      })}
    </div>
    ${ends ? html`<p class="scale-ends quiet" aria-hidden="true"><span>${low} ${ends[0]}</span><span>${high} ${ends[1]}</span></p>` : blank}
  </div>`;
}
