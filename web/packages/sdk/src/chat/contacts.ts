import { nothing as blank, html, type TemplateResult } from "lit";
import type { Contact } from "../shapes.js";
import type { Texts } from "./texts/index.js";

/** Whom to call. All can be pressed, and the number comes first: what is cut where there is no room is a name. Their
 * notes stand in the transcript, where the engine gave them. */
export function contactsOf(contacts: readonly Contact[], texts: Texts, language = "") {
  if (contacts.length === 0) return blank;
  return html`<section class="crisis" aria-label=${texts.contacts}>
    <ul class="column" lang=${language || blank}>
      ${contacts.map((contact) => html`<li>${contactOf(contact)}</li>`)}
    </ul>
  </section>`;
}

function contactOf(contact: Contact): TemplateResult {
  const { number, name, note } = contact;
  const link = linkTo(number);
  const words = html`<b>${number}</b> <span>${name}</span>`;
  if (!link) return html`<span class="contact" title=${note || blank}>${words}</span>`;
  return html`<a
    class="contact"
    href=${link.href}
    title=${note || blank}
    rel="noreferrer"
    target=${link.calls ? blank : "_blank"}
    >${words}</a
  >`;
}

/** Where a touch on a number leads: to the telephone, or to a page where it is an address. */
export function linkTo(number: string): { href: string; calls: boolean } | null {
  const digits = number.replace(/[^\d+]/g, "");
  if (/^[\d+][\d\s()+./-]*$/.test(number) && digits !== "") return { href: `tel:${digits}`, calls: true };
  if (/^(https:\/\/)?[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(number)) {
    return { href: `https://${number.replace("https://", "")}`, calls: false };
  }
  return null;
}
