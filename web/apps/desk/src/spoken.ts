import type { Message } from "@heartrule/sdk";
import { html, nothing, type TemplateResult } from "lit";
import type { language as known } from "./language.js";

/** A message as counsellors see it; `mark`: what is said of it, where it is the one that is looked at. */
export function spokenOf(message: Message, locale: string, language: typeof known, mark = ""): TemplateResult {
  const { sender, name, content, at, recalled } = message;
  const { speakers, takenBack } = language.words;
  const time = new Date(at).toLocaleTimeString(language.locale, { hour: "2-digit", minute: "2-digit" });
  return html`<article class="spoken ${sender} ${mark ? "judged-one" : ""}">
    ${mark ? html`<p><b class="tag">${mark}</b></p>` : nothing}
    <p class="who">${name ? `${name} · ${speakers[sender]}` : speakers[sender]} <time datetime=${at}>${time}</time></p>
    ${
      recalled
        ? html`<p class="words taken-back">${takenBack}</p>`
        : html`<p class="words" dir="auto" lang=${locale}>${content}</p>`
    }
  </article>`;
}
