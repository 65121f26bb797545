import { nothing as blank, html } from "lit";
import type { About, Contact, Script } from "../../shapes.js";
import { contactsOf } from "../contacts.js";
import { noticeAnswers } from "../notice.js";
import type { Texts } from "../texts/index.js";

/** What somebody must know before the first word, and a way to say yes. `meant`: whom the script is for. */
export function noticePage(
  about: About | null,
  contacts: readonly Contact[],
  texts: Texts,
  meant: Pick<Script, "audience" | "locale"> | null,
  accept: string,
  agree: () => void,
) {
  return html`<div class="scroll notice" tabindex="0">
    <div class="column">
      <h2>${texts.noticeTitle}</h2>
      ${meant ? html`<p class="audience" part="audience">${texts.audienceLabel} <span lang=${meant.locale}>${meant.audience}</span></p>` : blank}
      <dl>
        ${noticeAnswers(about, texts).map(
          ({ question, lines, numbers }) => html`<dt>${question}</dt>
            <dd>${lines.map((line) => html`<p>${line}</p>`)} ${numbers ? contactsOf(contacts, texts) : ""}</dd>`,
        )}
      </dl>
      <p class="row"><button class="agree" part="agree" @click=${agree}>${accept}</button></p>
    </div>
  </div>`;
}
