import type { Locale } from "../i18n/language.js";
import type { DebugWords } from "./words.js";

/** The word for a code, or the code itself where we have none: a newer server may know more. */
export function worded(table: Record<string, string>, code: string): string {
  return table[code] ?? code;
}

export function json(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** On one line, and not longer than a bubble. */
export function short(value: unknown, most = 24): string {
  const line = (typeof value === "string" ? value : JSON.stringify(value)).replace(/\s+/g, " ").trim();
  const all = [...line];
  return all.length <= most ? line : `${all.slice(0, most).join("")}…`;
}

export function number(value: number | null, locale: Locale, words: DebugWords, digits = 0): string {
  if (value === null) return words.unknown;
  return new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value);
}

export function seconds(value: number | null, locale: Locale, words: DebugWords): string {
  return value === null ? words.unknown : words.seconds(number(value, locale, words, 2));
}

/** Of billionths of a currency. What nobody knows is not nothing. */
export function money(parts: number | null, currency: string | null, locale: Locale, words: DebugWords): string {
  if (parts === null || currency === null) return words.unknown;
  return new Intl.NumberFormat(locale, { style: "currency", currency, maximumSignificantDigits: 3 }).format(
    parts / 1e9,
  );
}

/** What several cost together: unknown as soon as one of them is. */
export function together(each: readonly (readonly [number | null, string | null])[]): [number | null, string | null] {
  const currencies = new Set(each.map(([, currency]) => currency));
  if (each.length === 0 || each.some(([parts]) => parts === null) || currencies.size > 1) return [null, null];
  return [each.reduce((sum, [parts]) => sum + (parts ?? 0), 0), each[0]?.[1] ?? null];
}

/** A variable's bubble, by an id that a page may hold. */
export function bubbleId(scope: string, key: string, name: string): string {
  return `variable-${scope}-${key}-${encodeURIComponent(name)}`;
}

export interface Piece {
  text: string;
  /** What is inserted here, null for the prompt's own words. */
  inserted: { name: string; scope: string; scope_key: string; source: string } | null;
}

/** A prompt's text cut where variables were put in. The server counts code points, not UTF-16. */
export function pieces(
  text: string,
  inserted: readonly {
    name: string;
    scope: string;
    scope_key: string;
    source: string;
    offset: number;
    length: number;
  }[],
): Piece[] {
  const points = [...text];
  const found: Piece[] = [];
  let at = 0;
  for (const each of [...inserted].sort((one, other) => one.offset - other.offset)) {
    if (each.offset < at || each.offset + each.length > points.length) continue;
    if (each.offset > at) found.push({ text: points.slice(at, each.offset).join(""), inserted: null });
    at = each.offset + each.length;
    found.push({ text: points.slice(each.offset, at).join(""), inserted: each });
  }
  if (at < points.length) found.push({ text: points.slice(at).join(""), inserted: null });
  return found;
}
