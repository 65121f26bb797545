import { type CSSResult, css } from "lit";

/** The properties a page can set are those without the underscore; docs in the package's README. */
export const palette = css`
  :host {
    --_paper: var(--heart-paper, #faf6ee);
    --_ink: var(--heart-ink, #2b2926);
    --_quiet: var(--heart-quiet, #6a6358);
    --_line: var(--heart-line, #ddd4c5);
    --_accent: var(--heart-accent, #3d6658);
    --_on-accent: var(--heart-on-accent, #fffdf8);
    --_own: var(--heart-own, #ece4d6);
    --_warn: var(--heart-warn, #8a3b22);
    color-scheme: light;
  }
  :host([theme="dark"]) {
    --_paper: var(--heart-paper, #1f1d1a);
    --_ink: var(--heart-ink, #e8e2d7);
    --_quiet: var(--heart-quiet, #aaa194);
    --_line: var(--heart-line, #413c35);
    --_accent: var(--heart-accent, #94bba9);
    --_on-accent: var(--heart-on-accent, #17211d);
    --_own: var(--heart-own, #322e28);
    --_warn: var(--heart-warn, #eba183);
    color-scheme: dark;
  }
  @media (prefers-color-scheme: dark) {
    :host(:not([theme="light"])) {
      --_paper: var(--heart-paper, #1f1d1a);
      --_ink: var(--heart-ink, #e8e2d7);
      --_quiet: var(--heart-quiet, #aaa194);
      --_line: var(--heart-line, #413c35);
      --_accent: var(--heart-accent, #94bba9);
      --_on-accent: var(--heart-on-accent, #17211d);
      --_own: var(--heart-own, #322e28);
      --_warn: var(--heart-warn, #eba183);
      color-scheme: dark;
    }
  }
`;

export const basics = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  button {
    font: inherit;
    color: inherit;
    cursor: pointer;
    min-block-size: 2.75rem;
    padding: 0.4em 1em;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_paper);
  }
  button:hover {
    border-color: var(--_accent);
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  button.small {
    font-size: 0.875em;
    min-block-size: 2rem;
    padding: 0.1em 0.8em;
  }
  .quiet {
    color: var(--_quiet);
    font-size: 0.875em;
  }
  .unseen {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
`;

export const frame = css`
  :host {
    --_radius: var(--heart-radius, 0.75rem);
    --_measure: var(--heart-measure, 38em);
    --_leading: 1.7;
    --heart-rem: 1em;
    block-size: 100%;
    /* The page around may say what it likes about every element and all that is inherited: this is read as it is. */
    display: flex !important;
    flex-direction: column !important;
    position: relative !important;
    max-block-size: 100dvh !important;
    min-block-size: 18rem;
    background: var(--heart-ground, var(--_paper)) !important;
    color: var(--_ink) !important;
    -webkit-text-fill-color: currentcolor !important;
    font-family: var(
      --heart-font,
      system-ui,
      -apple-system,
      "PingFang SC",
      "Hiragino Sans GB",
      "Noto Sans CJK SC",
      "Source Han Sans SC",
      "Microsoft YaHei",
      sans-serif
    ) !important;
    font-size: medium !important;
    font-style: normal !important;
    font-weight: 400 !important;
    font-variant: normal !important;
    line-height: var(--heart-leading, var(--_leading)) !important;
    letter-spacing: normal !important;
    word-spacing: normal !important;
    text-align: start !important;
    text-indent: 0 !important;
    text-shadow: none !important;
    text-transform: none !important;
    white-space: normal !important;
    word-break: normal !important;
    direction: ltr !important;
    writing-mode: horizontal-tb !important;
    visibility: visible !important;
    cursor: auto !important;
    pointer-events: auto !important;
    user-select: text !important;
    overflow-wrap: anywhere;
  }
  :host > * {
    font-size: var(--heart-size, 1.0625rem);
  }
  :host([hidden]) {
    display: none !important;
  }
  /* What is unseen in it must not make the page around it higher. */
  .scroll {
    position: relative;
    flex: 1;
    min-block-size: var(--heart-transcript, 35%);
    overflow-y: auto;
    overscroll-behavior: contain;
    padding: 1rem;
    scroll-padding: 1rem;
  }
  .column {
    inline-size: 100%;
    max-inline-size: var(--_measure);
    margin-inline: auto;
  }
  .about,
  ::slotted([slot="about"]) {
    margin: 0 0 1rem;
    color: var(--_quiet);
    font-size: 0.875em;
    line-height: 1.5;
  }
  .reception {
    margin: 1rem 0 0;
    color: var(--_quiet);
    font-size: 0.875em;
  }
  .about:empty,
  .reception:empty {
    display: none;
  }
  .log {
    display: flex;
    flex-direction: column;
    gap: 1rem;
    outline-offset: -2px;
  }
  .time {
    align-self: center;
    color: var(--_quiet);
    font-size: 0.8125em;
  }
  .message {
    position: relative;
    max-inline-size: 94%;
    align-self: flex-start;
  }
  .message.person {
    align-self: flex-end;
    max-inline-size: 76%;
    background: var(--_own);
    border-radius: var(--_radius);
    padding: 0.5em 0.9em;
  }
  .message.recalled {
    background: none;
    border: 1px dashed var(--_line);
    color: var(--_quiet);
    font-size: 0.875em;
  }
  .back {
    align-self: flex-end;
    margin: -0.35rem 0 0;
    max-inline-size: 88%;
    color: var(--_quiet);
    font-size: 0.875em;
  }
  .back .quiet {
    border-color: transparent;
    background: none;
  }
  /* Beside the words, so that nothing moves when it comes and goes. */
  .back.beside {
    position: absolute;
    inset-block-end: 0;
    inset-inline-end: 100%;
    margin: 0;
    max-inline-size: none;
    white-space: nowrap;
  }
  .back.asked {
    margin-block-start: 0;
    padding: 0.5em 0.9em;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }
  .back.asked p {
    margin: 0 0 0.4rem;
  }
  .back.asked .row {
    margin: 0;
    justify-content: flex-end;
  }
  .back.asked button {
    min-block-size: 2.75rem;
  }
  /* What deletes does not look like what leaves everything as it is. */
  #take-back {
    border-color: currentColor;
    color: var(--_warn);
  }
  .message.system {
    align-self: stretch;
    max-inline-size: none;
    padding-block: 0.6em;
    border-block: 1px solid var(--_accent);
    text-align: center;
    font-size: 0.9375em;
  }
  .message.system .words {
    text-align: center;
  }
  .message.human {
    padding: 0.5em 0.9em;
    border: 1px solid var(--_accent);
    border-inline-start-width: 4px;
    border-radius: var(--_radius);
  }
  .who {
    margin: 0 0 0.15em;
    font-size: 0.8125em;
    color: var(--_accent);
  }
  .face {
    display: block;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    margin-block-end: 0.3em;
    border-radius: 50%;
    background: var(--_own);
    object-fit: cover;
    overflow: hidden;
    font-size: 0.625rem;
  }
  .message.refused {
    border: 1px dashed var(--_warn);
  }
  .words {
    margin: 0;
    white-space: pre-wrap;
    unicode-bidi: plaintext;
    text-align: start;
  }
  .words :is(p, ul, ol) {
    margin: 0;
  }
  .words :is(ul, ol) {
    padding-inline-start: 1.5em;
    white-space: normal;
  }
  .words li + li {
    margin-block-start: 0.25em;
  }
  .words a {
    color: var(--_accent);
    overflow-wrap: anywhere;
  }
  .words .host {
    color: var(--_quiet);
    font-size: 0.875em;
    overflow-wrap: anywhere;
  }
  .mark {
    margin: 0.2em 0 0;
    color: var(--_quiet);
    font-size: 0.8125em;
  }
  .refused .mark {
    color: var(--_warn);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
  }
  /* Beside it, over the end of the transcript, lies the button to stop. */
  .dots {
    margin: 0.5rem 0 0;
    padding-inline-end: 6rem;
    color: var(--_quiet);
    min-block-size: 1.7em;
  }
  .dots span::after {
    content: "";
    display: inline-block;
    inline-size: 0.4em;
    block-size: 0.4em;
    margin-inline-start: 0.5em;
    border-radius: 50%;
    background: var(--_accent);
    animation: breathe 3s ease-in-out infinite;
  }
  @keyframes breathe {
    50% {
      opacity: 0.25;
    }
  }
  .foot {
    flex: none;
    padding: 0.5rem 1rem max(0.75rem, env(safe-area-inset-bottom));
    border-block-start: 1px solid var(--_line);
  }
  .foot > :not([vacant]) {
    display: block;
  }
  .foot .row > button,
  .foot .row > span:not(:empty) {
    margin-block-end: 0.5rem;
  }
  .options button {
    border-color: var(--_accent);
    text-align: start;
    white-space: pre-wrap;
  }
  .scale {
    margin-block-end: 0.5rem;
  }
  .numbers {
    display: grid;
    grid-auto-flow: column;
    grid-auto-columns: minmax(0, 1fr);
    gap: 0.25rem;
  }
  .scale button {
    padding-inline: 0;
    text-align: center;
    font-variant-numeric: tabular-nums;
  }
  .scale-ends {
    display: flex;
    justify-content: space-between;
    gap: 1em;
    margin: 0.15rem 0 0;
  }
  @media (max-width: 34rem) {
    .scale.long .numbers {
      grid-auto-flow: row;
      grid-template-columns: repeat(6, minmax(0, 1fr));
    }
  }
  .edge {
    position: relative;
    block-size: 0;
  }
  .over {
    position: absolute;
    inset-block-end: 0.5rem;
    inset-inline: 0;
    inline-size: calc(100% - 2rem);
    display: grid;
    grid-template-columns: 1fr auto 1fr;
    gap: 0.5rem;
    pointer-events: none;
  }
  .over > button {
    pointer-events: auto;
    box-shadow: 0 1px 6px rgb(0 0 0 / 12%);
  }
  .fresh {
    grid-column: 2;
  }
  .stop {
    grid-column: 3;
    grid-row: 1;
    justify-self: end;
  }
  .stop[aria-disabled="true"] {
    color: var(--_quiet);
    cursor: default;
  }
  .crisis,
  ::slotted([slot="crisis"]) {
    flex: 0 1 auto;
    min-block-size: 2.75rem;
    max-block-size: 35%;
    overflow-y: auto;
  }
  .crisis {
    border-block-start: 2px solid var(--_warn);
    padding: 0.5rem 1rem;
  }
  .crisis ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1.25em;
    margin: 0 auto;
    padding: 0;
    list-style: none;
  }
  .crisis .contact {
    position: relative;
    display: inline-block;
    padding-block: 0.3em;
    color: inherit;
  }
  .crisis b {
    font-weight: 600;
    white-space: nowrap;
  }
`;

/** On a low screen, or in a low part of a page, as with a phone's keyboard open: what can be chosen folds into a line
 * that is moved sideways, and whom to call into few narrow ones, so that what was asked can be read and Send be reached.
 * No number is ever cut. */
const folded = css`
  :host {
    --_leading: 1.5;
  }
  .scroll {
    padding-block: 0.5rem;
  }
  .log {
    gap: 0.6rem;
  }
  .dots {
    margin: 0.25rem 0 0;
  }
  .foot {
    padding-block: 0.25rem max(0.25rem, env(safe-area-inset-bottom));
  }
  .foot .row > button,
  .foot .row > span:not(:empty) {
    margin-block-end: 0.25rem;
  }
  .crisis,
  ::slotted([slot="crisis"]) {
    flex: none;
    min-block-size: 0;
    max-block-size: none;
  }
  .crisis {
    padding-block: 0.1rem;
    font-size: 0.9375em;
    line-height: 1.4;
  }
  .crisis .contact {
    padding-block: 0.15em;
  }
  /* A line of numbers more takes its room from the field, not from what is read. */
  slot[name="crisis"]:has(li:nth-child(4)) ~ .foot {
    --heart-crisis-room: 12rem;
  }
  .options {
    flex-wrap: nowrap;
  }
  .options button {
    flex: none;
  }
  .options {
    overflow: auto hidden;
    max-block-size: 3.2rem;
  }
  .options button {
    white-space: nowrap;
  }
  .scale.long .numbers {
    grid-auto-flow: column;
    grid-template-columns: none;
    grid-auto-columns: minmax(2.75rem, 1fr);
  }
  .scale-ends {
    display: none;
  }
  /* Who writes chooses nothing just now. */
  .foot:has(heart-composer[filled]) .options {
    display: none;
  }
`;

/** `rem` is the person's own text size in a container, and the browser's in a screen. */
export const low = (style: CSSResult): CSSResult => css`
  @media (max-height: 28rem) {
    ${style}
  }
  @container (max-height: 32rem) {
    ${style}
  }
`;

/** With hardly any room, as with a page enlarged four times: the numbers alone; whose they are is still read
 * out. */
const numbersOnly = css`
  .options button {
    min-block-size: min(2.25rem, 40px);
    padding-block: 0.1em;
  }
  .crisis .contact span {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
`;

export const lowFrame = css`
  ${low(folded)}
  @media (max-height: 18rem) {
    ${numbersOnly}
  }
  @container (max-height: 21rem) or ((max-height: 32rem) and (max-width: 18rem)) {
    ${numbersOnly}
  }
  @container (max-height: 17rem) {
    .scroll:has(~ .foot .options) {
      min-block-size: 15cqh;
    }
  }
`;
