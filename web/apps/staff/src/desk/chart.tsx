import { useId } from "react";
import { useTranslation } from "react-i18next";
import { moment } from "../shell/times.js";
import type { Course } from "./shapes.js";

const WIDE = 300;
const HIGH = 110;
/** Room for numbers at the left, and round the points. */
const LEFT = 26;
const ROOM = 8;

export interface Drawn {
  points: { x: number; y: number; value: number }[];
  bands: { label: string; y: number; height: number }[];
  low: number;
  high: number;
}

/** Where the points of a course lie, and the strips of its ranges; nothing where nothing was scored. */
export function drawn({ points, ranges, limits }: Course): Drawn | null {
  if (points.length === 0) return null;
  const values = [...points.map(({ value }) => value), ...ranges.flatMap(({ low, high }) => [low, high])];
  const [low = 0, high = 1] = limits ?? spread(Math.min(...values), Math.max(...values));
  const tall = high - low || 1;
  const y = (value: number) => ROOM + (1 - (clamp(value, low, high) - low) / tall) * (HIGH - 2 * ROOM);
  const step = points.length > 1 ? (WIDE - LEFT - 2 * ROOM) / (points.length - 1) : 0;
  const first = points.length > 1 ? LEFT + ROOM : LEFT + (WIDE - LEFT) / 2;
  return {
    low,
    high,
    points: points.map(({ value }, at) => ({ x: first + at * step, y: y(value), value })),
    bands: ranges.map(({ label, low: from, high: to }) => ({ label, y: y(to), height: Math.max(y(from) - y(to), 0) })),
  };
}

/** What was always the same lies in the middle. */
function spread(low: number, high: number): [number, number] {
  return low === high ? [low - 1, high + 1] : [low, high];
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** A score over time: a line, and a table that says the same. */
export function CourseChart({ course }: { course: Course }) {
  const { t } = useTranslation("desk");
  const name = useId();
  const found = drawn(course);
  const last = course.points.at(-1);
  if (!found) return null;
  return (
    <figure className="course">
      <figcaption id={name}>
        <b>{course.name}</b>{" "}
        {last && (
          <span className="tag">
            {last.value ?? "–"}
            {last.band && ` · ${last.band}`}
          </span>
        )}
      </figcaption>
      {found.points.length > 1 && (
        <svg viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={t("picture.course", { name: course.name })}>
          {found.bands.map(({ label, y, height }, at) => (
            <rect
              key={label}
              className={`band ${at % 2 ? "odd" : ""}`}
              x={LEFT}
              y={y}
              width={WIDE - LEFT}
              height={height}
            />
          ))}
          <text x={LEFT - 5} y={ROOM + 4} textAnchor="end">
            {found.high}
          </text>
          <text x={LEFT - 5} y={HIGH - ROOM + 4} textAnchor="end">
            {found.low}
          </text>
          <polyline points={found.points.map(({ x, y }) => `${x},${y}`).join(" ")} />
          {found.points.map(({ x, y, value }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: points stand in the order of time
            <g key={at}>
              <circle cx={x} cy={y} r="3.5" />
              <text x={x} y={y - 7 < ROOM ? y + 15 : y - 7} textAnchor="middle">
                {value}
              </text>
            </g>
          ))}
        </svg>
      )}
      <details>
        <summary>{t("picture.table")}</summary>
        <table aria-labelledby={name}>
          <thead>
            <tr>
              <th scope="col">{t("picture.when")}</th>
              <th scope="col">{t("picture.value")}</th>
              <th scope="col">{t("picture.band")}</th>
            </tr>
          </thead>
          <tbody>
            {course.points.map(({ at, value, band }) => (
              <tr key={at}>
                <td>{moment(at)}</td>
                <td>{value ?? "–"}</td>
                <td>{band}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
