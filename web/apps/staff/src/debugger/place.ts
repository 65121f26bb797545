import type { TFunction } from "i18next";
import type { State } from "./shapes.js";

/** Where a session stands and why it is held, in one line. */
export function where(state: State, t: TFunction<"debugger">): string {
  const [inner] = state.stack;
  const place = state.stack
    .filter((frame) => frame.kind !== "session")
    .map((frame) => frame.id)
    .reverse()
    .join(" › ");
  if (state.status !== "held" || !state.held) return `${t(`status.${state.status}`)} ${place}`.trim();
  const why = t(`why.${state.held.kind}`, { defaultValue: state.held.kind });
  const edge = state.held.event === "marker" && inner ? inner.id : state.held.event || state.held.on || "";
  return `${t("status.held")} · ${why}${edge ? ` · ${edge}` : ""} · ${place}`;
}

/** A value as one line. */
export function line(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What somebody typed as a value: JSON where it is that, else the words. */
export function meant(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
