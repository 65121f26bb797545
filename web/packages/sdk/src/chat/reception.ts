import { nothing as blank, html } from "lit";
import type { ConversationState } from "../state.js";
import type { Texts } from "./texts/index.js";

/** Whether the last words are the person's and a question from before them still waits: they were sent before its
 * answer could be seen, went to where they belong, and nobody will say a word about them. */
export function isUnanswered({ status, request, outbox, messages, human, growing }: ConversationState): boolean {
  const waits = status === "ready" && (request.type === "message" || request.type === "choice");
  if (!waits || human || growing.length > 0 || outbox.some(({ state }) => state !== "refused")) return false;
  const said = messages.filter(({ recalled }) => !recalled);
  return said.at(-1)?.sender === "person" && said.some(({ sender }) => sender === "ai");
}

/** That they have arrived, and whose turn it is; said once, and gone with whatever comes next. */
export function receptionOf(state: ConversationState, texts: Texts) {
  return html`<p class="reception" role="status">${isUnanswered(state) ? texts.received : blank}</p>`;
}
