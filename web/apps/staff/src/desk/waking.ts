import { ask } from "../shell/api.js";
import { keep, kept } from "../shell/keeping.js";
import { locale } from "../shell/language.js";
import { notices } from "./notices.js";
import type { Waking } from "./shapes.js";

/** Being called by a push service while no page is open. `none`: neither this browser nor the server can, or may. */
export type State = "none" | "off" | "on";

const SCRIPT = "/staff/waking.js";
const SCOPE = "/staff/";

function possible(): boolean {
  return "serviceWorker" in navigator && typeof PushManager !== "undefined";
}

/** How it stands. Where notices were allowed and nobody has switched it off, this browser subscribes by itself. */
export async function look(): Promise<State> {
  if (!possible() || notices.state !== "granted") return "none";
  const { key, on } = await ask<Waking>("/desk/me/waking");
  if (key === null) return "none";
  if (kept("waking") === "off") return "off";
  return on && (await subscribed()) ? "on" : begin();
}

export async function begin(): Promise<State> {
  const { key } = await ask<Waking>("/desk/me/waking");
  if (key === null) return "none";
  const language = locale().startsWith("en") ? "en" : "zh";
  await navigator.serviceWorker.register(`${SCRIPT}?lang=${language}`, { scope: SCOPE });
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // One that another server, or this one with another key, has asked for is of no use.
  if (before && keyOf(before) !== key) await before.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const said = await ask<Waking>("/desk/me/waking", { method: "PUT", body: { endpoint: made.endpoint } });
  keep("waking", "on");
  return said.on ? "on" : "off";
}

export async function end(): Promise<State> {
  keep("waking", "off");
  await ask<Waking>("/desk/me/waking", { method: "DELETE" });
  await (await subscribed())?.unsubscribe();
  return "off";
}

async function subscribed(): Promise<PushSubscription | null> {
  const found = await navigator.serviceWorker.getRegistration(SCOPE);
  return (await found?.pushManager.getSubscription()) ?? null;
}

function keyOf(subscription: PushSubscription): string {
  const bytes = new Uint8Array(subscription.options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}
