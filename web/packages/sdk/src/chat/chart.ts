import { nothing as blank, html, svg } from "lit";
import { fill, type Texts } from "./texts/index.js";

export interface Point {
  readonly label: string;
  readonly value: number;
}

const WIDE = 320;
const HIGH = 140;
const EDGE = 12;
/** Where the axis is: below it the bars have their names. */
const FLOOR = HIGH - 20;
/** What a character of a name takes, at most. */
const CHARACTER = 12;

/** The numbers of a chart's data, whatever else it may hold. */
export function pointsOf(data: Record<string, unknown>): Point[] {
  const given = Array.isArray(data.points) ? data.points : [];
  return given.flatMap((each: { label?: unknown; value?: unknown }) =>
    typeof each?.value === "number" ? [{ label: String(each.label ?? ""), value: each.value }] : [],
  );
}

/** Where the axis begins and ends: as the script says, else with room for all values and for nothing. */
export function axisOf(data: Record<string, unknown>, points: readonly Point[]): [number, number] {
  const values = points.map(({ value }) => value);
  const [low, high] = Array.isArray(data.range) ? (data.range as number[]) : [];
  const from = Math.min(low ?? 0, ...values);
  const to = Math.max(high ?? 0, ...values);
  return to > from ? [from, to] : [from, from + 1];
}

/** A drawing that says nothing by itself, in a figure whose table says all of it. */
export function chartOf(data: Record<string, unknown>, texts: Texts) {
  const points = pointsOf(data);
  if (points.length === 0) return blank;
  const title = String(data.title ?? "");
  const axis = axisOf(data, points);
  const [least, most] = Array.isArray(data.ends) ? (data.ends as string[]) : [];
  const drawn = data.kind === "compare" ? bars(points, axis) : line(points, axis);
  return html`<figure class="media chart">
    <figcaption>${title}</figcaption>
    <svg viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label=${saidOf(title, points, texts)}>
      <line class="axis" x1=${EDGE} x2=${WIDE - EDGE} y1=${FLOOR} y2=${FLOOR}></line>
      <line class="axis" x1=${EDGE} x2=${EDGE} y1=${EDGE} y2=${FLOOR}></line>
      <text x=${EDGE + 3} y=${EDGE + 8}>${axis[1]}</text>
      <text x=${EDGE + 3} y=${FLOOR - 4}>${axis[0]}</text>
      ${drawn}
    </svg>
    ${least && most ? html`<p class="scale-ends quiet"><span>${axis[0]} ${least}</span><span>${axis[1]} ${most}</span></p>` : blank}
    <details>
      <summary>${texts.asTable}</summary>
      <table>
        <tbody>
          ${points.map(({ label, value }) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`)}
        </tbody>
      </table>
    </details>
  </figure>`;
}

function saidOf(title: string, points: readonly Point[], texts: Texts): string {
  const first = points[0]?.value ?? 0;
  const last = points.at(-1)?.value ?? 0;
  return fill(texts.chart, { title, count: points.length, first, last });
}

function heightOf(value: number, [from, to]: readonly [number, number]): number {
  return ((value - from) / (to - from)) * (FLOOR - EDGE - 14);
}

function line(points: readonly Point[], axis: readonly [number, number]) {
  const step = points.length > 1 ? (WIDE - 4 * EDGE) / (points.length - 1) : 0;
  const places = points.map(({ value }, at) => {
    const x = points.length > 1 ? 2 * EDGE + at * step : WIDE / 2;
    return { x, y: FLOOR - heightOf(value, axis), value };
  });
  const numbered = points.length <= 12;
  const ends = points.length > 1 ? [points[0], points.at(-1)] : [];
  return svg`${ends.map(
    (point, at) =>
      svg`<text x=${at ? WIDE - EDGE : EDGE} y=${HIGH - 5} text-anchor=${at ? "end" : "start"}>${shortened(point?.label ?? "", 10)}</text>`,
  )}
    <polyline class="course" points=${places.map(({ x, y }) => `${x},${y}`).join(" ")}></polyline>
    ${places.map(
      ({ x, y, value }) => svg`<circle class="point" cx=${x} cy=${y} r="3.5"></circle>
        ${numbered ? svg`<text x=${x} y=${y - 8} text-anchor="middle">${value}</text>` : blank}`,
    )}`;
}

function bars(points: readonly Point[], axis: readonly [number, number]) {
  const room = (WIDE - 2 * EDGE) / points.length;
  const wide = Math.min(48, room * 0.6);
  return points.map(({ value, label }, at) => {
    const x = EDGE + at * room + (room - wide) / 2;
    const high = Math.max(1, heightOf(value, axis));
    return svg`<rect class="bar" x=${x} y=${FLOOR - high} width=${wide} height=${high} rx="3"></rect>
      <text x=${x + wide / 2} y=${FLOOR - high - 5} text-anchor="middle">${value}</text>
      <text x=${x + wide / 2} y=${HIGH - 5} text-anchor="middle">${shortened(label, Math.floor(room / CHARACTER))}</text>`;
  });
}

function shortened(label: string, most: number): string {
  const characters = [...label];
  return characters.length <= most ? label : `${characters.slice(0, Math.max(1, most - 1)).join("")}…`;
}
