import { describe, expect, test } from "vitest";
import { MemoryStorage } from "../src/storage.js";
import { FakeServer, type Fault } from "./fake-server.js";
import { begun, hold, lines, pass, pending, seen, withoutTime } from "./holding.js";

withoutTime();

test("what is said is shown at once, confirmed, and then forgotten by the outbox", async () => {
  const { server, conversation, storage } = await begun();
  conversation.send(" 今天很难受 \n");
  expect(pending(conversation)).toEqual(["今天很难受"]);
  expect(conversation.state.status).toBe("thinking");
  expect(storage.keys("").length).toBe(1);
  await pass(200);
  expect(seen(conversation)).toEqual(["start", "今天很难受", "re: 今天很难受"]);
  expect(storage.keys("")).toEqual([]);
  expect(server.bodies.at(-1)).toMatchObject({ after: 1, input: { type: "message", text: "今天很难受" } });
});

test("it is in the storage before the request leaves", async () => {
  const { server, conversation, storage } = await begun();
  let kept = 0;
  server.fault = () => {
    kept = storage.keys("heartrule.outbox.s.").length;
    return "none";
  };
  conversation.send("x");
  expect(kept).toBe(1);
  await pass(200);
});

test("nothing is said by saying nothing", async () => {
  const { conversation } = await begun();
  expect(conversation.send(" \n ")).toBeNull();
  expect(conversation.state.outbox).toEqual([]);
});

describe.each<Fault>(["lost", "unanswered", "mute", "doubled", "500", "503", "429", "portal", "hangs"])(
  "a way that is %s",
  (fault) => {
    test("loses nothing and doubles nothing", async () => {
      const { server, conversation, storage } = await begun();
      let times = 3;
      server.fault = (kind) => (kind === "turns" && times-- > 0 ? fault : "none");
      conversation.send("一");
      await pass(200);
      if (!["doubled", "unanswered", "mute"].includes(fault)) expect(pending(conversation)).toEqual(["一"]);
      await pass(180_000);
      conversation.send("二");
      await pass(180_000);
      expect(seen(conversation)).toEqual(["start", "一", "re: 一", "二", "re: 二"]);
      expect(storage.keys("")).toEqual([]);
      expect(new Set(server.bodies.map(({ key }) => key)).size).toBe(3);
    });
  },
);

test("the server is not asked again before it wants to be", async () => {
  const { server, conversation } = await begun();
  server.fault = (kind) => (kind === "turns" ? "429" : "none");
  server.requests.length = 0;
  conversation.send("x");
  await pass(1_900);
  expect(server.requests).toEqual(["POST turns"]);
  expect(conversation.state.status).toBe("retrying");
  server.fault = () => "none";
  await pass(3_000);
  expect(seen(conversation)).toEqual(["start", "x", "re: x"]);
});

test("a burst goes side by side, in order, with what had been shown before it", async () => {
  const { server, conversation } = await begun();
  server.think = 2_000;
  for (const text of ["我", "今天很难受", "睡不着"]) conversation.send(text);
  await pass(1_000);
  expect(server.bodies.slice(1).map(({ after, input }) => [after, input.text])).toEqual([
    [1, "我"],
    [1, "今天很难受"],
    [1, "睡不着"],
  ]);
  await pass(3_000);
  expect(seen(conversation)).toEqual(["start", "我", "今天很难受", "睡不着", "re: 我/今天很难受/睡不着"]);
});

test.each(["lost", "503", "hangs"] as const)(
  "what comes second waits for a first that is %s on its way",
  async (fault) => {
    const { server, conversation } = await begun();
    server.think = 50;
    let firsts = 0;
    server.fault = (kind) => {
      if (kind !== "turns") return "none";
      firsts += 1;
      return firsts === 1 ? fault : "none";
    };
    conversation.send("嗯");
    conversation.send("大概两个月前开始的");
    await pass(120_000);
    const said = conversation.state.messages.filter(({ sender }) => sender === "person").map(({ content }) => content);
    expect(said).toEqual(["嗯", "大概两个月前开始的"]);
    expect(pending(conversation)).toEqual([]);
  },
);

test("what was said while offline arrives in order", async () => {
  const { server, conversation } = await begun();
  server.down = true;
  server.hangUp();
  for (const text of ["一", "二", "三", "四", "五", "六"]) {
    conversation.send(text);
    await pass(2_000);
  }
  expect(conversation.state.status).toBe("offline");
  expect(pending(conversation)).toEqual(["一", "二", "三", "四", "五", "六"]);
  server.down = false;
  await pass(60_000);
  expect(conversation.state.messages.filter(({ sender }) => sender === "person").map(({ content }) => content)).toEqual(
    ["一", "二", "三", "四", "五", "六"],
  );
  expect(conversation.state.status).toBe("ready");
});

test("an answer to a later question waits until what was said before has arrived", async () => {
  const { server, conversation } = await begun();
  server.fault = (kind) => (kind === "turns" ? "500" : "none");
  conversation.send("一");
  await pass(100);
  server.speak("还在吗？");
  await pass(100);
  conversation.send("在");
  await pass(5_000);
  expect(pending(conversation)).toEqual(["一", "在"]);
  server.fault = () => "none";
  await pass(30_000);
  expect(lines(conversation)).toEqual(["start", "还在吗？", "一", "re: 一", "在", "re: 在"]);
  expect(server.bodies.map(({ after }) => after)).toEqual([0, 1, 2]);
});

test("what was typed before a question was shown says so", async () => {
  const { server, conversation } = await begun();
  server.speak("第二个问题？");
  await pass(100);
  conversation.send("对第一个", { after: 1 });
  await pass(200);
  expect(server.bodies.at(-1)?.after).toBe(1);
});

test("an answer that never comes does not hold up what is said next, once an event has told of its turn", async () => {
  const { server, conversation } = await begun();
  let times = 1;
  server.fault = (kind) => (kind === "turns" && times-- > 0 ? "mute" : "none");
  conversation.send("一");
  await pass(1_000);
  expect(lines(conversation)).toEqual(["start", "一", "re: 一"]);
  conversation.send("二");
  await pass(5_000);
  expect(seen(conversation)).toEqual(["start", "一", "re: 一", "二", "re: 二"]);
});

test("a session that is ended without a connection ends when there is one, after what was said before", async () => {
  const { server, conversation, storage } = await begun();
  server.down = true;
  conversation.send("再见");
  conversation.end();
  await pass(5_000);
  conversation.leave();
  server.down = false;
  const later = hold(server, storage);
  await pass(5_000);
  expect(lines(later)).toEqual(["start", "再见", "re: 再见", "end"]);
  expect(later.state.status).toBe("ended");
});

test("the same words twice are two things said", async () => {
  const { conversation } = await begun();
  conversation.send("嗯");
  conversation.send("嗯");
  expect(pending(conversation)).toEqual(["嗯", "嗯"]);
  await pass(2_000);
  expect(lines(conversation).filter((line) => line === "嗯")).toEqual(["嗯", "嗯"]);
  expect(pending(conversation)).toEqual([]);
});

test("a live event that comes before the answer does not show the words twice", async () => {
  const { server, conversation } = await begun();
  const most: number[] = [];
  conversation.subscribe(() => most.push(seen(conversation).filter((line) => line === "嗯").length));
  server.fault = (kind) => (kind === "turns" ? "unanswered" : "none");
  conversation.send("嗯");
  await pass(1_000);
  server.fault = () => "none";
  await pass(10_000);
  expect(Math.max(...most)).toBe(1);
});

describe("what the server will not have", () => {
  test("is kept for the person, also over a reload, until they take it back", async () => {
    const { server, conversation, storage } = await begun();
    conversation.send("长".repeat(20_001));
    await pass(200);
    expect(conversation.state.outbox[0]).toMatchObject({
      state: "refused",
      problem: { code: "too-long", status: 413 },
    });
    conversation.send("短");
    await pass(200);
    expect(lines(conversation)).toEqual(["start", "短", "re: 短"]);
    conversation.leave();
    const later = hold(server, storage);
    await pass(500);
    const [entry] = later.state.outbox;
    expect(entry).toMatchObject({ state: "refused", problem: { code: "too-long" } });
    expect(server.bodies.length).toBe(3);
    expect(later.discard(entry?.key ?? "")).toBe("长".repeat(20_001));
    expect(later.state.outbox).toEqual([]);
    expect(storage.keys("")).toEqual([]);
  });

  test("because the session is over, is said to be so", async () => {
    const { server, conversation } = await begun();
    server.status = "archived";
    conversation.send("还有一件事");
    await pass(200);
    expect(conversation.state.status).toBe("ended");
    expect(conversation.state.outbox[0]).toMatchObject({ state: "refused", problem: { code: "closed" } });
  });

  test("because the session cannot be restored, stays, and the transcript can be read", async () => {
    const { server, conversation, storage } = await begun();
    server.restorable = false;
    const later = hold(server, storage);
    later.send("还能说吗");
    await pass(500);
    expect(later.state.status).toBe("failed");
    expect(later.state.problem?.code).toBe("cannot-restore");
    expect(seen(later)).toEqual(["start", "还能说吗"]);
    expect(conversation.state.status).toBe("ready");
  });

  test("because of the token, stays in the outbox for the next one", async () => {
    const storage = new MemoryStorage();
    const { server, conversation } = await begun(storage);
    server.token = "new";
    conversation.send("还在");
    await pass(200);
    expect(conversation.state.status).toBe("failed");
    expect(conversation.state.problem?.code).toBe("unauthorized");
    expect(pending(conversation)).toEqual(["还在"]);
    conversation.leave();
    const again = hold(server, storage, "new");
    await pass(500);
    expect(seen(again)).toEqual(["start", "还在", "re: 还在"]);
  });
});

test("options are answered by their value and shown by their label", async () => {
  const { server, conversation } = await begun();
  conversation.send("我要选");
  await pass(200);
  expect(conversation.state.request.type).toBe("choice");
  expect(conversation.choose("maybe")).toBeNull();
  conversation.choose("no");
  expect(conversation.state.outbox[0]?.label).toBe("先不");
  await pass(200);
  expect(server.bodies.at(-1)?.input).toEqual({ type: "choice", choice: "no" });
  expect(lines(conversation).slice(-2)[0]).toBe("先不");
});

test("pausing, going on and ending", async () => {
  const { server, conversation } = await begun();
  await Promise.all([conversation.pause(), pass(100)]);
  expect(conversation.state.status).toBe("paused");
  conversation.resume();
  await pass(300);
  expect(conversation.state.status).toBe("ready");
  server.think = 2_000;
  conversation.send("最后一句");
  conversation.end();
  await pass(500);
  expect(server.requests.filter((request) => request === "POST end")).toEqual([]);
  await pass(6_000);
  expect(conversation.state.status).toBe("ended");
  expect(lines(conversation)).toEqual(["start", "resume", "最后一句", "re: 最后一句", "end"]);
});

test("a start that two pages ask for is one start", async () => {
  const server = new FakeServer();
  const pages = [hold(server), hold(server)];
  for (const page of pages) page.start();
  await pass(500);
  for (const page of pages) expect(lines(page)).toEqual(["start"]);
});

test("half an emoji can be sent", async () => {
  const { server, conversation } = await begun();
  conversation.send("好\uD83D");
  conversation.send("好😔");
  await pass(1_000);
  expect(server.bodies.slice(1).map(({ input }) => input.text)).toEqual(["好\uFFFD", "好😔"]);
});
