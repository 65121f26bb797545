import { html, nothing, svg, type TemplateResult } from "lit";

export interface Point {
  readonly when: string;
  readonly value: number;
}

const WIDE = 320;
const HIGH = 96;
const EDGE = 14;

/** How a score went, drawn; the table beside it says the same in numbers. Nothing for fewer than two. */
export function curve(points: readonly Point[], label: string): TemplateResult | typeof nothing {
  if (points.length < 2) return nothing;
  const values = points.map(({ value }) => value);
  const low = Math.min(0, ...values);
  const span = Math.max(1, ...values) - low;
  const step = (WIDE - 2 * EDGE) / (points.length - 1);
  const places = values.map((value, at) => ({
    x: EDGE + at * step,
    y: HIGH - EDGE - ((value - low) / span) * (HIGH - 2 * EDGE),
  }));
  return html`<svg class="curve" viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label=${label}>
    ${svg`<polyline points=${places.map(({ x, y }) => `${x},${y}`).join(" ")}></polyline>`}
    ${places.map(({ x, y }) => svg`<circle cx=${x} cy=${y} r="3.5"></circle>`)}
  </svg>`;
}
