/** Leaving at once, because somebody comes in. */
import { sessionStore } from "@heartrule/sdk";
import { place } from "../shell/about.js";
import { store } from "../shell/storage.js";

/** Milliseconds between two presses of Escape that belong together. */
const TWICE = 700;
/** Milliseconds to wait for the browser to go back before leaving from where we are. */
const BACK = 300;
const AWAY = "/away.html";
/** Where the page that says nothing leads on to, when the site says so; read by `away.js`. */
const TO = "heartrule.away";
const WORDS = new Set(["快速离开", "快速退出", "马上离开", "quick exit", "exit now", "leave now"]);

interface Entries {
  readonly currentEntry: { readonly index: number } | null;
}

/** Whether this is not meant for the conversation. */
export function saysExit(text: string): boolean {
  return WORDS.has(
    text
      .trim()
      .replace(/[。.!！]+$/, "")
      .toLowerCase(),
  );
}

/** Takes everything off the screen, and what the tab has recorded of us out of its history as far as the browser lets us;
 * then a page that says nothing. What is kept on this device stays; what only the tab keeps goes. */
export function quickExit(): void {
  document.body.replaceChildren();
  document.title = "";
  document.querySelector("link[rel=icon]")?.remove();
  if (store.now !== "device") store.clearTab();
  const to = place.now?.exit_page;
  if (to) sessionStore().set(TO, to);
  const first = (globalThis as { navigation?: Entries }).navigation?.currentEntry?.index ?? 0;
  const leave = () => location.replace(AWAY);
  if (first === 0) {
    leave();
    return;
  }
  addEventListener("popstate", leave, { once: true });
  setTimeout(leave, BACK);
  history.go(-first);
}

const closing = new WeakSet<Event>();

/** Says that this press of Escape closes something that lay over the page: whoever closes a dialog has not asked to leave,
 * however fast they press. */
export function closes(event: Event): void {
  event.preventDefault();
  closing.add(event);
}

/** Escape, twice, wherever the keyboard is; one that closed something counts for that. With anything done in between they
 * are two that have nothing to do with each other. */
export function watchEscape(exit: () => void = quickExit): void {
  let last: KeyboardEvent | null = null;
  const elsewhere = () => {
    last = null;
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return elsewhere();
    if (event.repeat || event.isComposing || event.keyCode === 229) return;
    // By now everybody has had the one before.
    if (last && !closing.has(last) && event.timeStamp - last.timeStamp < TWICE) return exit();
    last = event;
  };
  addEventListener("keydown", pressed, { capture: true });
  addEventListener("pointerdown", elsewhere, { capture: true });
}
