/** Durations as the language writes them: `90s`, `5m`, `1h30m`, `3 turns`, as a number of one unit. */
export type Unit = "s" | "m" | "h" | "turns";

export interface Span {
  amount: number;
  unit: Unit;
}

export function spanOf(text: string): Span | null {
  const found = /^\s*(\d+(?:\.\d+)?)\s*(s|m|h|turns?|轮)?\s*$/.exec(text);
  if (!found) return null;
  const [, amount, unit = "s"] = found;
  return { amount: Number(amount), unit: unit.startsWith("turn") || unit === "轮" ? "turns" : (unit as Unit) };
}

export function written({ amount, unit }: Span): string {
  return unit === "turns" ? `${amount} turns` : `${amount}${unit}`;
}
