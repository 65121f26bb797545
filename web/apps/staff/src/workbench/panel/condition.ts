import type { Condition, Json, Operator } from "../text/shapes.js";

/** A condition as rows that somebody can fill in: all of them, or any of them. */
export interface Rows {
  joined: "all" | "any";
  rows: Row[];
}

export interface Row {
  var: string;
  op: Operator;
  value: Json;
}

export const OPERATORS: readonly Operator[] = ["==", "!=", ">=", "<=", ">", "<", "contains", "in", "known", "unknown"];

/** The rows that a tree comes to, or null where it is more than rows can say. */
export function rowsOf(tree: Condition | null): Rows | null {
  if (tree === null) return { joined: "all", rows: [] };
  if ("var" in tree) return { joined: "all", rows: [{ var: tree.var, op: tree.op, value: tree.value ?? null }] };
  const joined = "all" in tree ? "all" : "any" in tree ? "any" : null;
  if (!joined) return null;
  const parts = "all" in tree ? tree.all : "any" in tree ? tree.any : [];
  const rows: Row[] = [];
  for (const part of parts) {
    if (!("var" in part)) return null;
    rows.push({ var: part.var, op: part.op, value: part.value ?? null });
  }
  return { joined, rows };
}

export function treeOf({ joined, rows }: Rows): Condition | null {
  const parts: Condition[] = rows
    .filter((row) => row.var)
    .map(({ var: name, op, value }) => ({
      var: name,
      op,
      ...(needsValue(op) && { value }),
    }));
  const [only] = parts;
  if (!only) return null;
  if (parts.length === 1) return only;
  return joined === "all" ? { all: parts } : { any: parts };
}

export function needsValue(op: Operator): boolean {
  return op !== "known" && op !== "unknown";
}

/** What somebody typed as a value: a number, yes or no where it can be one, else words. */
export function readValue(typed: string, op: Operator): Json {
  if (op === "in") return typed.split(/[,，、]/).map((part) => readValue(part, "=="));
  const text = typed.trim();
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  return text;
}

export function typedOf(value: Json): string {
  if (value === null) return "";
  if (Array.isArray(value)) return value.map(typedOf).join("，");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
