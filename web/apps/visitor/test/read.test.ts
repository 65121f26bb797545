import type { Message } from "@heartrule/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { language } from "../src/i18n/language.js";
import { keep } from "../src/leaving/kept.js";
import "../src/session/read.js";
import type { VisitorRead } from "../src/session/read.js";
import { created, session } from "./tokens.js";

let view: VisitorRead;
let said: Message[];

const message = (seq: number, sender: Message["sender"], content: string, more: Partial<Message> = {}): Message => ({
  ...{
    id: `m${seq}`,
    seq,
    turn: 1,
    sender,
    content,
    content_type: "text",
    action_id: null,
    recalled: false,
    media: [],
  },
  ...{ at: "2026-11-21T08:00:00Z", ...more },
});

beforeEach(async () => {
  localStorage.clear();
  language.choose("zh-CN");
  keep(created("0190-ab"));
  said = [
    message(1, "ai", "可以这样：\n- **慢慢**吸气\n- 看 [这里](https://example.org/a)"),
    message(2, "person", "**不是**粗体"),
    message(3, "person", "", { recalled: true }),
    message(4, "ai", "", { recalled: true }),
    message(5, "ai", "看图", {
      media: [{ kind: "picture", src: "/a.png", alt: "云", caption: "一朵云", transcript: "", data: {} }],
    }),
    message(6, "ai", "跟着它", {
      media: [
        { kind: "pacer", src: null, alt: "", caption: "", transcript: "", data: { in: 4, hold: 0, out: 6, rest: 0 } },
      ],
    }),
  ];
  vi.stubGlobal("fetch", async (input: RequestInfo | URL) =>
    String(input).includes("/messages")
      ? Response.json({ messages: String(input).includes("after=0") ? said : [], more: false })
      : Response.json(session("0190-ab")),
  );
  view = document.createElement("visitor-read") as VisitorRead;
  view.session = "0190-ab";
  document.body.append(view);
  await vi.waitFor(() => expect(view.querySelector(".transcript")).not.toBeNull());
});

afterEach(() => {
  view.remove();
  vi.unstubAllGlobals();
});

test("replies are read as the chat shows them, and a person's words as they were written", () => {
  expect([...view.querySelectorAll(".said.ai li")].map((each) => each.textContent?.trim())).toEqual([
    "慢慢吸气",
    "看 这里 (example.org)",
  ]);
  expect(view.querySelector(".said.ai strong")?.textContent).toBe("慢慢");
  expect(view.querySelector(".said.person")?.textContent).toContain("**不是**粗体");
});

test("what was taken back is said to have been, and what came of it is gone", () => {
  expect([...view.querySelectorAll(".said.recalled")].map((each) => each.textContent?.trim())).toEqual([
    "你在这里撤回了一句话",
  ]);
});

test("what stood beside the words is there, with its caption or in words", () => {
  expect(view.querySelector("figcaption")?.textContent).toBe("一朵云");
  expect(view.textContent).toContain("吸气 4 秒 · 呼气 6 秒");
});
