import { html, nothing, type TemplateResult } from "lit";
import type { Decision } from "./asking.js";
import { json, short, worded } from "./text.js";
import type { DebugWords } from "./words.js";

/** What was decided, in the order in which it was; each with all that it rests on. */
export function decisions(all: readonly Decision[], words: DebugWords): TemplateResult {
  if (all.length === 0) return html`<p class="soft">${words.decisionsNone}</p>`;
  return html`<ol class="decisions">
    ${all.map(
      (each) => html`<li>
        <details>
          <summary>
            <small>#${each.number}</small> <b>${worded(words.kinds, each.kind)}</b>
            <span>${gist(each, words)}</span>
          </summary>
          ${each.action ? html`<p class="soft">${words.action} <code>${each.action}</code></p>` : nothing}
          <pre tabindex="0" aria-label=${worded(words.kinds, each.kind)}>${json(each.data)}</pre>
        </details>
      </li>`,
    )}
  </ol>`;
}

/** The one thing about it that is looked for first. Ids and codes stay as the script has them. */
function gist({ kind, data }: Decision, words: DebugWords): string {
  const said = (name: string): string => (data[name] === undefined || data[name] === null ? "" : short(data[name], 48));
  const coded = (name: string): string => (said(name) === "" ? "" : worded(words.codes, said(name)));
  const joined = (...parts: string[]): string => parts.filter(Boolean).join(" · ");
  switch (kind) {
    case "exit":
      return joined(data.should_exit ? words.leaves : words.stays, coded("decision_source"), said("reason"));
    case "asked_for":
      return list(data.names);
    case "case":
      return joined(said("number"), said("noted"), said("text"), list(data.about));
    case "perceived":
      return words.foundOf(Number(data.found), Number(data.asked));
    case "replied":
      return joined(said("task"), data.speculative ? words.speculative : "", data.redone ? words.redone : "");
    case "blocked":
      return joined(coded("check"), said("reason"));
    case "round":
      return joined(said("current_round"), coded("progress_suggestion"));
    case "awareness":
      return joined(said("awareness"), coded("verdict"), coded("source"));
    case "judged":
      return joined(coded("verdict"), coded("source"), said("question"));
    case "directive":
      return joined(said("directive"), said("cause"), said("refused"));
    case "form_shown":
      return joined(said("form"), said("mode"));
    case "form_answered":
      return joined(said("form"), said("how"), list(Object.keys((data.values as object | null) ?? {})));
    case "form_submitted":
      return joined(said("form"), json(data.scores), list(Object.values((data.bands as object | null) ?? {})));
    case "queue":
      return joined(
        `${list(data.before)} → ${list(data.after)}`,
        changed(data.suspended_before, data.suspended_after, words),
        coded("cause"),
      );
    case "instances":
      return joined(`${list(data.before)} → ${list(data.after)}`, coming(data.coming), coded("cause"));
    case "plan":
      return joined(`${list(data.written)} → ${list(data.after)}`, said("cause"), said("refused"));
    case "strategy":
      return joined(said("number"), coded("cause"), said("strategy"));
    case "monitored":
      return joined(coded("suggestion"), said("feedback"), data.orchestrate ? words.wantsPlan : "", said("rest"));
    case "verified":
      return `${list(data.asked)} · ${words.dropped} ${list(Object.keys((data.dropped as object | null) ?? {}))}`;
    case "shortened":
      return joined(`${said("was")} → ${said("max_rounds")}`, coded("of"));
    case "scope_opened":
    case "scope_snapshot":
      return joined(said("scope"), said("scope_key"));
    case "scope_cleaned":
      return joined(said("scope"), said("scope_key"), list(data.variables));
    case "advice_unused":
      return joined(said("template"), said("why"));
    case "topic":
      return joined(said("ref"), coded("state"), coded("cause"));
    case "phase":
      return joined(said("id"), coded("state"), coded("cause"));
    default:
      return joined(said("name"), said("what"), coded("outcome"), said("reason"));
  }
}

function list(value: unknown): string {
  return Array.isArray(value) && value.length > 0 ? value.join(" ") : "–";
}

function changed(before: unknown, after: unknown, words: DebugWords): string {
  return list(before) === list(after) ? "" : `${words.aside} ${list(before)} → ${list(after)}`;
}

function coming(value: unknown): string {
  return Array.isArray(value) && value.length > 0 ? `+ ${value.join(" ")}` : "";
}
