import { nothing as blank, html } from "lit";
import type { Message } from "../shapes.js";
import type { Entry } from "../state.js";
import { dialling } from "./dialling.js";
import { type Face, faceOf } from "./face.js";
import { wordsOf } from "./markdown.js";
import { mediaOf, type Showing, saysItAll } from "./media.js";
import { refusalOf } from "./notices.js";
import type { Texts } from "./texts/index.js";
import { separator } from "./times.js";

/** A message, or a reply that is still being written. */
export type Spoken = Pick<Message, "seq" | "sender" | "name" | "content" | "at"> & {
  readonly media?: Message["media"];
  readonly growing?: boolean;
  readonly recalled?: boolean;
};

/** Taking a message back: offered, asked whether it is meant, or under way. `rewinds`: with all that came of it. */
export interface TakingBack {
  readonly stage: "offered" | "asked" | "under-way" | "failed";
  readonly rewinds: boolean;
  ask(): void;
  keep(): void;
  take(): void;
}

/**
 * A message of the transcript, below the time when that has to be said; `before`: when the one above it was said.
 * `face`: whose picture stands above it.
 */
export function messageOf(
  message: Spoken,
  before: string | null,
  locale: string,
  showing: Showing,
  back: TakingBack | null = null,
  face: Face | null = null,
) {
  const { seq, sender, content, at, growing, media = [] } = message;
  const { texts } = showing;
  if (message.recalled) {
    return html`<article class="message person recalled" id="m${seq}"><p class="words">${texts.recalled}</p></article>`;
  }
  const time = separator(at, before, locale, texts, new Date());
  return html`${time ? html`<time class="time" datetime=${at} lang=${locale}>${time}</time>` : blank}
    <article class="message ${sender} ${growing ? "growing" : ""}" id="m${seq}">
      ${face ? faceOf(face, showing.base) : blank}
      ${sender === "human" ? named(message, texts) : speaker(sender, texts)}
      ${
        sender === "ai"
          ? wordsOf(content, saysItAll(content, media), showing.dialled)
          : html`<p class="words" dir="auto" ?hidden=${saysItAll(content, media)}>${sender === "person" ? content : dialling(content, showing.dialled)(content)}</p>`
      }
      ${mediaOf(media, showing, content)} ${back?.stage === "offered" ? takingBack(back, texts) : blank}
    </article>
    ${back && back.stage !== "offered" ? takingBack(back, texts) : blank}`;
}

/** Below the words. What is asked is asked in the same place. */
function takingBack(back: TakingBack, texts: Texts) {
  const { stage, rewinds } = back;
  if (stage === "offered") {
    return html`<p class="back beside">
      <button class="quiet small" @click=${back.ask}>${texts.takeBack}</button>
    </p>`;
  }
  if (stage === "under-way") return html`<p class="back" role="status">${texts.takingBack}</p>`;
  return html`<div class="back asked" role="group" aria-label=${texts.takeBack}>
    <p role="status">${stage === "failed" ? texts.takeBackFailed : rewinds ? texts.takeBackAll : texts.takeBackWords}</p>
    <p class="row">
      <button class="small" id="take-back" @click=${back.take}>${texts.takeBack}</button>
      <button class="small" @click=${back.keep}>${texts.keepIt}</button>
    </p>
  </div>`;
}

/** Who a human is stands in words above what they say. */
function named({ name }: Spoken, texts: Texts) {
  return html`<p class="who"><b dir="auto">${name}</b> · ${texts.counsellor}</p>`;
}

/** Something that was said and is not in the transcript yet; words, not only colours, say why. */
export function entryOf(entry: Entry, disturbed: boolean, texts: Texts, act: { edit(): void; drop(): void }) {
  const { input, label, state, problem } = entry;
  const refused = state === "refused";
  return html`<article class="message person ${state}">
    ${speaker("person", texts)}
    <p class="words" dir="auto">${input.type === "message" ? input.text : label}</p>
    ${!refused && disturbed ? html`<p class="mark">${texts.unsent}</p>` : blank}
    ${
      refused
        ? html`<p class="mark" role="status">${refusalOf(problem, texts)}</p>
          <p class="row">
            <button class="small" @click=${act.edit}>${texts.edit}</button>
            <button class="small" @click=${act.drop}>${texts.drop}</button>
          </p>`
        : blank
    }
  </article>`;
}

function speaker(sender: Message["sender"], texts: Texts) {
  return sender === "system"
    ? blank
    : html`<span class="unseen">${sender === "person" ? texts.you : texts.ai}: </span>`;
}
