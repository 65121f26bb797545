import { html, nothing, svg, type TemplateResult } from "lit";
import type { Course } from "./scores.js";

export interface Point {
  readonly when: string;
  readonly value: number;
}

const WIDE = 320;
const HIGH = 120;
const EDGE = 14;
/** Where the numbers of the axis stand, and below which the dates do. */
const LEFT = 34;
const FLOOR = 100;

/** How a score went, drawn, from the least to the most that it can be and over the borders of its bands; the table beside it says the same in numbers. Nothing for
 * fewer than two. */
export function curve(
  points: readonly Point[],
  label: string,
  { bands, limits }: Pick<Course, "bands" | "limits"> = { bands: [], limits: [] },
): TemplateResult | typeof nothing {
  if (points.length < 2) return nothing;
  const values = points.map(({ value }) => value);
  const borders = bands.filter((each) => each.low > 0);
  const [least = 0, most = 1] = limits;
  const low = Math.min(least, ...values);
  const span = Math.max(most, ...values, ...borders.map((each) => each.low)) - low;
  const high = low + span;
  const step = (WIDE - LEFT - EDGE) / (points.length - 1);
  const up = (value: number) => FLOOR - ((value - low) / span) * (FLOOR - EDGE);
  const day = (at: number) => {
    const date = new Date(points.at(at)?.when ?? "");
    return Number.isNaN(date.getTime()) ? "" : `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
  };
  const places = values.map((value, at) => ({
    x: LEFT + at * step,
    y: up(value),
  }));
  return html`<svg class="curve" viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label=${label}>
    ${svg`<line class="axis" x1=${LEFT} x2=${LEFT} y1=${EDGE} y2=${FLOOR}></line>
      <line class="axis" x1=${LEFT} x2=${WIDE - EDGE} y1=${FLOOR} y2=${FLOOR}></line>
      ${borders.map(
        (band) => svg`<line class="axis" x1=${LEFT} x2=${WIDE - EDGE} y1=${up(band.low)} y2=${up(band.low)}></line>
          <text class="band" x=${WIDE - EDGE} y=${up(band.low) - 2} text-anchor="end">${band.label}</text>`,
      )}
      <text x=${LEFT - 5} y=${EDGE + 4} text-anchor="end">${high}</text>
      <text x=${LEFT - 5} y=${FLOOR + 4} text-anchor="end">${low}</text>
      <text x=${LEFT} y=${HIGH - 4}>${day(0)}</text>
      <text x=${WIDE - EDGE} y=${HIGH - 4} text-anchor="end">${day(-1)}</text>
      <polyline points=${places.map(({ x, y }) => `${x},${y}`).join(" ")}></polyline>`}
    ${places.map(({ x, y }) => svg`<circle cx=${x} cy=${y} r="3.5"></circle>`)}
  </svg>`;
}
