import { html, nothing, type TemplateResult } from "lit";
import type { MenuItem } from "./menu.js";

/** A page that has one thing to say, and what can be done about it; the first act is the likely one. */
export function message(given: {
  title: string;
  text?: string | TemplateResult;
  /** What stands between the text and the acts. */
  more?: TemplateResult | typeof nothing;
  acts?: readonly MenuItem[];
  after?: TemplateResult;
}): TemplateResult {
  const { title, text, acts = [], after } = given;
  return html`<main class="column message">
    <h1 tabindex="-1">${title}</h1>
    ${text ? html`<p>${text}</p>` : nothing}
    ${given.more ?? nothing} ${acts.length > 0 ? actRow(acts) : nothing} ${after ?? nothing}
  </main>`;
}

/** `others`: how all but the first of them look. */
export function actRow(acts: readonly MenuItem[], others: "second" | "quiet" = "second"): TemplateResult {
  return html`<div class="acts">
    ${acts.map(({ label, act }, at) => html`<button class=${at === 0 ? "main" : others} type="button" @click=${act}>${label}</button>`)}
  </div>`;
}
