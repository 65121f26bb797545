import { HeartChat } from "./heart-chat.js";

if (!customElements.get("heart-chat")) customElements.define("heart-chat", HeartChat);

declare global {
  interface HTMLElementTagNameMap {
    "heart-chat": HeartChat;
  }
}

export { HeartChat };
