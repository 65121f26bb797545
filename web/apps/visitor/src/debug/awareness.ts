import { html, nothing, type TemplateResult } from "lit";
import type { Locale } from "../i18n/language.js";
import type { Awareness } from "./asking.js";
import { number, worded } from "./text.js";
import { row } from "./variables.js";
import type { DebugWords } from "./words.js";

/** What each awareness script came to, and why it acted or did not; those that acted first. */
export function awareness(all: readonly Awareness[], words: DebugWords, locale: Locale): TemplateResult {
  if (all.length === 0) return html`<p class="soft">${words.awarenessNone}</p>`;
  return html`<ul class="bubbles watched">
    ${ordered(all).map((each) => html`<li>${bubble(each, words, locale)}</li>`)}
  </ul>`;
}

/** Who did something stands before who found something, and that before who found nothing or was not asked. */
export function ordered(all: readonly Awareness[]): Awareness[] {
  const rank = ({ because, verdict }: Awareness): number =>
    because === "acted" ? 0 : verdict === "" ? 3 : verdict === "no" ? 2 : 1;
  return [...all].sort((one, other) => rank(one) - rank(other));
}

function bubble(each: Awareness, words: DebugWords, locale: Locale): TemplateResult {
  const { verdict, because, priority, source, confidence, evidence, reason, orders, refused } = each;
  return html`<details class="bubble ${because === "acted" ? "changed" : ""}">
    <summary>
      <b>${each.awareness}</b> ${priority ? html`<small>${priority}</small>` : nothing}
      <span>${verdict ? worded(words.codes, verdict) : words.notJudged} → ${worded(words.becauses, because)}</span>
    </summary>
    <dl>
      ${each.hook_point ? row(words.hookPoint, html`<code>${each.hook_point}</code>`) : nothing}
      ${source ? row(words.judgedBy, worded(words.codes, source)) : nothing}
      ${confidence === null ? nothing : row(words.confidence, number(confidence, locale, words, 2))}
      ${evidence ? row(words.evidence, evidence) : nothing}
      ${reason ? row(words.why, worded(words.becauses, reason)) : nothing}
      ${orders.length > 0 ? row(words.orders, html`<code>${orders.join(" ")}</code>`) : nothing}
      ${refused.length > 0 ? row(words.refused, html`<code>${refused.join(" ")}</code>`) : nothing}
    </dl>
  </details>`;
}
