import type { Debug } from "@heartrule/sdk";
import { html, nothing, type TemplateResult } from "lit";
import { worded } from "./text.js";
import type { DebugWords } from "./words.js";

export type Memory = Debug["memories"][number];

/** What actions of the turn recalled before their first words, and what they left to be remembered. */
export function memories(all: readonly Memory[], words: DebugWords): TemplateResult {
  if (all.length === 0) return html`<p class="soft">${words.memoriesNone}</p>`;
  return html`<ol class="decisions">
    ${all.map((each) => html`<li>${one(each, words)}</li>`)}
  </ol>`;
}

function one({ action, how, items, mode, looked, again, gone }: Memory, words: DebugWords): TemplateResult {
  const gist = how === "read" ? words.recalled(items.length, looked, mode) : words.remembered(again, gone.length);
  return html`<details>
    <summary><b>${action}</b> <span>${gist}</span></summary>
    <ul>
      ${items.map(
        ({ id, type, importance, content, quote }) => html`<li>
          <code>${id}</code> ${worded(words.memoryTypes, type)}${importance === null ? nothing : ` · ${importance}`}
          ${content === null ? html`<i class="soft">${words.maskedItem}</i>` : html`<span dir="auto">${content}</span>`}
          ${quote === null ? nothing : html`<q dir="auto">${quote}</q>`}
        </li>`,
      )}
    </ul>
  </details>`;
}
