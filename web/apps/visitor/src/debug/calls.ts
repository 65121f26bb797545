import { html, nothing, type TemplateResult } from "lit";
import type { Locale } from "../i18n/language.js";
import type { Attempt, Call, Layer } from "./asking.js";
import { json, money, number, pieces, seconds, together, worded } from "./text.js";
import { row } from "./variables.js";
import type { DebugWords } from "./words.js";

/** What shows the bubble of a variable. */
export type Show = (scope: string, key: string, name: string) => void;

/** Every model call, folded to one line that says what it was for and what it cost. */
export function calls(all: readonly Call[], words: DebugWords, locale: Locale, show: Show): TemplateResult {
  if (all.length === 0) return html`<p class="soft">${words.callsNone}</p>`;
  return html`<ol class="calls">${all.map((each) => html`<li>${call(each, words, locale, show)}</li>`)}</ol>`;
}

export function purpose(call: Call, words: DebugWords): string {
  return worded(words.purposes, call.purpose);
}

function call(each: Call, words: DebugWords, locale: Locale, show: Show): TemplateResult {
  const cost = together(each.attempts.map((one) => [one.cost, one.currency] as const));
  const took = each.attempts.reduce((sum, one) => sum + one.seconds, 0);
  return html`<details class="call ${each.status === "answered" ? "" : "bad"}">
    <summary>
      <b>${purpose(each, words)}</b>
      <span class="chip">${worded(words.status, each.status)}</span>
      <small>${each.attempts.length > 1 ? html`${words.attempts} ${each.attempts.length} · ` : nothing}${seconds(took, locale, words)} ·
        ${words.cost} ${money(...cost, locale, words)}</small>
    </summary>
    ${each.used ? nothing : html`<p class="note">${each.purpose === "periodic" ? words.beside : words.unused}</p>`}
    ${each.used && !each.exact && each.prompt.length > 0 ? html`<p class="note">${words.reworded}</p>` : nothing}
    ${led(each, words)}
    <details>
      <summary>${words.parameters}</summary>
      <dl>
        ${row(words.template, html`<code>${each.template}</code>`)} ${row(words.tier, worded(words.tiers, each.tier))}
        ${row(words.temperature, number(each.temperature, locale, words, 2))}
        ${row(words.deadline, seconds(each.deadline, locale, words))}
        ${row(words.maxTokens, number(each.max_tokens, locale, words))}
      </dl>
    </details>
    ${each.prompt.map((layer) => part(layer, words, show))}
    <details ?open=${each.attempts.some((one) => one.outcome !== "ok")}>
      <summary>${words.attempts} <small>${each.attempts.length}</small></summary>
      <ol class="tries">${each.attempts.map((one) => html`<li>${attempt(one, words, locale, show)}</li>`)}</ol>
    </details>
    <details>
      <summary>${each.answer === null ? words.noAnswer : words.answer}</summary>
      ${each.answer === null ? nothing : html`<pre tabindex="0" aria-label=${words.answer}>${json(each.answer)}</pre>`}
    </details>
  </details>`;
}

function led({ changed }: Call, words: DebugWords): TemplateResult {
  const told = [
    changed.variables.length > 0 ? html`${words.ledVariables} <b>${changed.variables.join(" ")}</b>` : null,
    changed.exits.length > 0
      ? html`${words.ledExits} <b>${changed.exits.map((each) => `#${each}`).join(" ")}</b>`
      : null,
    changed.messages.length > 0 ? html`${words.ledMessages(changed.messages.join(" "))}` : null,
  ].filter((each) => each !== null);
  return html`<p class="led"><span class="soft">${words.led}</span>
    ${told.length === 0 ? words.ledNothing : told.map((each, index) => html`${index > 0 ? " · " : ""}${each}`)}</p>`;
}

function part(layer: Layer, words: DebugWords, show: Show): TemplateResult {
  const { text } = layer;
  const label = worded(words.layers, layer.role);
  return html`<details class="layer">
    <summary>${words.prompt} · ${label} <small>${words.characters(layer.characters)}</small></summary>
    ${
      text === null
        ? html`<p class="note">${words.maskedLayer(layer.characters)}</p>`
        : // biome-ignore format: every blank in it would be shown
          html`<pre tabindex="0" aria-label=${label}>${pieces(text, layer.inserted).map(({ text: words_, inserted }) =>
            inserted === null ? words_ : html`<button type="button" class="inserted" title=${words.inserted(inserted.name, inserted.source)} aria-label="${words_} – ${words.inserted(inserted.name, inserted.source)}" ?disabled=${inserted.scope === ""} @click=${() => show(inserted.scope, inserted.scope_key, inserted.name)}>${words_}</button>`,
          )}</pre>`
    }
  </details>`;
}

export function attempt(each: Attempt, words: DebugWords, locale: Locale, show: Show): TemplateResult {
  const counted = (label: string, value: number | null) =>
    value === null ? "" : `${label} ${number(value, locale, words)}`;
  const tokens = [
    counted(words.tokensIn, each.tokens_in),
    counted(words.cached, each.cached),
    counted(words.tokensOut, each.tokens_out),
    counted(words.reasoning, each.reasoning),
  ].filter(Boolean);
  const took = [seconds(each.seconds, locale, words)];
  if (each.first_token !== null) took.push(`${words.firstToken} ${seconds(each.first_token, locale, words)}`);
  return html`<p class="try">
      <b>${words.attempt(each.number)}</b>
      <span class="chip ${each.outcome}">${worded(words.outcomes, each.outcome)}</span>
      ${each.code ? html`<code>${each.code}</code>` : nothing}
    </p>
    <dl>
      ${row(words.because, each.because === "first" ? words.first : html`<code>${each.because}</code>`)}
      ${row(words.asked, html`${each.provider ?? words.unknown}${each.fallback ? html` <small>${words.fallback}</small>` : nothing}`)}
      ${row(words.answered, each.model ?? words.unknown)}
      ${row(words.took, took.join(" · "))}
            ${row(words.tokens, tokens.join(" · ") || words.unknown)} ${row(words.cost, money(each.cost, each.currency, locale, words))}
      ${each.parse.length > 0 ? row(words.parse, each.parse.map((one) => worded(words.parses, one)).join(" → ")) : nothing}
      ${each.problem ? row(words.problem, each.problem) : nothing}
      ${each.form === "first" ? nothing : row(words.form, worded(words.forms, each.form))}
    </dl>
    ${each.prompt.map((layer) => part(layer, words, show))}
    ${raw(each, words)}`;
}

function raw({ raw: text }: Attempt, words: DebugWords): TemplateResult | typeof nothing {
  if (text === null) return html`<p class="note">${words.rawHidden}</p>`;
  if (text === "") return nothing;
  return html`<details><summary>${words.raw}</summary><pre tabindex="0" aria-label=${words.raw}>${text}</pre></details>`;
}
