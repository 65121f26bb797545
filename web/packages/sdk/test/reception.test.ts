// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import "../src/chat/index.js";
import { isUnanswered } from "../src/chat/reception.js";
import { textsOf } from "../src/chat/texts/index.js";
import type { Conversation } from "../src/conversation.js";
import type { Message } from "../src/shapes.js";
import { type ConversationState, type Entry, nothing } from "../src/state.js";

const message = (seq: number, sender: Message["sender"], content: string, recalled = false): Message => ({
  ...{ id: `m${seq}`, seq, turn: 1, sender, content, content_type: "text", action_id: null },
  ...{ at: "2026-03-01T10:00:00Z", media: [], recalled },
});
const BURST = [
  message(1, "ai", "什么时候会轻一点？"),
  message(2, "person", "我也说不清楚"),
  message(3, "person", "就是很累"),
];
const burst: ConversationState = {
  ...nothing,
  status: "ready",
  request: { type: "message", choices: [] },
  messages: BURST,
};
const waiting: Entry = {
  ...{ key: "k", input: { type: "message", text: "还有" }, after: 1, at: 0, state: "waiting", problem: null },
};

test.each<[string, boolean, Partial<ConversationState>]>([
  ["words behind the question that waits", true, {}],
  ["also where it has choices", true, { request: { type: "choice", choices: [] } }],
  ["but not when the question came last", false, { messages: BURST.slice(0, 1) }],
  ["nor before anything was asked", false, { messages: [message(1, "person", "喂")] }],
  ["nor while somebody is at work on an answer", false, { status: "thinking" }],
  ["nor with more on its way", false, { outbox: [waiting] }],
  ["though what was refused is not on its way", true, { outbox: [{ ...waiting, state: "refused" }] }],
  ["nor while a human answers", false, { human: { name: "王医生", since: "2026-03-01T10:00:00Z" } }],
  ["nor beside a form", false, { request: { type: "form", choices: [] } }],
  ["nor once it has ended", false, { status: "ended", request: nothing.request }],
  [
    "nor when they were taken back",
    false,
    { messages: [...BURST.slice(0, 1), message(2, "person", "", true), message(3, "person", "", true)] },
  ],
])("%s", (_, expected, more) => {
  expect(isUnanswered({ ...burst, ...more })).toBe(expected);
});

test("it is said once, in a place that is read out, and goes with what comes next", async () => {
  let tell: (state: ConversationState) => void = () => {};
  const conversation = {
    ...{
      state: burst,
      id: "s",
      token: "token",
      open: vi.fn(),
      leave: vi.fn(),
      client: { options: { base: "" }, about: async () => null },
    },
    subscribe: (listener: typeof tell) => {
      tell = listener;
      return () => {};
    },
  };
  const chat = document.createElement("heart-chat");
  chat.locale = "zh-CN";
  chat.conversation = conversation as unknown as Conversation;
  document.body.append(chat);
  await chat.updateComplete;
  const line = chat.shadowRoot?.querySelector(".reception");
  const { texts } = textsOf("zh-CN");
  expect([line?.getAttribute("role"), line?.textContent]).toEqual(["status", texts.received]);
  expect(chat.shadowRoot?.textContent?.split(texts.received)).toHaveLength(2);
  tell({ ...burst, messages: [...BURST, message(4, "ai", "嗯，很累。")] });
  await chat.updateComplete;
  expect(chat.shadowRoot?.querySelector(".reception")).toBe(line);
  expect(line?.textContent).toBe("");
  chat.remove();
});
