import { expect, test } from "vitest";
import type { Conversation } from "../src/conversation.js";
import { MemoryStorage } from "../src/storage.js";
import { FakeServer, type Fault, smooth } from "./fake-server.js";
import { hold, lines, pass, pending, withoutTime } from "./holding.js";
import { Reader } from "./reader.js";

withoutTime();

/** mulberry32 */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const FAULTS: Fault[] = ["lost", "unanswered", "mute", "doubled", "500", "503", "429", "portal", "hangs"];

/** A day of weather: requests fail, streams break and repeat themselves, the server restarts, the page is reloaded. */
async function day(seed: number): Promise<{ server: FakeServer; conversation: Conversation; said: string[] }> {
  const random = dice(seed);
  const storage = new MemoryStorage();
  const server = new FakeServer();
  let conversation = hold(server, storage);
  let reader = new Reader(conversation);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  server.travel = () => random() * 400;
  server.fault = () => (random() < 0.3 ? pick(FAULTS) : "none");
  server.way = {
    piece: () => 1 + Math.floor(random() * 40),
    cut: () => (random() < 0.5 ? Math.floor(random() * 2_000) : Infinity),
    again: () => Math.floor(random() * 6),
    overlap: () => Math.floor(random() * 8) - 2,
  };
  server.reply = "。这是第二句。然后是第三句。最后一句话。";
  conversation.start();
  const said: string[] = [];
  const moves = [
    () => server.hangUp(),
    () => {
      server.down = !server.down;
    },
    () => server.speak(`自言自语 ${server.messages.length}`),
    () => {
      conversation.leave();
      conversation = hold(server, storage);
      reader = new Reader(conversation);
    },
    () => void conversation.stop(),
  ];
  for (let at = 0; at < 12; at++) {
    server.think = random() * 3_000;
    server.write = random() < 0.7 ? random() * 2_000 : 0;
    if (random() < 0.7) {
      said.push(pick(["嗯", "好", `第 ${at} 句`]));
      conversation.send(said.at(-1) ?? "");
    }
    if (random() < 0.5) pick(moves)();
    await pass(random() < 0.5 ? random() * 500 : random() * 20_000);
  }
  server.down = false;
  server.fault = () => "none";
  server.way = smooth;
  await pass(150_000);
  reader.end();
  return { server, conversation, said };
}

test.each(Array.from({ length: 60 }, (_, seed) => seed))(
  "weather %i: one transcript, nothing lost, nothing doubled",
  async (seed) => {
    const { server, conversation, said } = await day(seed);
    const all = server.messages.map(({ content }) => content);
    expect(lines(conversation)).toEqual(all);
    expect(pending(conversation)).toEqual([]);
    expect(conversation.state.status).toBe("ready");
    const heard = server.messages.filter(({ sender }) => sender === "person").map(({ content }) => content);
    expect(heard.sort()).toEqual(said.sort());
  },
);
