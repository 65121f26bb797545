import type { Remembered } from "@heartrule/sdk";
import { html, nothing, type TemplateResult } from "lit";
import type { Words } from "../i18n/language.js";

const SHOWN = 5;

/** What was told or explained and may come up again, the latest first, each with a button to have it forgotten. */
export function rememberedOf(given: {
  items: readonly Remembered[];
  words: Words;
  moment: (at: string) => string;
  /** In place of the button, while it is asked whether it is meant. */
  sure: (item: Remembered) => TemplateResult | null;
  ask: (id: string) => void;
}): TemplateResult {
  const { items, words, moment, sure, ask } = given;
  const { space, arrive } = words;
  const one = (each: Remembered) => html`<li>
    <span class="what">
      <b dir="auto">${each.content}</b>
      ${each.quote ? html`<span dir="auto">${space.quoted(each.quote)}</span>` : nothing}
      <span>${[moment(each.at), ...each.taken.map((how) => space.taken_[how]), space.lasts[each.type]].join(" · ")}</span>
    </span>
    ${
      sure(each) ??
      html`<button class="quiet" type="button" aria-label=${space.forgetNamed(each.content)} @click=${() => ask(each.id)}>
        ${space.forget}
      </button>`
    }
  </li>`;
  const latest = [...items].reverse();
  if (latest.length === 0) return html`<p class="soft">${space.noKnown}</p>`;
  return html`<ul class="belongings">${latest.slice(0, SHOWN).map(one)}</ul>
    ${
      latest.length > SHOWN
        ? html`<details>
            <summary>${arrive.older(latest.length - SHOWN)}</summary>
            <ul class="belongings">${latest.slice(SHOWN).map(one)}</ul>
          </details>`
        : nothing
    }`;
}
