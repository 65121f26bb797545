import { html, nothing, type TemplateResult } from "lit";
import type { Words } from "../i18n/language.js";
import { arrowBack, mark } from "./icon.js";
import type { MenuItem } from "./menu.js";
import { format } from "./route.js";
import "./menu.js";

/** The strip at the head of every page. Its far corner is left free for the help button. */
export function top(
  words: Words,
  more: { back?: { label: string; act?: () => void }; title?: string; items?: readonly MenuItem[] } = {},
): TemplateResult {
  const { back, title, items = [] } = more;
  return html`<header class="top">
    ${
      back
        ? back.act
          ? html`<button class="plain icon-button" type="button" @click=${back.act}>
              ${arrowBack}<span class="label">${back.label}</span>
            </button>`
          : html`<a class="plain icon-button" href=${format({ at: "arrive" })}>${arrowBack}<span class="label">${back.label}</span></a>`
        : html`<span class="brand">${mark}<span>${words.name}</span></span>`
    }
    ${title === undefined ? nothing : html`<h1 class="top-title" tabindex="-1">${title}</h1>`}
    <options-menu .items=${items}></options-menu>
  </header>`;
}
