import { html, nothing, type TemplateResult } from "lit";
import type { Locale } from "../i18n/language.js";
import type { Variable } from "./asking.js";
import { bubbleId, json, short, worded } from "./text.js";
import type { DebugWords } from "./words.js";

/** Every variable as a bubble that folds open: what it is, where it came from, what it was before. */
export function variables(all: readonly Variable[], words: DebugWords, locale: Locale): TemplateResult {
  if (all.length === 0) return html`<p class="soft">${words.variablesNone}</p>`;
  return html`<ul class="bubbles">
    ${all.map((each) => html`<li>${bubble(each, words, locale)}</li>`)}
  </ul>`;
}

function bubble(variable: Variable, words: DebugWords, locale: Locale): TemplateResult {
  const { name, value, masked } = variable;
  const shown = masked ? words.hidden : told(value, words, 24);
  return html`<details class="bubble ${variable.changed ? "changed" : ""}" id=${bubbleId(variable.scope, variable.scope_key, name)}>
    <summary>
      <b>${name}</b> <span>${shown}</span>${variable.changed ? html`<small>${words.changed}</small>` : nothing}
    </summary>
    <dl>
      ${
        masked || nothingIn(value)
          ? nothing
          : html`<div class="wide">
              <dd><pre tabindex="0" aria-label=${name}>${json(value)}</pre></dd>
            </div>`
      }
      ${row(words.scope, worded(words.scopes, variable.scope))} ${row(words.source, variable.source)}
      ${row(words.strategy, worded(words.strategies, variable.strategy))} ${row(words.type, variable.type)}
      ${variable.evidence ? row(words.evidence, variable.evidence) : nothing}
    </dl>
    ${variable.history.length > 0 ? history(variable, words, locale) : nothing}
  </details>`;
}

export function row(label: string, value: string | TemplateResult): TemplateResult {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function history({ history: writes, masked }: Variable, words: DebugWords, locale: Locale): TemplateResult {
  const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return html`<h4>${words.history}</h4>
    <ol class="writes">
      ${writes.map(
        (write) => html`<li>
          <span class="soft">${words.writeTurn(write.turn)} · ${time.format(new Date(write.at))} · ${write.source} ·
            ${worded(words.strategies, write.strategy)}${write.outcome === "written" ? nothing : html` · ${worded(words.writeOutcomes, write.outcome)}${write.reason ? ` (${write.reason})` : nothing}`}</span>
          ${
            masked
              ? nothing
              : html`<span>${write.old === null ? nothing : html`${words.from} <q>${told(write.old, words, 60)}</q> `}${words.to} <q>${told(write.value, words, 120)}</q></span>`
          }
          ${write.evidence ? html`<span class="soft">${words.evidence} <q>${write.evidence}</q></span>` : nothing}
        </li>`,
      )}
    </ol>`;
}

function told(value: unknown, words: DebugWords, most: number): string {
  return nothingIn(value) ? words.empty : short(value, most);
}

function nothingIn(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}
