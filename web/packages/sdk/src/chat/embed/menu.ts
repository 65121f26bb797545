import { nothing as blank, html } from "lit";
import type { ConversationState } from "../../state.js";
import type { Texts } from "../texts/index.js";

/** `sure`: what was pressed once, and is asked about. */
export interface MenuState {
  readonly open: boolean;
  readonly sure: "" | "end" | "erase";
  readonly failed: boolean;
}

export const closed: MenuState = { open: false, sure: "", failed: false };

export type MenuActs = Readonly<Record<"toggle" | "notice" | "pause" | "end" | "erase" | "exit", () => void>>;

/** What can be done with a conversation, in the element itself: a page around it may offer none of it. */
export function menuOf(menu: MenuState, { session, status }: ConversationState, texts: Texts, act: MenuActs) {
  const open = status === "ready" || status === "thinking" || status === "offline";
  const item = (name: string, press: () => void) =>
    html`<li><button class="small" @click=${press}>${name}</button></li>`;
  return html`<div class="menu-bar" part="menu">
      <button class="small" aria-expanded=${menu.open ? "true" : "false"} aria-controls="menu" @click=${act.toggle}>
        ${texts.menu}
      </button>
      <button class="small exit" @click=${act.exit}>${texts.menuExit}</button>
    </div>
    <ul class="menu" id="menu" ?hidden=${!menu.open}>
      ${open ? item(texts.menuPause, act.pause) : blank}
      ${open || status === "paused" ? item(menu.sure === "end" ? texts.menuEndSure : texts.menuEnd, act.end) : blank}
      ${item(texts.menuNotice, act.notice)}
      ${session ? item(menu.sure === "erase" ? texts.menuEraseSure : texts.menuErase, act.erase) : blank}
    </ul>
    <p role="status" class="menu-line quiet">${menu.failed ? texts.menuFailed : blank}</p>`;
}
