import { nothing as blank, html } from "lit";
import type { Contact } from "../shapes.js";
import type { Texts } from "./texts/index.js";

/** Whom to call. The numbers can be pressed; their notes stand in the transcript, where the engine gave them. */
export function contactsOf(contacts: readonly Contact[], texts: Texts) {
  if (contacts.length === 0) return blank;
  return html`<section class="crisis" aria-label=${texts.contacts}>
    <ul class="column">
      ${contacts.map(
        ({ name, number, note }) =>
          html`<li><a href="tel:${number.replace(/[^\d+]/g, "")}" title=${note}>${number}</a> ${name}</li>`,
      )}
    </ul>
  </section>`;
}
