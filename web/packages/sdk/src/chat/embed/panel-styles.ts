import { css } from "lit";

/** How the launcher and the panel stand in a page. What lies in the top layer is cut off and covered by nothing. */
export const panelLook = css`
  :host([mode="bubble"]) {
    display: contents !important;
  }
  :host([mode="bubble"][hidden]) {
    display: none !important;
  }
  :host([mode="full"]) {
    position: fixed !important;
    inset: 0 !important;
    inline-size: 100vw !important;
    max-inline-size: none !important;
    block-size: 100dvh !important;
    margin: 0 !important;
    z-index: var(--heart-layer, 2147483000) !important;
  }
  .dock {
    all: initial;
    position: fixed;
    inset: auto;
    inset-block-end: max(var(--heart-offset, 1.25rem), env(safe-area-inset-bottom));
    inset-inline-end: var(--heart-offset, 1.25rem);
    z-index: var(--heart-layer, 2147483000);
    font: inherit;
    color: var(--_ink);
  }
  :host([side="start"]) .dock,
  :host([side="start"]) dialog {
    inset-inline: var(--heart-offset, 1.25rem) auto;
  }
  .launcher {
    position: relative;
    display: grid;
    place-items: center;
    inline-size: var(--heart-launcher, 3.5rem);
    block-size: var(--heart-launcher, 3.5rem);
    padding: 0;
    border-radius: 50%;
    border-color: transparent;
    background: var(--_accent);
    color: var(--_on-accent);
    box-shadow: 0 2px 12px rgb(0 0 0 / 25%);
  }
  .launcher svg {
    inline-size: 50%;
    block-size: 50%;
  }
  .count {
    position: absolute;
    inset-block-start: -0.3em;
    inset-inline-end: -0.3em;
    min-inline-size: 1.6em;
    padding-inline: 0.4em;
    border-radius: 1em;
    background: var(--_warn);
    color: var(--_paper);
    font-size: 0.8125em;
    font-weight: 600;
    line-height: 1.6;
    text-align: center;
  }
  dialog {
    position: fixed;
    inset: auto;
    inset-block-end: max(var(--heart-offset, 1.25rem), env(safe-area-inset-bottom));
    inset-inline-end: var(--heart-offset, 1.25rem);
    inline-size: min(var(--heart-panel-width, 24rem), 100vw - 2 * var(--heart-offset, 1.25rem));
    block-size: min(var(--heart-panel-height, 40rem), 100dvh - 2 * var(--heart-offset, 1.25rem));
    max-inline-size: none;
    max-block-size: none;
    z-index: var(--heart-layer, 2147483000);
    margin: 0;
    padding: 0;
    overflow: hidden;
    flex-direction: column;
    container-type: size;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--heart-ground, var(--_paper));
    color: var(--_ink);
    box-shadow: 0 8px 40px rgb(0 0 0 / 25%);
  }
  :host([opened]) dialog {
    display: flex;
  }
  dialog::backdrop {
    background: none;
  }
  .head {
    flex: none;
    display: flex;
    gap: 0.5rem;
    align-items: center;
    padding: 0.25rem 0.25rem 0.25rem 1rem;
    border-block-end: 1px solid var(--_line);
  }
  .head h2 {
    flex: 1;
    margin: 0;
    font-size: 1em;
    font-weight: 600;
  }
  .head button {
    min-inline-size: 2.75rem;
    padding: 0;
    border-color: transparent;
  }
  .head .help {
    padding-inline: 0.75em;
    border-color: var(--_warn);
    color: var(--_warn);
    font-size: 0.875em;
    font-weight: 600;
    white-space: nowrap;
  }
  @media (max-width: 480px), (max-height: 480px) {
    dialog,
    :host([side="start"]) dialog {
      inset: 0;
      inline-size: 100%;
      block-size: 100dvh;
      border: 0;
      border-radius: 0;
    }
  }
`;

/** Where the panel takes the whole screen. */
export const SMALL = "(max-width: 480px), (max-height: 480px)";
