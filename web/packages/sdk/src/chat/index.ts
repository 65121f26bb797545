import { HeartComposer } from "./composer.js";
import { HeartChat } from "./heart-chat.js";

if (!customElements.get("heart-composer")) customElements.define("heart-composer", HeartComposer);
if (!customElements.get("heart-chat")) customElements.define("heart-chat", HeartChat);

declare global {
  interface HTMLElementTagNameMap {
    "heart-composer": HeartComposer;
    "heart-chat": HeartChat;
  }
}

export { carryOver, wordsOf } from "./draft.js";
export type { HeartComposer };
export { HeartChat };
