// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "../src/chat/index.js";
import type { HeartChat } from "../src/chat/heart-chat.js";
import { Client } from "../src/client.js";
import { MemoryStorage } from "../src/storage.js";
import { FakeServer } from "./fake-server.js";
import { pass } from "./holding.js";

interface Kept {
  message: number;
  reason: string;
  text: string | null;
}

let server: FakeServer;
let chat: HeartChat;
let kept: Kept[];
let asked: string[];
/** What goes wrong with the next request about reports. */
let fails: boolean;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  sessionStorage.clear();
  server = new FakeServer();
  kept = [];
  asked = [];
  fails = false;
  chat = document.createElement("heart-chat");
  chat.locale = "en";
  chat.conversation = client().conversation("s", "token");
  document.body.append(chat);
  await pass(500);
});

afterEach(() => {
  chat.remove();
  vi.useRealTimers();
});

function client(): Client {
  return new Client({ base: "http://server", storage: new MemoryStorage(), fetch: reporting });
}

/** The fake server, and what it keeps of reports. */
const reporting: typeof globalThis.fetch = async (address, request) => {
  if (!String(address).endsWith("/reports")) return await server.fetch(address, request);
  asked.push(request?.method ?? "GET");
  if (fails) throw new TypeError("away");
  const shown = (each: Kept, fresh: boolean) => ({ ...each, at: "2026-11-22T03:00:00Z", new: fresh });
  if (request?.method !== "POST") return Response.json({ reports: kept.map((each) => shown(each, false)) });
  const body: Kept = { text: null, ...JSON.parse(String(request.body)) };
  const known = kept.find(({ message }) => message === body.message);
  if (!known) kept.push(body);
  return Response.json(shown(known ?? body, !known), { status: known ? 200 : 201 });
};

const all = (selector: string) => [...(chat.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])];
const offers = () => all("button.offer");
const told = () => all(".report.told").map((node) => node.textContent?.trim());
const focused = () => chat.shadowRoot?.activeElement as HTMLElement | null;

async function say(words: string): Promise<void> {
  chat.conversation?.send(words);
  await pass(400);
}

async function open(at = 0): Promise<void> {
  offers()[at]?.click();
  await pass(20);
}

async function send(reason: string, text = ""): Promise<void> {
  const form = all("form.report")[0] as HTMLFormElement;
  const choice = form.querySelector<HTMLInputElement>(`input[value=${reason}]`);
  if (choice) choice.checked = true;
  (form.querySelector("textarea") as HTMLTextAreaElement).value = text;
  form.dispatchEvent(new SubmitEvent("submit", { cancelable: true, bubbles: true }));
  await pass(20);
}

test("every reply of the program can be reported, and nothing else", async () => {
  await say("今天很难受");
  expect(all(".log .message")).toHaveLength(3);
  expect(offers()).toHaveLength(2);
});

test("the keyboard comes to the last one, and by the arrows to the others", async () => {
  await say("今天很难受");
  expect(offers().map((each) => each.tabIndex)).toEqual([-1, 0]);
  offers()[1]?.focus();
  const press = (key: string) => {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    focused()?.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(press("ArrowUp")).toBe(true);
  expect(focused()).toBe(offers()[0]);
  press("ArrowUp");
  expect(focused()).toBe(offers()[0]);
  press("ArrowDown");
  expect(focused()).toBe(offers()[1]);
  expect(press("Home")).toBe(false);
});

test("it is sent once, with thanks, and known afterwards", async () => {
  await open();
  expect(focused()?.getAttribute("name")).toBe("reason");
  await send("hurtful", "  so cold ");
  expect(kept).toEqual([{ message: 1, reason: "hurtful", text: "so cold" }]);
  expect(told()).toEqual(["Thank you for telling us. The counsellors in charge can see it; nothing changes here."]);
  await say("and now");
  await open();
  await send("wrong");
  expect(kept.map(({ message }) => message)).toEqual([1, 3]);
  expect(kept[1]?.text).toBeNull();
  // The other one says quietly that it was, and offers nothing.
  expect(all("span.offer").map((node) => node.textContent?.trim())).toEqual(["You have told us about this reply"]);
});

test("what was reported before the page was opened is known, and thanked for no second time", async () => {
  kept = [{ message: 1, reason: "other", text: null }];
  await open();
  expect(told()).toEqual(["You have told us about this reply"]);
  expect(focused()?.className).toContain("told");
  expect(asked).toEqual(["GET"]);
});

test("where another window was quicker, the first report stands", async () => {
  await open();
  kept = [{ message: 1, reason: "other", text: null }];
  await send("unsafe");
  expect(told()).toEqual(["You have told us about this reply"]);
  expect(kept).toHaveLength(1);
});

test("what did not arrive is said, nothing that was written is lost, and it can be sent again", async () => {
  fails = true;
  await open();
  await send("unsafe", "words");
  const form = all("form.report")[0];
  expect(form?.querySelector("[role=status]")?.textContent).toContain("It did not arrive");
  expect(form?.querySelector("textarea")?.value).toBe("words");
  fails = false;
  await send("unsafe", "words");
  expect(kept).toEqual([{ message: 1, reason: "unsafe", text: "words" }]);
  // What was reported before could not be asked for, and is asked for the next time.
  await say("on");
  await open();
  expect(asked).toEqual(["GET", "POST", "POST", "GET"]);
});

test("nothing is sent without a reason, and Escape puts it away", async () => {
  await open();
  await send("none");
  expect(asked).toEqual(["GET"]);
  const form = all("form.report")[0];
  form?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true, composed: true }));
  await pass(20);
  expect(all("form.report")).toHaveLength(0);
  expect(focused()).toBe(offers()[0]);
});

test("another conversation begins with nothing known", async () => {
  await open();
  await send("other");
  server = new FakeServer();
  chat.conversation = client().conversation("s", "token");
  await pass(500);
  expect(told()).toEqual([]);
  expect(offers()).toHaveLength(1);
});
