import type { Consent, NamedContact, SessionItem } from "@heartrule/sdk";
import { html, nothing, type TemplateResult } from "lit";
import type { Words } from "../i18n/language.js";
import { format } from "../shell/route.js";

const SHOWN = 3;

/** What somebody agreed to: before which conversation, when, to which version, and where their words go; and whom they
 * want told. What can be taken back has a button; the rest is said. */
export function consentsOf(given: {
  consents: readonly Consent[];
  contact: NamedContact | null;
  sessions: readonly SessionItem[];
  words: Words;
  moment: (at: string) => string;
  /** In place of the button, while it is asked whether it is meant. */
  sure: (what: { what: "consent"; id: string } | { what: "contact" }) => TemplateResult | null;
  ask: (what: { what: "consent"; id: string } | { what: "contact" }) => void;
}): TemplateResult {
  const { consents, contact, sessions, words, moment, sure, ask } = given;
  const { space } = words;
  const button = (named: string, what: { what: "consent"; id: string } | { what: "contact" }) =>
    sure(what) ??
    html`<button class="quiet" type="button" aria-label=${named} @click=${() => ask(what)}>${space.withdraw}</button>`;
  const one = (each: Consent) => {
    const name = sessions.find(({ id }) => id === each.session)?.name ?? each.script;
    const to = each.mode === "script" ? space.wordsScript : space.wordsModel(each.model ?? "", each.hosts.join(", "));
    const back = each.withdrawn_at;
    return html`<li>
      <span class="what">
        <b dir="auto">${name}</b>
        <span>${space.agreed(moment(each.at), each.notice)}</span>
        <span>${to}</span>
        ${back ? html`<span>${space.withdrawn(moment(back))}</span>` : nothing}
        ${back || each.open ? nothing : html`<span>${space.over}</span>`}
      </span>
      ${each.open ? button(space.withdrawNamed(name), { what: "consent", id: each.session }) : nothing}
    </li>`;
  };
  const latest = [...consents].reverse();
  return html`
    <p class="soft">${space.consentNote} <a href=${format({ at: "what" })}>${space.readNotice}</a></p>
    ${
      consents.length === 0 && !contact
        ? html`<p class="soft">${space.noConsent}</p>`
        : html`<ul class="belongings">
              ${
                contact
                  ? html`<li>
                    <span class="what"><b>${space.contact}</b><span dir="auto">${contact.name} · ${contact.email}</span></span>
                    ${button(space.withdrawContact, { what: "contact" })}
                  </li>`
                  : nothing
              }
              ${latest.slice(0, SHOWN).map(one)}
            </ul>
            ${
              latest.length > SHOWN
                ? html`<details>
                    <summary>${words.arrive.older(latest.length - SHOWN)}</summary>
                    <ul class="belongings">${latest.slice(SHOWN).map(one)}</ul>
                  </details>`
                : nothing
            }`
    }
  `;
}
