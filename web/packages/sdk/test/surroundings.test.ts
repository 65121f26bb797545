// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import "../src/chat/index.js";
import type { HeartChat } from "../src/chat/heart-chat.js";
import { Surroundings } from "../src/chat/surroundings.js";
import { textsOf } from "../src/chat/texts/index.js";
import { Client } from "../src/client.js";
import { nothing } from "../src/state.js";
import { FakeServer } from "./fake-server.js";
import { pass } from "./holding.js";

const LOCAL = { name: "loopback", hosts: ["model.example"] };

let server: FakeServer;
let chat: HeartChat;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  sessionStorage.clear();
  server = new FakeServer();
});

afterEach(() => {
  chat.remove();
  vi.useRealTimers();
});

async function open(locale: string): Promise<void> {
  chat = document.createElement("heart-chat");
  chat.locale = locale;
  chat.conversation = new Client({ base: "http://server", fetch: server.fetch }).conversation("s", "token");
  document.body.append(chat);
  await pass(800);
}

const all = (selector: string) => [...(chat.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])];
const text = (selector: string) => all(selector).map((node) => node.textContent?.trim().replace(/\s+/g, " ") ?? "");

describe("where words go is said above the first of them", () => {
  test.each([
    ["zh-CN", "你的话会发给语言模型 loopback（model.example），由它来理解和措辞。"],
    ["en", "Your words are sent to the language model loopback (model.example), which"],
  ])("to a model and whose it is, in %s", async (locale, line) => {
    server.model = LOCAL;
    await open(locale);
    expect(text(".about")[0]).toContain(line);
    const [about, first] = [all(".about")[0], all(".log")[0]] as [HTMLElement, HTMLElement];
    expect(about.compareDocumentPosition(first)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  test("to none", async () => {
    await open("zh-CN");
    expect(text(".about")).toEqual(["这里没有语言模型，读到的都是写好的话。"]);
  });

  test("also where the server does not say to which model", async () => {
    server.model = LOCAL;
    server.fault = (kind) => (kind === "about" ? "500" : "none");
    await open("en");
    expect(text(".about")[0]).toContain("Your words are sent to a language model");
  });

  test("to no model while a human speaks", async () => {
    server.model = LOCAL;
    await open("zh-CN");
    const { texts } = textsOf("zh-CN");
    const told = new Surroundings(chat);
    void told.read(chat.conversation?.client, "zh-CN");
    await pass(100);
    const state = {
      ...(chat.conversation?.state ?? nothing),
      human: { name: "王医生", since: "2026-03-01T10:00:00Z" },
    };
    expect(told.whereWordsGo(state, texts)).toBe(texts.wordsHuman);
    expect(told.whereWordsGo({ ...state, human: null }, texts)).toContain("loopback");
  });

  test("and a page that says it elsewhere says it once", async () => {
    await open("en");
    const own = document.createElement("span");
    own.slot = "about";
    chat.append(own);
    expect(all("slot[name=about]")).toHaveLength(1);
    expect((all("slot[name=about]")[0] as HTMLSlotElement).assignedElements()).toEqual([own]);
  });
});

describe("whom to call", () => {
  test("is what the session names, whatever language the page around it has", async () => {
    server.inCrisis = true;
    await open("en");
    expect(text(".crisis li")).toEqual(["123 56 心理援助"]);
    expect(all(".crisis ul")[0]?.lang).toBe("zh-CN");
    expect(all(".crisis")[0]?.getAttribute("aria-label")).toBe("Who you can reach right now");
  });

  test("may be a page instead of a number", async () => {
    server.inCrisis = true;
    server.locale = "en";
    await open("zh-CN");
    expect(all(".crisis a").map((each) => each.getAttribute("href"))).toEqual(["tel:988", "https://findahelpline.com"]);
  });
});
