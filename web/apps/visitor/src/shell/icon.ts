import { html, svg, type TemplateResult } from "lit";

/** Drawn with one pen: 24 by 24, round ends. They never stand without words for those who cannot see them. */
const drawn = (path: TemplateResult): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${path}</svg>`;

export const handset = drawn(
  svg`<path d="M6.4 3.7 8.7 3.1c.5-.1 1 .1 1.2.6l1.2 2.9c.2.4.1.9-.3 1.2L9.2 9.2c1.1 2.4 3.2 4.5 5.6 5.6l1.4-1.6c.3-.4.8-.5 1.2-.3l2.9 1.2c.5.2.7.7.6 1.2l-.6 2.3c-.3 1.2-1.4 2-2.6 2C10.2 19.6 4.4 13.8 4.4 6.3c0-1.2.8-2.3 2-2.6Z"/>`,
);
export const lines = drawn(svg`<path d="M4.5 8h15M4.5 16h9.5"/>`);
export const chevron = drawn(svg`<path d="m6 9.5 6 5.5 6-5.5"/>`);
export const arrowBack = drawn(svg`<path d="M19 12H5m6-6-6 6 6 6"/>`);
export const tick = drawn(svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`);

/** Ours: a heart in one line that is not quite closed, over a rule. The same as public/mark.svg, in the ink of the page. */
export const mark = html`<svg class="mark" viewBox="0 0 48 48" aria-hidden="true" focusable="false">${svg`<path d="M24 33.5C15.5 27.5 10.5 22.8 10.5 17.2c0-3.8 2.9-6.7 6.5-6.7 3.1 0 5.5 1.9 7 4.9 1.5-3 3.9-4.9 7-4.9 3.6 0 6.5 2.9 6.5 6.7 0 3.3-1.7 6.3-4.8 9.5M7 40.5h34"/>`}</svg>`;
