import type { Media } from "@heartrule/sdk";
import { breathOf, rhythmOf, textsOf } from "@heartrule/sdk/chat";
import { html, nothing, type TemplateResult } from "lit";
import { language } from "../i18n/language.js";
import { server } from "../shell/server.js";

interface Point {
  readonly label: string;
  readonly value: number;
}

/** What stood beside words, to be read and printed: pictures as they are, all else in words. */
export function readMedia(media: readonly Media[], content: string): TemplateResult[] {
  return media.map((each) => one(each, content));
}

function one(
  { kind, src, alt = "", caption = "", transcript = "", data = {} }: Media,
  content: string,
): TemplateResult {
  const told = caption && caption !== content ? html`<figcaption>${caption}</figcaption>` : nothing;
  switch (kind) {
    case "picture":
      return html`<figure class="beside"><img src=${addressOf(src ?? "")} alt=${alt} />${told}</figure>`;
    case "audio":
      return html`<figure class="beside">${told}<blockquote>${transcript}</blockquote></figure>`;
    case "card":
      return html`<figure class="beside">
        <p><b>${data.title}</b></p>
        ${data.text ? html`<p>${data.text}</p>` : nothing}
        <ul>${listOf<string>(data.items).map((item) => html`<li>${item}</li>`)}</ul>
      </figure>`;
    case "chart":
      return html`<figure class="beside">
        <table>
          <caption>${data.title}</caption>
          <tbody>
            ${listOf<Point>(data.points).map(({ label, value }) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`)}
          </tbody>
        </table>
      </figure>`;
    case "pacer": {
      const breath = breathOf(data);
      return breath ? html`<p class="beside">${rhythmOf(breath, textsOf(language.locale).texts)}</p>` : html``;
    }
    default:
      return html``;
  }
}

function listOf<T>(given: unknown): T[] {
  return Array.isArray(given) ? (given as T[]) : [];
}

/** On our own server, an https address, or a picture that was made in the session. */
function addressOf(src: string): string {
  if (src.startsWith("https://") || /^data:image\/(png|jpeg|webp);base64,/.test(src)) return src;
  return src.startsWith("/") && !src.startsWith("//") ? `${server().options.base.replace(/\/$/, "")}${src}` : "";
}
