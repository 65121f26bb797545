// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "../src/chat/index.js";
import type { HeartChat } from "../src/chat/heart-chat.js";
import { Client } from "../src/client.js";
import { MemoryStorage } from "../src/storage.js";
import { FakeServer } from "./fake-server.js";
import { pass } from "./holding.js";

const WHOLE = "re: 睡不着。It was 3.5 hours. 后来呢？还有别的吗。";
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
  server.write = 1_000;
  server.reply = "。It was 3.5 hours. 后来呢？还有别的吗。";
});

afterEach(() => {
  chat.remove();
  vi.useRealTimers();
});

async function open(): Promise<HeartChat> {
  const made = document.createElement("heart-chat");
  made.locale = "zh-CN";
  const client = new Client({ base: "http://server", storage: new MemoryStorage(), fetch: server.fetch });
  made.conversation = client.conversation("s", "token");
  document.body.append(made);
  await pass(500);
  return made;
}

const all = (selector: string) => [...(chat.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])];
const text = (selector: string) => all(selector).map((node) => node.textContent?.trim() ?? "");
const said = () => text(".log .words");

async function say(words: string): Promise<void> {
  chat.conversation?.send(words, { after: 1 });
  await pass(100);
}

test("a reply grows below what it answers, and its message takes its place without a new node", async () => {
  await say("睡不着");
  expect(said()).toEqual(["start", "睡不着", "re: 睡不着。"]);
  const [node] = all("#m3");
  expect(node?.className).toContain("growing");
  const before = all("article").length;
  await pass(1_000);
  expect(said()[2]).toBe(WHOLE);
  await pass(2_000);
  expect(said()).toEqual(["start", "睡不着", WHOLE]);
  expect(all("article").length).toBe(before);
  expect(all("#m3")[0]).toBe(node);
  expect(node?.className).not.toContain("growing");
  expect(all(".time").length).toBe(1);
});

test("what is said while a reply grows stands below it, and does not answer it", async () => {
  await say("睡不着");
  const field = all("heart-composer")[0]?.shadowRoot?.querySelector("textarea") as HTMLTextAreaElement;
  field.value = "还有";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await pass(10);
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  await pass(100);
  expect(said()).toEqual(["start", "睡不着", "re: 睡不着。", "还有"]);
  await pass(10_000);
  expect(server.bodies.at(-1)).toMatchObject({ after: 1, input: { text: "还有" } });
});

test("each sentence is announced once, and the whole not again", async () => {
  const added: string[] = [];
  new MutationObserver((changes) => {
    for (const change of changes)
      for (const node of change.addedNodes) if (node.textContent?.trim()) added.push(node.textContent);
  }).observe(all("#announced")[0] as HTMLElement, { childList: true });
  server.reply = "。It was 3.5 hours. 后来";
  await say("睡不着");
  await pass(5_000);
  server.hangUp();
  await pass(3_000);
  expect(added.join("")).toBe("re: 睡不着。It was 3.5 hours. 后来");
  expect(added).toEqual(["re: 睡不着。", "It was 3.5 hours. ", "后来"]);
  expect(all("#announced")[0]?.getAttribute("aria-live")).toBe("polite");
  await pass(60_000);
  expect(text("#announced p")).toEqual([]);
});

test("who opens the page in the middle hears what is there of the reply", async () => {
  await say("睡不着");
  chat.remove();
  chat = await open();
  expect(text("#announced p")).toEqual(["re: 睡不着。"]);
  expect(said()).toEqual(["start", "re: 睡不着。"]);
  await pass(4_000);
  expect(said()).toEqual(["start", "睡不着", WHOLE]);
});

test("while words come they say enough; a wait in the middle is said like one at the beginning", async () => {
  server.write = 8_000;
  await say("睡不着");
  await pass(200);
  expect(text(".dots")).toEqual([""]);
  expect(all(".dots span").length).toBe(1);
  await pass(6_000);
  expect(text(".dots")).toEqual(["还在想，这次要久一点，没有卡住"]);
  await pass(2_000);
  expect(text(".dots")).toEqual([""]);
  expect(all(".dots span").length).toBe(1);
  await pass(20_000);
  expect(all(".dots span").length).toBe(0);
});

test("a reply can be stopped by a button that is there only while it comes, and says so", async () => {
  expect(all(".stop")).toEqual([]);
  await say("睡不着");
  const [button] = all(".stop");
  expect(button?.textContent?.trim()).toBe("停下");
  expect(button?.getAttribute("aria-label")).toBe("停下这段回复");
  server.travel = () => 200;
  button?.focus();
  button?.click();
  await pass(100);
  expect(all(".stop")[0]?.getAttribute("aria-disabled")).toBe("true");
  expect(text(".stop")).toEqual(["正在停下…"]);
  button?.click();
  await pass(1_000);
  expect(all(".stop")).toEqual([]);
  expect(said()).toEqual(["start", "睡不着", "re: 睡不着。"]);
  expect(server.requests.filter((request) => request === "POST stop").length).toBe(1);
  // Who had it in focus can go on writing.
  expect(chat.shadowRoot?.activeElement?.localName).toBe("heart-composer");
});

test("whom to call stays where it is while one waits", async () => {
  server.inCrisis = true;
  await say("睡不着");
  await pass(20_000);
  expect(text(".crisis li")).toEqual(["123 56 心理援助"]);
  server.think = 13_000;
  await say("我撑不住了");
  for (const words of ["这次要久一点", "请再等一等"]) {
    await pass(6_000);
    expect(text(".dots")[0]).toContain(words);
    expect(text(".crisis li")).toEqual(["123 56 心理援助"]);
  }
});

test("in English, too", async () => {
  chat.locale = "en";
  server.think = 13_000;
  void say("睡不着");
  await pass(6_200);
  expect(text(".stop")).toEqual(["Stop"]);
  expect(text(".dots")).toEqual(["Still thinking; this one takes a little longer, nothing is stuck"]);
  await pass(6_000);
  expect(text(".dots")).toEqual(["Still thinking, please wait a little more. What you said is safe."]);
});

test("how long it may still take is said, and counts down", async () => {
  server.waitSeconds = 30;
  server.think = 40_000;
  chat.remove();
  chat = await open();
  void say("睡不着");
  await pass(6_200);
  expect(text(".dots")[0]).toMatch(/^还在想，最多再等大约 2[345] 秒，没有卡住$/);
  await pass(12_000);
  expect(text(".dots")[0]).toMatch(/最多再等大约 1[0-3] 秒/);
  await pass(15_000);
  expect(text(".dots")[0]).toBe("还在想，请再等一等。你说的都在，不会丢。");
});
