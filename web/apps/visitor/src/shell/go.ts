import { format, type Route } from "./route.js";

/** Goes somewhere else in the page; a line may be said on arrival. */
export function go(to: Exclude<Route, { at: "nowhere" }>, line = ""): void {
  said = line;
  const hash = format(to);
  if (location.hash === hash) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = hash;
}

let said = "";

/** What is to be said on arrival; once. */
export function arrivalLine(): string {
  const line = said;
  said = "";
  return line;
}
