import type { Trigger } from "./shapes.js";

export interface Piece {
  text: string;
  /** What was found in these words, the most urgent first; empty for the rest. */
  of: Trigger[];
}

const RANK = { urgent: 0, attention: 1, watch: 2 };

/** A message cut where something was found in it. Offsets count code points, as the server does. */
export function marked(content: string, triggers: readonly Trigger[]): Piece[] {
  const points = [...content];
  const spans = triggers
    .map((trigger) => ({ trigger, ...spanOf(points, trigger) }))
    .filter(({ start, end }) => start < end);
  const cuts = [...new Set([0, points.length, ...spans.flatMap(({ start, end }) => [start, end])])].sort(
    (one, other) => one - other,
  );
  return cuts.slice(1).map((end, at) => {
    const start = cuts[at] ?? 0;
    const of = spans.filter((span) => span.start < end && start < span.end).map(({ trigger }) => trigger);
    return {
      text: points.slice(start, end).join(""),
      of: of.sort((one, other) => RANK[one.level] - RANK[other.level]),
    };
  });
}

/** Where it stands in the message: as the server says, else where its words are found; nowhere when they are not there. */
function spanOf(points: readonly string[], { start, end, words }: Trigger): { start: number; end: number } {
  const within = (at: number) => Math.min(Math.max(at, 0), points.length);
  if (start !== null && end !== null) return { start: within(start), end: within(end) };
  const found = words ? points.join("").indexOf(words) : -1;
  if (found < 0) return { start: 0, end: 0 };
  const before = [...points.join("").slice(0, found)].length;
  return { start: before, end: before + [...words].length };
}
