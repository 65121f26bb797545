// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import "../src/chat/index.js";
import type { HeartChat } from "../src/chat/heart-chat.js";
import { Client } from "../src/client.js";
import type { Conversation } from "../src/conversation.js";
import { MemoryStorage, type Storage } from "../src/storage.js";
import { FakeServer } from "./fake-server.js";
import { pass } from "./holding.js";

let server: FakeServer;
let chat: HeartChat;

beforeEach(async () => {
  vi.useFakeTimers({
    now: new Date("2026-03-01T10:00:00"),
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
  });
  sessionStorage.clear();
  server = new FakeServer();
  chat = await open();
});

afterEach(() => {
  chat.remove();
  vi.useRealTimers();
});

async function open(storage: Storage = new MemoryStorage()): Promise<HeartChat> {
  const made = document.createElement("heart-chat");
  made.locale = "zh-CN";
  const client = new Client({ base: "http://server", storage, fetch: server.fetch });
  made.conversation = client.conversation("s", "token");
  document.body.append(made);
  await pass(500);
  return made;
}

const all = (selector: string) => [...(chat.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])];
const text = (selector: string) => all(selector).map((node) => node.textContent?.trim() ?? "");
const said = () => text(".log .words");
const composer = () => chat.shadowRoot?.querySelector("heart-composer") as HTMLElement & { text: string };
const field = () => composer().shadowRoot?.querySelector("textarea") as HTMLTextAreaElement;

async function write(words: string): Promise<void> {
  field().value = words;
  field().dispatchEvent(new Event("input", { bubbles: true }));
  await pass(1);
}

async function press(more: Partial<KeyboardEventInit> & { keyCode?: number } = {}): Promise<KeyboardEvent> {
  const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...more });
  if (more.keyCode) Object.defineProperty(event, "keyCode", { value: more.keyCode });
  field().dispatchEvent(event);
  await pass(1);
  return event;
}

test("a session that has not begun is begun, and read", () => expect(said()).toEqual(["start"]));

test("Enter sends, and the field is free again", async () => {
  await write("今天很难受");
  expect((await press()).defaultPrevented).toBe(true);
  expect(field().value).toBe("");
  expect(said()).toEqual(["start", "今天很难受"]);
  await pass(200);
  expect(said()).toEqual(["start", "今天很难受", "re: 今天很难受"]);
});

describe("an Enter that is not for us", () => {
  test.each([
    ["makes a new line", { shiftKey: true }],
    ["ends a composition", { isComposing: true }],
    ["ends a composition in Safari, which says so first", { keyCode: 229 }],
  ])("%s", async (_, more) => {
    await write("jintian");
    expect((await press(more)).defaultPrevented).toBe(false);
    expect(field().value).toBe("jintian");
  });

  test("comes in the middle of a composition", async () => {
    await write("今天");
    field().dispatchEvent(new CompositionEvent("compositionstart"));
    await press();
    expect(said()).toEqual(["start"]);
    field().dispatchEvent(new CompositionEvent("compositionend"));
    await press();
    expect(said()).toEqual(["start", "今天"]);
  });
});

test("what is said is text, whatever it looks like", async () => {
  const words = '<img src=x onerror="alert(1)">\n{{x}} &amp; </p>';
  await write(words);
  await press();
  await pass(300);
  expect(all(".log .words").map((node) => node.textContent)).toEqual(["start", words, `re: ${words}`]);
  expect(all("img")).toEqual([]);
});

test("a draft outlives a reload, with what had been seen when it was typed", async () => {
  await write("写到一半");
  chat.remove();
  server.speak("新的问题？");
  chat = await open();
  expect(field().value).toBe("写到一半");
  await press();
  await pass(300);
  expect(server.bodies.at(-1)).toMatchObject({ after: 1, input: { text: "写到一半" } });
  chat.remove();
  chat = await open();
  expect(field().value).toBe("");
});

test("a question that comes between typing and sending is not answered by it", async () => {
  await write("对上一个问题");
  server.speak("另一个问题？");
  await pass(50);
  await press();
  await pass(100);
  expect(server.bodies.at(-1)?.after).toBe(1);
  await write("对这一个");
  await press();
  await pass(100);
  expect(server.bodies.at(-1)?.after).toBe(4);
});

test("each reply is announced once, and old ones not at all", async () => {
  expect(text("#announced p")).toEqual(["start"]);
  const added: string[] = [];
  const region = all("#announced")[0] as HTMLElement;
  new MutationObserver((changes) => {
    for (const change of changes)
      for (const node of change.addedNodes) if (node.textContent?.trim()) added.push(node.textContent);
  }).observe(region, { childList: true });
  for (const words of ["一", "二", "三"]) {
    await write(words);
    await press();
    await pass(400);
  }
  server.hangUp();
  await pass(3_000);
  expect(added).toEqual(["re: 一", "re: 二", "re: 三"]);
  expect(all(".log")[0]?.getAttribute("aria-live")).toBe("off");
  await pass(60_000);
  expect(text("#announced p")).toEqual([]);
  chat.remove();
  chat = await open();
  expect(said().length).toBe(7);
  expect(text("#announced p")).toEqual([]);
});

test("thinking is shown after a moment, and named honestly when it takes long", async () => {
  server.think = 13_000;
  await write("想一想");
  await press();
  await pass(150);
  expect(text(".dots")).toEqual([""]);
  await pass(100);
  expect(text(".dots")).toEqual(["正在想"]);
  expect(all(".dots")[0]?.getAttribute("aria-hidden")).toBe("true");
  await pass(5_900);
  expect(text(".dots")).toEqual(["还在想，这次要久一点，没有卡住"]);
  expect(all(".dots")[0]?.getAttribute("aria-hidden")).toBe("false");
  await pass(6_000);
  expect(text(".dots")).toEqual(["还在想，请再等一等。你说的都在，不会丢。"]);
  await pass(2_000);
  expect(text(".dots")).toEqual([""]);
});

test("options are buttons, and own words are possible", async () => {
  await write("我要选");
  await press();
  await pass(300);
  expect(text(".options button")).toEqual(["好", "先不"]);
  all(".options button")[1]?.click();
  await pass(1);
  expect(all(".options button")).toEqual([]);
  await pass(300);
  expect(server.bodies.at(-1)?.input).toEqual({ type: "choice", choice: "no" });
  await write("再选");
  await press();
  await pass(300);
  await write("都不要");
  await press();
  await pass(300);
  expect(server.bodies.at(-1)?.input).toEqual({ type: "message", text: "都不要" });
});

test("being offline is said in words, for the page and for each message", async () => {
  server.down = true;
  server.hangUp();
  await write("听得到吗");
  await press();
  await pass(3_000);
  expect(text(".foot .row span")[0]).toContain("暂时连不上");
  expect(text(".message .mark")).toEqual(["还没送到，连上以后会自动再送"]);
  server.down = false;
  await pass(30_000);
  expect(text(".message .mark")).toEqual([]);
  expect(said()).toEqual(["start", "听得到吗", "re: 听得到吗"]);
});

test("what is too long is said to be before it is sent, and nothing is cut", async () => {
  await write("字".repeat(18_500));
  expect(composer().shadowRoot?.querySelector("#count")?.textContent?.trim()).toBe("还可以写 1500 个字");
  await write("😔".repeat(20_003));
  expect(composer().shadowRoot?.querySelector("#count")?.textContent?.trim()).toContain("多了 3 个字");
  await press();
  expect(field().value.length).toBe(40_006);
  expect(said()).toEqual(["start"]);
});

test("what is refused can be put back and mended", async () => {
  await write("还有一件事");
  server.status = "archived";
  await press();
  await pass(300);
  expect(text(".refused .mark")).toEqual(["没有送到: 对话已经结束"]);
  expect(field().readOnly).toBe(true);
  (all(".refused button")[0] as HTMLButtonElement).click();
  await pass(1);
  expect(field().value).toBe("还有一件事");
  expect(all(".refused")).toEqual([]);
});

test("whom to call is shown where something was said that nobody hears any more", async () => {
  await write("我撑不住了");
  server.status = "archived";
  await press();
  await pass(300);
  expect(text(".refused .words")).toEqual(["我撑不住了"]);
  expect(all(".crisis a").map((node) => node.getAttribute("href"))).toEqual(["tel:12356"]);
});

test("whom to call is shown while something that was said is not delivered", async () => {
  const calls = () => all(".crisis a").map((node) => node.getAttribute("href"));
  expect(calls()).toEqual([]);
  server.down = true;
  await write("我撑不住了");
  await press();
  await pass(300);
  expect(calls()).toEqual(["tel:12356"]);
  server.down = false;
  await pass(60_000);
  expect(text(".unsent")).toEqual([]);
  expect(calls()).toEqual([]);
});

test("after the end the field goes, unless words stand in it that were not taken", async () => {
  const composer = () => all("heart-composer")[0] as HTMLElement;
  expect(composer().hasAttribute("vacant")).toBe(false);
  await write("还有一件事");
  server.status = "ended";
  await press();
  await pass(300);
  expect(composer().hasAttribute("vacant")).toBe(true);
  (all(".refused button")[0] as HTMLButtonElement).click();
  await pass(1);
  expect(field().value).toBe("还有一件事");
  expect(composer().hasAttribute("vacant")).toBe(false);
});

test("a pause can be ended by a button", async () => {
  await Promise.all([chat.conversation?.pause(), pass(100)]);
  const button = all(".foot .row button")[0];
  expect(button?.textContent).toBe("继续");
  button?.click();
  await pass(300);
  expect(said()).toEqual(["start", "resume"]);
});

describe("in a crisis", () => {
  test("whom to call stands at the edge, and can be pressed", async () => {
    server.inCrisis = true;
    await write("我不想活了");
    await press();
    await pass(500);
    expect(text(".crisis li")).toEqual(["123 56 心理援助"]);
    expect(all(".crisis a")[0]?.getAttribute("href")).toBe("tel:12356");
    server.inCrisis = false;
    await write("我安全了");
    await press();
    await pass(500);
    expect(all(".crisis")).toEqual([]);
  });

  test("a server that cannot name anybody breaks nothing", async () => {
    server.fault = (kind) => (kind === "about" ? "500" : "none");
    server.inCrisis = true;
    await write("我不想活了");
    await press();
    await pass(500);
    expect(said().at(-1)).toBe("re: 我不想活了");
    server.fault = () => "none";
    server.speak("我在");
    await pass(100);
    expect(all(".crisis li").length).toBe(1);
  });
});

describe("a session that does not open", () => {
  test("says why, with the server's reference, and keeps what is written", async () => {
    chat.remove();
    server.token = "another";
    chat = await open();
    expect(text(".foot .row span")[0]).toContain("凭证不对");
    expect(text(".foot .row span")[0]).toContain("编号 r1");
    await write("我想说");
    await press();
    expect(field().value).toBe("我想说");
  });

  test("for it cannot be restored, what was never taken goes along, and is not sent by itself", async () => {
    server.fault = (kind) => (kind === "turns" ? "500" : "none");
    await write("还没送到的话");
    await press();
    await write("正在写");
    const { storage } = (chat.conversation as Conversation).client;
    chat.remove();
    chat.conversation?.leave();
    server.restorable = false;
    chat = await open(storage);
    expect(chat.conversation?.state.outbox).toHaveLength(1);
    // Here the new session bears the old one's id; what lies in its outbox is no matter.
    for (const key of storage.keys("heartrule.outbox.")) storage.remove(key);
    server.restorable = true;
    server.fault = () => "none";
    all(".foot .row button")[0]?.click();
    await pass(500);
    expect(field().value).toBe("还没送到的话\n正在写");
    expect(said()).toEqual(["start"]);
  });

  test("for it cannot be restored, can start over", async () => {
    chat.remove();
    server.restorable = false;
    chat = await open();
    expect(said()).toEqual(["start"]);
    const moved: unknown[] = [];
    chat.addEventListener("heartrule-moved", (event) => moved.push((event as CustomEvent).detail));
    server.restorable = true;
    all(".foot .row button")[0]?.click();
    await pass(500);
    expect(moved).toEqual([{ session: "s", token: "token" }]);
    expect(chat.conversation?.state.status).toBe("ready");
  });
});

test("older words can be read", async () => {
  for (let at = 0; at < 150; at++) server.speak(`${at}`);
  chat.remove();
  chat = await open();
  expect(said().length).toBe(100);
  all(".scroll .row button")[0]?.click();
  await pass(100);
  expect(said().length).toBe(151);
  expect(all(".scroll .row button")).toEqual([]);
});

test("what comes in a hidden page has not been seen", async () => {
  const visible = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  server.speak("你在吗？");
  await pass(100);
  await write("对上一句");
  await press();
  await pass(100);
  expect(server.bodies.at(-1)?.after).toBe(1);
  visible.mockRestore();
});

test("English is spoken where it is asked for", async () => {
  chat.locale = "en-GB";
  await pass(1);
  expect(field().placeholder).toBe("Write here…");
});

test("the page is told of every change", async () => {
  const told: string[] = [];
  document.body.addEventListener("heartrule-state", (event) => told.push((event as CustomEvent).detail.status));
  await write("嗯");
  await press();
  await pass(300);
  expect(told[0]).toBe("thinking");
  expect(told.at(-1)).toBe("ready");
});

test("a page that takes the element away leaves its own conversation open, and ours closed", async () => {
  const theirs = chat.conversation;
  chat.remove();
  server.speak("还在");
  await pass(50);
  expect(theirs?.state.messages.length).toBe(2);
  theirs?.leave();
  vi.stubGlobal("fetch", server.fetch);
  chat = document.createElement("heart-chat");
  Object.assign(chat, { base: "http://server", session: "s", token: "token" });
  document.body.append(chat);
  await pass(500);
  expect(said()).toEqual(["start", "还在"]);
  const before = server.requests.length;
  chat.remove();
  server.hangUp();
  await pass(100_000);
  expect(server.requests.length).toBe(before);
  vi.unstubAllGlobals();
});
