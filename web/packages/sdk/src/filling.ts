import type { Kept } from "./outbox.js";
import { Problem } from "./problem.js";
import type { Form, FormAnswers, FormField, FormInput, FormValue } from "./shapes.js";

/** Characters of an answer that the server takes. */
export const LONGEST_ANSWER = 20_000;

/** What is on its way of a form. `refused`: what the server would not have, why, and whether it was handed in with it;
 * its answers are among `pending`, for they are nowhere else. */
export interface Filling {
  readonly pending: Readonly<Record<string, FormValue | null>>;
  readonly closing: "submit" | "cancel" | null;
  readonly refused: Refused | null;
}

export interface Refused {
  readonly problem: Problem;
  readonly handedIn: boolean;
  /** The fields that it lies with, as far as can be told. */
  readonly fields: readonly string[];
}

export const unfilled: Filling = { pending: {}, closing: null, refused: null };

/** Of the form that is asked for, what lies in the outbox; later answers over earlier ones. */
export function fillingOf(form: Form | null, entries: readonly Kept[]): Filling {
  const own = entries.flatMap(({ input, refused }) =>
    "form" in input && input.form.key === form?.key ? [{ ...input, refused }] : [],
  );
  if (own.length === 0) return unfilled;
  const waiting = own.filter(({ refused }) => !refused);
  const closing = waiting.some(({ type }) => type === "form_submit")
    ? "submit"
    : waiting.some(({ type }) => type === "form_cancel")
      ? "cancel"
      : null;
  const pending = Object.assign({}, ...own.map((input) => input.form.values));
  return { pending, closing, refused: refusedOf(own) };
}

function refusedOf(own: readonly (FormInput & Pick<Kept, "refused">)[]): Refused | null {
  const all = own.filter(({ refused }) => refused);
  const last = all.at(-1);
  if (!last?.refused) return null;
  const fields = all.flatMap(({ form }) => {
    const names = Object.keys(form.values ?? {});
    return names.length === 1 ? names : names.filter((name) => isTooLong(form.values?.[name]));
  });
  const problem = Problem.of(last.refused.document, last.refused.status);
  return { problem, handedIn: last.type === "form_submit", fields: [...new Set(fields)] };
}

export function isTooLong(value: FormValue | null | undefined): boolean {
  return typeof value === "string" && value.length > LONGEST_ANSWER && [...value].length > LONGEST_ANSWER;
}

/** What becomes of refused answers when more is said to the form: `values` go with what is said now; of each refused
 * entry `left` stays behind, nothing of it when that is empty. Handing in takes everything along, and the server judges
 * it again; putting away takes what was chosen, and leaves what was written and refused. */
export function carriedOver(
  { type, form }: FormInput,
  entries: readonly Kept[],
): { values: FormAnswers; left: Map<string, FormAnswers> } {
  let values: FormAnswers = {};
  const left = new Map<string, FormAnswers>();
  for (const { key, input, refused } of entries) {
    if (!refused || !("form" in input)) continue;
    const same = input.form.key === form.key;
    const old = Object.entries(input.form.values ?? {}).filter(([name]) => same && !(name in (form.values ?? {})));
    const goes = type === "form_submit" ? old : type === "form_cancel" ? old.filter(([, each]) => isChosen(each)) : [];
    values = { ...values, ...Object.fromEntries(goes) };
    left.set(key, type === "form_draft" ? Object.fromEntries(old) : {});
  }
  return { values: { ...values, ...form.values }, left };
}

function isChosen(value: FormValue | null): boolean {
  return typeof value !== "string";
}

/** The fields that are shown: those that the answers so far leave in. */
export function shownOf(form: Form): FormField[] {
  return form.fields.filter(({ id }) => !form.hidden.includes(id));
}

/** The questions among them. */
export function askedOf(form: Form): FormField[] {
  return shownOf(form).filter(({ type }) => type !== "note");
}

export function isAnswered(value: FormValue | null | undefined): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}
