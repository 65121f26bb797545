import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { noticeOf } from "../src/chat/notices.js";
import { textsOf } from "../src/chat/texts/index.js";
import { Following } from "../src/following.js";
import { DeskClient } from "../src/index.js";
import { nothing } from "../src/state.js";

const HUMAN = { name: "王老师", since: "2026-11-22T03:00:00Z" };

function turn(seq: number, human: typeof HUMAN | null, quiet = false) {
  const end = { execution_status: "waiting_input", position: null, exit: null, in_crisis: false, human, quiet };
  return {
    turn: { id: `s.${seq}`, seq, status: "completed" },
    request: nothing.request,
    progress: nothing.progress,
    ...end,
  };
}

function event(name: string, data: unknown) {
  return { id: null, event: name, data: JSON.stringify(data) };
}

function followed() {
  const changed = vi.fn();
  return { changed, following: new Following({ changed, missed: () => {}, completed: () => {} }) };
}

describe("a human in the program's place", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test("is there from the turn that says so to the one that does not", () => {
    const { following } = followed();
    following.event(event("turn.completed", turn(2, HUMAN)));
    expect(following.human).toEqual(HUMAN);
    following.event(event("turn.completed", turn(1, null)));
    expect(following.human).toEqual(HUMAN);
    following.event(event("turn.completed", turn(3, null, true)));
    expect(following.human).toBeNull();
    expect(following.quiet).toBe(true);
    following.event(event("turn.completed", turn(4, null)));
    expect(following.quiet).toBe(false);
  });

  test("is writing for a few seconds, or until their words come", () => {
    const { following, changed } = followed();
    following.event(event("human.typing", { name: "王老师" }));
    expect(following.typing).toBe(false);
    following.event(event("turn.completed", turn(2, HUMAN)));
    following.event(event("human.typing", { name: "王老师" }));
    expect(following.typing).toBe(true);
    changed.mockClear();
    vi.advanceTimersByTime(6_000);
    expect(following.typing).toBe(false);
    expect(changed).toHaveBeenCalled();
    following.event(event("human.typing", { name: "王老师" }));
    const message = {
      id: "s.3",
      seq: 1,
      turn: 3,
      sender: "human",
      name: "王老师",
      content: "你好",
      content_type: "text",
    };
    following.event(event("message.completed", { ...message, action_id: null, at: HUMAN.since }));
    expect(following.typing).toBe(false);
  });

  test("is named wherever the conversation stands", () => {
    for (const locale of ["zh-CN", "en"]) {
      const { texts } = textsOf(locale);
      const state = { ...nothing, status: "ready", human: HUMAN } as const;
      expect(noticeOf(state, texts).line).toContain("王老师");
      expect(noticeOf({ ...state, typing: true }, texts).line).not.toEqual(noticeOf(state, texts).line);
      expect(noticeOf({ ...state, human: null }, texts).line).toBeNull();
    }
  });
});

describe("the desk's requests", () => {
  function client(answer: (url: string, request: RequestInit) => unknown) {
    const asked: [string, string, unknown][] = [];
    const fetch = (async (url: string, request: RequestInit) => {
      asked.push([request.method ?? "", url, request.body ? JSON.parse(String(request.body)) : null]);
      const body = answer(url, request);
      return body === null ? new Response(null, { status: 204 }) : Response.json(body);
    }) as unknown as typeof globalThis.fetch;
    return { asked, desk: new DeskClient({ base: "", fetch }) };
  }

  test("go to the desk and carry their key", async () => {
    const { asked, desk } = client((url) => (url.includes("typing") ? null : { ...turn(2, HUMAN), messages: [] }));
    await desk.takeOver("s", "t", "key-00001");
    await desk.takeOver("s", "t", "key-00002", "c-1");
    await desk.say("s", "t", "key-00003", "你好");
    await desk.handBack("s", "t", "key-00004");
    await desk.handBack("s", "t", "key-00005", { closed: true, reason: "safe", next: "wait", text: "再会" });
    await desk.typing("s", "t");
    const path = "/api/v1/desk/sessions/s";
    expect(asked).toEqual([
      ["POST", `${path}/takeover`, { key: "key-00001" }],
      ["POST", `${path}/takeover`, { key: "key-00002", instead: "c-1" }],
      ["POST", `${path}/messages`, { key: "key-00003", text: "你好" }],
      ["POST", `${path}/hand-back`, { key: "key-00004" }],
      ["POST", `${path}/hand-back`, { key: "key-00005", closed: true, reason: "safe", next: "wait", text: "再会" }],
      ["POST", `${path}/typing`, null],
    ]);
  });

  test("a conversation of the desk reads the desk's session", async () => {
    const { asked, desk } = client((url) =>
      url.includes("/messages") ? { messages: [], more: false } : { last_event_id: 0, last_message: 0, sessions: [] },
    );
    await desk.session("s", "t");
    await desk.messages("s", "t", { after: 3 });
    await desk.attended("t", "taken");
    expect(asked.map(([, url]) => url)).toEqual([
      "/api/v1/desk/sessions/s",
      "/api/v1/desk/sessions/s/messages?after=3",
      "/api/v1/desk/sessions?show=taken",
    ]);
  });

  test("a typing sign that does not arrive is no matter", async () => {
    const desk = new DeskClient({ base: "", fetch: () => Promise.reject(new Error("away")) });
    await expect(desk.typing("s", "t")).resolves.toBeUndefined();
  });
});
