import { html, nothing, type TemplateResult } from "lit";
import type { Result, Round } from "./asking.js";
import { short, worded } from "./text.js";
import { row } from "./variables.js";
import type { DebugWords } from "./words.js";

/** How the last rounds of asking and explaining went, the newest last; what this turn's came to stands with them. */
export function rounds(all: readonly Round[], results: readonly Result[], words: DebugWords): TemplateResult {
  if (all.length === 0) return html`<p class="soft">${words.roundsNone}</p>`;
  return html`<ol class="decisions">
    ${all.map((each) => html`<li>${one(each, results.find((result) => same(result.of, each)) ?? null, words)}</li>`)}
  </ol>`;
}

function same(one: Round, other: Round): boolean {
  return one.turn === other.turn && one.action === other.action && one.round === other.round;
}

function one(round: Round, result: Result | null, words: DebugWords): TemplateResult {
  const told = Object.entries(round.metrics ?? {}).filter(([, said]) => said !== "");
  const gist = [worded(words.codes, round.progress_suggestion), ...told.map(([, said]) => short(said, 24))];
  return html`<details>
    <summary>
      <small>${words.turn} ${round.turn}</small> <b>${round.action} · ${round.round}</b>
      <span>${gist.filter(Boolean).join(" · ")}</span>
    </summary>
    <dl>
      ${row(words.actionType, html`<code>${round.type}</code>`)}
      ${round.brief ? row(words.brief, round.brief) : nothing}
      ${told.map(([name, said]) => row(worded(words.metrics, name), said))}
      ${
        result === null
          ? nothing
          : html`${row(words.roundEnded, result.completed ? worded(words.codes, result.exit_reason) : words.stays)}
            ${row(words.parseRetries, String(result.parse_retries))}`
      }
    </dl>
  </details>`;
}
