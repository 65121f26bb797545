import { linkTo } from "@heartrule/sdk/chat";
import { html, nothing, type TemplateResult } from "lit";
import type { Locale } from "../i18n/language.js";
import { handset } from "../shell/icon.js";
import { Sheet } from "../shell/sheet.js";
import { View } from "../shell/view.js";
import { type Contact, contactsFor } from "./contacts.js";

/** The button that is in the same corner of every page, first to be reached by keyboard, and above everything else. */
export class HelpCorner extends View {
  static override properties = { open: { type: Boolean } };
  declare open: boolean;

  constructor() {
    super();
    this.open = false;
  }

  protected override render(): TemplateResult {
    const { help } = this.words;
    return html`
      <button
        class="help-button"
        type="button"
        aria-expanded=${this.open}
        @click=${() => this.dispatchEvent(new CustomEvent(this.open ? "close" : "help", { bubbles: true }))}
      >
        ${handset}<span>${help.button}</span>
      </button>
      ${this.open ? html`<help-sheet></help-sheet>` : nothing}
    `;
  }
}

export class HelpSheet extends Sheet {
  protected heading(): string {
    return this.words.help.title;
  }

  protected body(): TemplateResult {
    const { help } = this.words;
    return html`
      <p>${help.calm}</p>
      ${contactList(contactsFor(this.language.locale), this.words)}
      <p>${help.near}</p>
      <details>
        <summary>${help.elsewhere}</summary>
        ${contactList(help.elsewhereList, this.words)}
      </details>
    `;
  }
}

/** Numbers to touch: the number large, whose it is beside it. */
export function contactList(contacts: readonly Contact[], words: View["words"]): TemplateResult {
  return html`<ul class="contacts">
    ${contacts.map((contact) => {
      const link = linkTo(contact.number);
      const inside = html`
        <span class="number">${contact.number}</span>
        <span class="whose">${contact.name}${contact.note ? html`<small>${contact.note}</small>` : nothing}</span>
      `;
      if (!link) return html`<li><div class="contact">${inside}</div></li>`;
      return html`<li>
        <a
          class="contact"
          href=${link.href}
          target=${link.calls ? nothing : "_blank"}
          rel=${link.calls ? nothing : "noreferrer"}
          aria-description=${link.calls ? words.help.call : words.help.open}
          >${inside}</a
        >
      </li>`;
    })}
  </ul>`;
}

/** The numbers in one line, for places where there is no room for more; the number comes first: what is cut where there
 * is too little room for that is a name. */
export function contactLine(locale: Locale): TemplateResult {
  return html`<span class="contact-line" lang=${locale}
    >${contactsFor(locale).map((contact) => {
      const link = linkTo(contact.number);
      const text = html`<b>${contact.number}</b> <span>${contact.name}</span>`;
      return link
        ? html`<a href=${link.href} rel="noreferrer" target=${link.calls ? nothing : "_blank"}>${text}</a>`
        : html`<span>${text}</span>`;
    })}</span
  >`;
}

customElements.define("help-corner", HelpCorner);
customElements.define("help-sheet", HelpSheet);
