import { nothing as blank, html } from "lit";
import type { Media } from "../shapes.js";
import { chartOf } from "./chart.js";
import { breathOf, rhythmOf } from "./pacer.js";
import type { Texts } from "./texts/index.js";

/** What media need to be shown. `active`: an exercise is under way, and this is the step it is at. */
export interface Showing {
  readonly base: string;
  readonly texts: Texts;
  readonly active: boolean;
  /** Something has become higher than it was. */
  readonly grown: () => void;
  /** Numbers that can be called from where they stand. */
  readonly dialled: readonly string[];
}

/** What is shown or heard beside a message's words; a caption that they say already is left out. */
export function mediaOf(media: readonly Media[], showing: Showing, content = "") {
  return media.map((each) => one(each.caption && each.caption === content ? { ...each, caption: "" } : each, showing));
}

/** Whether a picture's `alt` says all that the words say: they need not be read twice. */
export function saysItAll(content: string, media: readonly Media[]): boolean {
  const [only] = media;
  return media.length === 1 && only?.kind === "picture" && !only.caption && only.alt === content;
}

function one(media: Media, { base, texts, active, grown }: Showing) {
  const { kind, alt = "", caption = "", transcript = "", data = {} } = media;
  const src = addressOf(media.src ?? "", base);
  switch (kind) {
    case "picture":
      return html`<figure class="media picture">
        <img src=${src} alt=${alt} decoding="async" referrerpolicy="no-referrer" @load=${grown} />
        ${caption ? html`<figcaption>${caption}</figcaption>` : blank}
      </figure>`;
    case "audio":
      return html`<figure class="media audio">
        ${caption ? html`<figcaption>${caption}</figcaption>` : blank}
        <audio controls preload="none" src=${src} aria-label=${caption || texts.recording}></audio>
        <details><summary>${texts.transcriptOf}</summary><p class="words" dir="auto">${transcript}</p></details>
      </figure>`;
    case "card":
      return cardOf(data);
    case "chart":
      return chartOf(data, texts);
    default:
      return pacerOf(data, texts, active);
  }
}

function cardOf(data: Record<string, unknown>) {
  const items = Array.isArray(data.items) ? data.items : [];
  return html`<section class="media card" aria-label=${String(data.title ?? "")}>
    <p class="title"><b dir="auto">${data.title}</b></p>
    ${data.text ? html`<p class="words" dir="auto">${data.text}</p>` : blank}
    ${items.length > 0 ? html`<ul>${items.map((item) => html`<li dir="auto">${item}</li>`)}</ul>` : blank}
  </section>`;
}

/** It moves while its step is at; afterwards only what it was is left. */
function pacerOf(data: Record<string, unknown>, texts: Texts, active: boolean) {
  const breath = breathOf(data);
  if (!breath) return blank;
  return active
    ? html`<heart-pacer class="media" .breath=${breath} .texts=${texts}></heart-pacer>`
    : html`<p class="media rhythm">${rhythmOf(breath, texts)}</p>`;
}

const DRAWN = /^data:image\/(png|jpeg|webp);base64,/;

/** An address on the server that is spoken with, an https one, or a picture that was made in this session. */
export function addressOf(src: string, base: string): string {
  if (src.startsWith("https://") || DRAWN.test(src)) return src;
  return src.startsWith("/") && !src.startsWith("//") ? `${base.replace(/\/$/, "")}${src}` : "";
}
