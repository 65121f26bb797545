import { describe, expect, test, vi } from "vitest";
import { MemoryStorage } from "../src/storage.js";
import { FakeServer, smooth } from "./fake-server.js";
import { begun, hold, lines, pass, pending, seen, withoutTime } from "./holding.js";

withoutTime();

const streams = (server: FakeServer) => server.requests.filter((request) => request === "GET events").length;

test("what the AI says of its own accord is shown when it happens", async () => {
  const { server, conversation } = await begun();
  server.speak("还在吗？");
  await pass(10);
  expect(lines(conversation)).toEqual(["start", "还在吗？"]);
});

test("two pages show the same", async () => {
  const { server, conversation } = await begun();
  const other = hold(server);
  await pass(200);
  server.think = 1_000;
  conversation.send("在这一页");
  await pass(500);
  expect(other.state.status).toBe("thinking");
  await pass(1_000);
  other.send("在那一页");
  await pass(1_500);
  expect(lines(other)).toEqual(["start", "在这一页", "re: 在这一页", "在那一页", "re: 在那一页"]);
  expect(lines(conversation)).toEqual(lines(other));
  expect(other.state.status).toBe("ready");
});

test("a stream cut at every byte gives one transcript, each message shown once", async () => {
  const { server, conversation } = await begun();
  let cut = 1;
  server.way = { ...smooth, piece: () => 3, cut: () => cut++, again: () => 2 };
  server.hangUp();
  for (const text of ["一", "二", "三"]) {
    server.speak(text);
    await pass(60_000);
  }
  expect(lines(conversation)).toEqual(["start", "一", "二", "三"]);
  expect(cut).toBeGreaterThan(5);
});

test("messages that were missed are read", async () => {
  const { server, conversation } = await begun();
  server.events.length = 0;
  server.messages.push(
    ...[2, 3].map((seq) => ({ ...(server.messages[0] as never as object), seq, content: `${seq}` }) as never),
  );
  server.speak("四");
  await pass(100);
  expect(lines(conversation)).toEqual(["start", "2", "3", "四"]);
});

describe("a stream that falls silent", () => {
  test("is taken for broken after 40 seconds", async () => {
    const { server } = await begun();
    const before = streams(server);
    await pass(120_000);
    expect(streams(server)).toBe(before);
    vi.spyOn(globalThis, "setInterval").mockImplementation(() => 0 as never);
    server.hangUp();
    await pass(2_000);
    vi.restoreAllMocks();
    expect(streams(server)).toBe(before + 1);
    await pass(42_000);
    expect(streams(server)).toBe(before + 2);
  });
});

describe("being offline", () => {
  test("is said after a grace, and is over by itself", async () => {
    const { server, conversation } = await begun();
    server.down = true;
    server.hangUp();
    await pass(1_000);
    expect(conversation.state.status).toBe("ready");
    await pass(1_000);
    expect(conversation.state.status).toBe("offline");
    server.speak("你断线的时候说的");
    await pass(60_000);
    server.down = false;
    await pass(25_000);
    expect(conversation.state.status).toBe("ready");
    expect(lines(conversation)).toEqual(["start", "你断线的时候说的"]);
  });

  test("is not said when the server merely restarts", async () => {
    const { server, conversation } = await begun();
    const told: string[] = [];
    conversation.subscribe(({ status }) => told.push(status));
    server.hangUp();
    server.down = true;
    await pass(400);
    server.down = false;
    await pass(10_000);
    expect(told).not.toContain("offline");
    server.speak("还在");
    await pass(10);
    expect(lines(conversation)).toEqual(["start", "还在"]);
  });

  test("ends at once when the browser says so", async () => {
    const window = new EventTarget();
    vi.stubGlobal("window", window);
    const { server, conversation } = await begun();
    server.down = true;
    server.hangUp();
    conversation.send("一");
    await pass(120_000);
    expect(conversation.state.status).toBe("offline");
    server.down = false;
    window.dispatchEvent(new Event("online"));
    await pass(300);
    expect(conversation.state.status).toBe("ready");
    expect(seen(conversation)).toEqual(["start", "一", "re: 一"]);
  });

  test("leaves no connection of the old network behind", async () => {
    const window = new EventTarget();
    vi.stubGlobal("window", window);
    const { server, conversation } = await begun();
    const before = streams(server);
    window.dispatchEvent(new Event("offline"));
    await pass(3_000);
    expect(conversation.state.status).toBe("offline");
    window.dispatchEvent(new Event("online"));
    await pass(1_000);
    expect(streams(server)).toBe(before + 1);
    expect(conversation.state.status).toBe("ready");
  });

  test("from the beginning: reading goes on until it works, and words wait", async () => {
    const server = new FakeServer();
    server.down = true;
    const conversation = hold(server);
    conversation.send("我等不及了");
    await pass(2_000);
    expect(conversation.state.status).toBe("offline");
    server.down = false;
    await pass(60_000);
    expect(seen(conversation)).toEqual(["我等不及了", "re: 我等不及了"]);
    expect(server.bodies[0]).not.toHaveProperty("after");
  });
});

test("a laptop that slept catches up at once, and asks again for what was under way", async () => {
  const { server, conversation } = await begun();
  server.fault = (kind) => (kind === "turns" ? "hangs" : "none");
  conversation.send("一");
  await pass(1_000);
  server.fault = () => "none";
  vi.setSystemTime(Date.now() + 3_600_000);
  await pass(6_000);
  expect(seen(conversation)).toEqual(["start", "一", "re: 一"]);
});

test("a page that is out of sight lets its connection go, and takes it up when it is seen", async () => {
  const document = Object.assign(new EventTarget(), { visibilityState: "hidden" });
  vi.stubGlobal("document", document);
  const { server, conversation } = await begun();
  document.dispatchEvent(new Event("visibilitychange"));
  await pass(310_000);
  const before = streams(server);
  server.speak("在你离开的时候");
  await pass(60_000);
  expect(lines(conversation)).toEqual(["start"]);
  expect(conversation.state.status).toBe("ready");
  document.visibilityState = "visible";
  document.dispatchEvent(new Event("visibilitychange"));
  await pass(100);
  expect(lines(conversation)).toEqual(["start", "在你离开的时候"]);
  expect(streams(server)).toBe(before + 1);
});

test("where streams do not come through, looking every now and then does", async () => {
  const { server, conversation } = await begun();
  server.fault = (kind) => (kind === "events" ? "portal" : "none");
  server.hangUp();
  await pass(30_000);
  server.speak("慢一点也到");
  await pass(30_000);
  expect(lines(conversation)).toEqual(["start", "慢一点也到"]);
  expect(conversation.state.status).toBe("ready");
});

test("a turn that takes too long does not look like a broken connection", async () => {
  const { server, conversation } = await begun();
  const told = new Set<string>();
  conversation.subscribe(({ status }) => told.add(status));
  server.think = 100_000;
  conversation.send("慢慢想");
  await pass(99_000);
  expect([...told]).toEqual(["thinking"]);
  await pass(3_000);
  expect(seen(conversation)).toEqual(["start", "慢慢想", "re: 慢慢想"]);
});

test("the thinking of a turn that failed is over", async () => {
  const { server, conversation } = await begun();
  const emit = (event: string, data: unknown) =>
    (server as never as { emit(e: string, d: unknown): void }).emit(event, data);
  emit("turn.started", { turn: { id: "t2", seq: 2 } });
  await pass(10);
  expect(conversation.state.status).toBe("thinking");
  emit("error", { code: "put-down", status: 503 });
  await pass(10);
  expect(conversation.state.status).toBe("ready");
});

test("a question that is late does not come back after its answer", async () => {
  const { server, conversation } = await begun();
  conversation.send("选一");
  await pass(200);
  expect(conversation.state.request.type).toBe("choice");
  server.way = { ...smooth, again: () => 4 };
  conversation.choose("yes");
  await pass(200);
  expect(conversation.state.request.type).toBe("message");
  server.hangUp();
  await pass(2_000);
  expect(conversation.state.request.type).toBe("message");
});

test("a pause waits for a slow turn", async () => {
  const { server, conversation } = await begun();
  server.travel = () => 40_000;
  const paused = conversation.pause().then(() => "paused");
  await pass(41_000);
  expect(await Promise.race([paused, "not yet"])).toBe("paused");
});

describe("the end", () => {
  test("is there as soon as its turn is: it is nobody's turn in between", async () => {
    const { conversation } = await begun();
    const asked: string[] = [];
    conversation.subscribe(({ status, request }) => asked.push(`${status} ${request.type}`));
    conversation.end();
    await pass(1_000);
    expect(conversation.state.status).toBe("ended");
    expect(asked).not.toContain("ready none");
  });

  test("in the middle of a crisis leaves it one, and after a crisis it is none", async () => {
    for (const left of [true, false]) {
      const { server, conversation } = await begun();
      server.inCrisis = true;
      conversation.send("我不想活了");
      await pass(500);
      expect(conversation.state.inCrisis).toBe(true);
      if (left) server.inCrisis = false;
      if (left) conversation.send("好一些了");
      await pass(500);
      server.inCrisis = false;
      conversation.end();
      await pass(1_000);
      expect([conversation.state.status, conversation.state.inCrisis]).toEqual(["ended", !left]);
    }
  });
});

test("a session that has ended is no longer followed", async () => {
  const { server, conversation } = await begun();
  conversation.end();
  await pass(1_000);
  const before = streams(server);
  await pass(100_000);
  expect(streams(server)).toBe(before);
  expect(conversation.state.status).toBe("ended");
});

test("a long session shows its newest messages, and older ones when asked", async () => {
  const { server, conversation } = await begun();
  for (let at = 0; at < 250; at++) server.speak(`${at}`);
  await pass(10);
  const late = hold(server);
  await pass(100);
  expect(late.state.messages.length).toBe(100);
  expect(late.state.more).toBe(true);
  await Promise.all([late.earlier(), pass(50)]);
  expect(late.state.messages.length).toBe(200);
  await Promise.all([late.earlier(), pass(50)]);
  expect(late.state.more).toBe(false);
  expect(lines(late)).toEqual(lines(conversation));
});

describe("what a page leaves in the outbox", () => {
  test("is sent by the next one", async () => {
    const storage = new MemoryStorage();
    const { server, conversation } = await begun(storage);
    server.down = true;
    conversation.send("写了就走");
    await pass(3_000);
    conversation.leave();
    server.down = false;
    const next = hold(server, storage);
    await pass(1_000);
    expect(seen(next)).toEqual(["start", "写了就走", "re: 写了就走"]);
    expect(storage.keys("")).toEqual([]);
  });

  test("is not said twice when it had arrived after all", async () => {
    const storage = new MemoryStorage();
    const { server, conversation } = await begun(storage);
    server.fault = (kind) => (kind === "turns" ? "unanswered" : "none");
    conversation.send("写了就走");
    await pass(400);
    conversation.leave();
    server.fault = () => "none";
    const next = hold(server, storage);
    await pass(5_000);
    expect(seen(next)).toEqual(["start", "写了就走", "re: 写了就走"]);
    expect(storage.keys("")).toEqual([]);
  });

  test("is not fought over where nobody can tell who lives", async () => {
    const window = new EventTarget();
    vi.stubGlobal("window", window);
    const storage = new MemoryStorage();
    const { server, conversation } = await begun(storage);
    const other = hold(server, storage);
    await pass(200);
    server.fault = (kind) => (kind === "turns" ? "lost" : "none");
    conversation.send("在这一页");
    window.dispatchEvent(new Event("storage"));
    await pass(1_000);
    expect(pending(other)).toEqual([]);
    expect(pending(conversation)).toEqual(["在这一页"]);
  });

  describe("while it lives", () => {
    /** The Web Locks API, as far as it is used. */
    function locks() {
      const waiting = new Map<string, (() => void)[]>();
      const held = new Set<string>();
      return async (name: string, ...rest: unknown[]) => {
        const work = rest.at(-1) as () => Promise<void> | void;
        if (held.has(name)) await new Promise<void>((go) => waiting.set(name, [...(waiting.get(name) ?? []), go]));
        held.add(name);
        await work();
        held.delete(name);
        waiting.get(name)?.shift()?.();
      };
    }

    async function twoPages() {
      vi.stubGlobal("navigator", { locks: { request: locks() } });
      const storage = new MemoryStorage();
      const { server, conversation } = await begun(storage);
      server.fault = (kind) => (kind === "turns" ? "lost" : "none");
      conversation.send("在这一页");
      await pass(1_000);
      const other = hold(server, storage);
      await pass(10_000);
      return { server, conversation, other, storage };
    }

    test("is left alone, and is taken up when it dies", async () => {
      const { server, conversation, other, storage } = await twoPages();
      expect(pending(other)).toEqual([]);
      expect(pending(conversation)).toEqual(["在这一页"]);
      conversation.leave();
      await pass(10);
      expect(pending(other)).toEqual(["在这一页"]);
      server.fault = () => "none";
      await pass(30_000);
      expect(seen(other)).toEqual(["start", "在这一页", "re: 在这一页"]);
      expect(storage.keys("")).toEqual([]);
    });

    test("and writes after the other has opened, the other still takes it up", async () => {
      const window = new EventTarget();
      vi.stubGlobal("window", window);
      const { server, conversation, other } = await twoPages();
      conversation.send("又一句");
      window.dispatchEvent(new Event("storage"));
      await pass(1_000);
      expect(pending(other)).toEqual([]);
      conversation.leave();
      server.fault = () => "none";
      await pass(30_000);
      expect(lines(other).filter((line) => !line.startsWith("re"))).toEqual(["start", "在这一页", "又一句"]);
    });

    test("and is put away, it is taken up, and said once even if the page comes back", async () => {
      const window = new EventTarget();
      vi.stubGlobal("window", window);
      const { server, conversation, other, storage } = await twoPages();
      window.dispatchEvent(new Event("pagehide"));
      await pass(10);
      expect(pending(other)).toEqual(["在这一页"]);
      window.dispatchEvent(new Event("pageshow"));
      server.fault = () => "none";
      await pass(30_000);
      for (const page of [other, conversation]) expect(seen(page)).toEqual(["start", "在这一页", "re: 在这一页"]);
      expect(storage.keys("")).toEqual([]);
    });
  });
});
