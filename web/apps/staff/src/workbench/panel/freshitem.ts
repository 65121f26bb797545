import type { FieldShape, Json } from "../text/shapes.js";

type Mapping = { [key: string]: Json };

interface Place {
  /** The key of the list. */
  list: string;
  fields: readonly FieldShape[];
  items: readonly Json[];
  /** The ids of the questions, where the list is one of a form. */
  questions: readonly string[];
}

/** What a new item of a list holds, so that it can be read and is no other one's: whatever it needs is there. */
export function freshItem({ list, fields, items, questions }: Place, fresh: string): Json {
  const last = items.at(-1);
  const before: Mapping = isMapping(last) ? last : {};
  const own = (key: string, name: string, between = "_") => free(name, between, taken(items, key));
  switch (list) {
    case "output":
      return { get: own("get", fresh) };
    case "choices":
    case "options":
      return { value: nextValue(list === "options" ? "option" : "choice", items), label: own("label", fresh, " ") };
    case "transitions":
      return { to: "end" };
    case "declare":
    case "global":
      return { var: own("var", fresh), type: "text" };
    case "bands": {
      const from = typeof before.to === "number" ? before.to + 1 : 0;
      return { from, to: from, label: own("label", fresh, " ") };
    }
    case "then":
      return { directive: "FEEDBACK", text: fresh };
    case "scores":
      return { id: counted("score_", items, "id"), label: own("label", fresh, " "), sum: questions.slice(0, 1) };
  }
  if (list === "fields" && fields.some((field) => field.key === "label")) return question(items, before, fresh);
  const needed = fields.filter((field) => field.required);
  const filled = needed.length ? needed : fields.slice(0, 1);
  return Object.fromEntries(
    filled.map(({ key, control, options }) => [key, control === "choice" ? (options?.[0] ?? fresh) : own(key, fresh)]),
  );
}

/** A question is asked as the one above it was, with the same to choose from. */
function question(items: readonly Json[], before: Mapping, fresh: string): Json {
  const like = before.type === "note" ? {} : before;
  return {
    id: counted("q", items, "id"),
    label: free(fresh, " ", taken(items, "label")),
    type: like.type ?? "text",
    ...(like.required === true && { required: true }),
    ...(Array.isArray(like.options) && { options: like.options }),
  };
}

/** Among numbers the next one, so that it counts on; else a name of its own. */
function nextValue(name: string, items: readonly Json[]): Json {
  const values = items.map((item) => (isMapping(item) ? item.value : item));
  if (values.length && values.every((value) => typeof value === "number")) return Math.max(...(values as number[])) + 1;
  return counted(`${name}_`, items, "value");
}

function counted(stem: string, items: readonly Json[], key: string): string {
  const known = taken(items, key);
  let number = items.length + 1;
  while (known.has(`${stem}${number}`)) number += 1;
  return `${stem}${number}`;
}

function free(name: string, between: string, known: ReadonlySet<string>): string {
  if (!known.has(name)) return name;
  let number = 2;
  while (known.has(`${name}${between}${number}`)) number += 1;
  return `${name}${between}${number}`;
}

function taken(items: readonly Json[], key: string): Set<string> {
  return new Set(items.map((item) => String(isMapping(item) ? item[key] : item)));
}

function isMapping(value: Json | undefined): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
