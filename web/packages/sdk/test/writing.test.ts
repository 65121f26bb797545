import { expect, test } from "vitest";
import type { Conversation } from "../src/conversation.js";
import { begun, hold, lines, pass, pending, withoutTime } from "./holding.js";
import { Reader } from "./reader.js";

withoutTime();

const REPLY = "。听起来很不容易。是什么让你睡不着？😔。";
const WHOLE = `re: 睡不着${REPLY}`;
const growing = ({ state }: Conversation) => state.growing.map(({ content }) => content);

/** Somebody has said something, and its reply is being written, a sentence a second after the first one. */
async function writing() {
  const { server, conversation, storage } = await begun();
  server.write = 1_000;
  server.reply = REPLY;
  const reader = new Reader(conversation);
  conversation.send("睡不着");
  await pass(100);
  return { server, conversation, storage, reader };
}

test("a reply is there while it is written, and then as a message", async () => {
  const { server, conversation, reader } = await writing();
  const text: string[] = [];
  const states = new Set<string>();
  conversation.subscribe(({ status, reply }) => states.add(`${status} ${reply}`));
  for (let second = 0; second < 3; second++) {
    text.push(growing(conversation).join("|"));
    expect(lines(conversation)).toEqual(["start"]);
    expect(pending(conversation)).toEqual(["睡不着"]);
    expect(conversation.state.growing[0]).toMatchObject({ seq: 3, turn: 2 });
    await pass(1_000);
  }
  expect(text).toEqual(["re: 睡不着。", "re: 睡不着。听起来很不容易。", WHOLE]);
  expect(lines(conversation)).toEqual(["start", "睡不着", WHOLE]);
  expect(states).not.toContain("ready coming");
  expect(server.requests.filter((request) => request === "GET messages").length).toBe(0);
  reader.end();
});

test("who comes in the middle reads all of it, and who comes back nothing twice", async () => {
  const { server, conversation, reader } = await writing();
  await pass(1_000);
  const other = hold(server);
  const late = new Reader(other);
  await pass(100);
  expect(growing(other)).toEqual(growing(conversation));
  expect(other.state.status).toBe("thinking");
  server.hangUp();
  await pass(1_500);
  expect(growing(conversation)).toEqual([WHOLE]);
  await pass(3_000);
  for (const each of [conversation, other]) expect(lines(each)).toEqual(["start", "睡不着", WHOLE]);
  reader.end();
  late.end();
});

test("parts that come again or are left out neither double nor tear the reply", async () => {
  for (const overlap of [3, 100, -1]) {
    const { server, conversation, reader } = await writing();
    server.way = { ...server.way, overlap: () => overlap };
    await pass(6_000);
    expect(lines(conversation)).toEqual(["start", "睡不着", WHOLE]);
    reader.end();
    conversation.leave();
  }
});

test("a reply that was put down stays, and its message goes on from it", async () => {
  const { server, conversation, reader } = await writing();
  await pass(1_000);
  const before = growing(conversation);
  server.putDown();
  expect(growing(conversation)).toEqual(before);
  await pass(300);
  expect(growing(conversation)[0]?.startsWith(before[0] ?? "?")).toBe(true);
  await pass(8_000);
  expect(lines(conversation)).toEqual(["start", "睡不着", WHOLE]);
  reader.end();
});

test("what comes of a turn that is over comes too late", async () => {
  const { server, conversation, reader } = await writing();
  await pass(6_000);
  const stale = { id: null, event: "message.delta", data: { turn: 2, number: 3, offset: 0, text: "变了" } };
  (server as unknown as { tell(happened: unknown): void }).tell(stale);
  (server as unknown as { tell(happened: unknown): void }).tell({ ...stale, data: { ...stale.data, number: 9 } });
  await pass(100);
  expect(growing(conversation)).toEqual([]);
  expect(lines(conversation).at(-1)).toBe(WHOLE);
  reader.end();
});

test("a look at the session that is ahead of its messages takes nothing away", async () => {
  const { server, conversation, reader } = await writing();
  await pass(500);
  server.hangUp();
  server.fault = (kind) => (kind === "events" || kind === "turns" ? "500" : "none");
  server.travel = () => 800;
  await pass(20_000);
  server.fault = () => "none";
  await pass(20_000);
  expect(lines(conversation)).toEqual(["start", "睡不着", WHOLE]);
  reader.end();
});

test("what is said while a reply is written waits for its own", async () => {
  const { conversation, reader } = await writing();
  conversation.send("还有");
  await pass(500);
  expect(pending(conversation)).toEqual(["睡不着", "还有"]);
  expect(conversation.state.outbox[1]?.after).toBe(1);
  await pass(15_000);
  expect(lines(conversation).slice(0, 4)).toEqual(["start", "睡不着", WHOLE, "还有"]);
  expect(pending(conversation)).toEqual([]);
  reader.end();
});

test("a reply that is stopped ends with what was shown of it", async () => {
  const { server, conversation, reader } = await writing();
  await pass(1_000);
  const before = growing(conversation);
  const states: string[] = [];
  conversation.subscribe(({ reply }) => states.push(reply));
  const stopping = conversation.stop();
  expect(conversation.state.reply).toBe("stopping");
  await pass(100);
  expect(await stopping).toBe(true);
  expect(lines(conversation)).toEqual(["start", "睡不着", ...before]);
  expect(conversation.state).toMatchObject({ status: "ready", reply: "none" });
  expect(states).not.toContain("coming");
  expect(server.requests.filter((request) => request === "POST stop").length).toBe(1);
  reader.end();
});

test("the next turn is not stopped with the one before it", async () => {
  const { conversation } = await writing();
  conversation.send("还有");
  void conversation.stop();
  await pass(1_000);
  expect(conversation.state.reply).toBe("coming");
  await pass(10_000);
  expect(conversation.state.reply).toBe("none");
});

test("there is nothing to stop where nobody is at work, and a stop that gets lost can be asked for again", async () => {
  const { server, conversation } = await writing();
  server.fault = (kind) => (kind === "stop" ? "lost" : "none");
  const lost = conversation.stop();
  await pass(100);
  expect(await lost).toBe(false);
  expect(conversation.state.reply).toBe("coming");
  server.fault = () => "none";
  const asked = conversation.stop();
  await pass(100);
  expect(await asked).toBe(true);
  expect(await conversation.stop()).toBe(false);
  expect(server.requests.filter((request) => request === "POST stop").length).toBe(2);
});
