import { HeartComposer } from "./composer.js";
import { HeartWidget } from "./embed/heart-widget.js";
import { HeartForm } from "./form/heart-form.js";
import { HeartChat } from "./heart-chat.js";
import { HeartPacer } from "./pacer.js";

if (!customElements.get("heart-composer")) customElements.define("heart-composer", HeartComposer);
if (!customElements.get("heart-form")) customElements.define("heart-form", HeartForm);
if (!customElements.get("heart-pacer")) customElements.define("heart-pacer", HeartPacer);
if (!customElements.get("heart-chat")) customElements.define("heart-chat", HeartWidget);

declare global {
  interface HTMLElementTagNameMap {
    "heart-composer": HeartComposer;
    "heart-chat": HeartWidget;
    "heart-form": HeartForm;
    "heart-pacer": HeartPacer;
  }
}

export { linkTo } from "./contacts.js";
export { carryOver, wordsOf } from "./draft.js";
export { wordsOf as markdownOf } from "./markdown.js";
export { saysItAll } from "./media.js";
export { NOTICE, type NoticeAnswer, noticeAnswers } from "./notice.js";
export { breathOf, rhythmOf } from "./pacer.js";
export { textsOf } from "./texts/index.js";
export type { HeartComposer };
export { HeartChat, HeartWidget };
