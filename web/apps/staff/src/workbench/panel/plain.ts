import type { Json } from "../text/shapes.js";

const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * What somebody typed where a text, a number, or yes or no may stand. A number and a truth are read as such, unless a
 * text stood there that reads like one: that was meant as a text.
 */
export function plainOf(typed: string, before: Json | undefined): Json {
  const text = typed.trim();
  if (text === "") return null;
  if (typeof before === "string" && looksOtherwise(before)) return typed;
  if (NUMBER.test(text)) return Number(text);
  return text === "true" || text === "false" ? text === "true" : typed;
}

function looksOtherwise(text: string): boolean {
  return NUMBER.test(text) || text === "true" || text === "false";
}
