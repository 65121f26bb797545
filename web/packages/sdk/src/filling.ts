import type { Kept } from "./outbox.js";
import type { Form, FormField, FormValue } from "./shapes.js";

/** What is on its way of a form. */
export interface Filling {
  readonly pending: Readonly<Record<string, FormValue | null>>;
  readonly closing: "submit" | "cancel" | null;
}

export const unfilled: Filling = { pending: {}, closing: null };

/** Of the form that is asked for, what lies in the outbox; later answers over earlier ones. */
export function fillingOf(form: Form | null, entries: readonly Kept[]): Filling {
  const own = entries.flatMap(({ input, refused }) =>
    "form" in input && input.form.key === form?.key && !refused ? [input] : [],
  );
  if (own.length === 0) return unfilled;
  const closing = own.some(({ type }) => type === "form_submit")
    ? "submit"
    : own.some(({ type }) => type === "form_cancel")
      ? "cancel"
      : null;
  return { pending: Object.assign({}, ...own.map((input) => input.form.values)), closing };
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
