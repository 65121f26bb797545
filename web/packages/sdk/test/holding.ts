import { afterEach, beforeEach, expect, vi } from "vitest";
import { Client } from "../src/client.js";
import type { Conversation } from "../src/conversation.js";
import { MemoryStorage, type Storage } from "../src/storage.js";
import { FakeServer } from "./fake-server.js";

let held: Conversation[] = [];

/** Fake time for every test of a file; what is held is left afterwards. */
export function withoutTime(): void {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => {
    for (const conversation of held) conversation.leave();
    held = [];
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}

export function hold(server: FakeServer, storage: Storage = new MemoryStorage(), token = "token"): Conversation {
  const client = new Client({ base: "http://server", storage, fetch: server.fetch });
  const conversation = client.conversation("s", token);
  held.push(conversation);
  conversation.open();
  return conversation;
}

/** A session that has begun, and that somebody holds. */
export async function begun(
  storage: Storage = new MemoryStorage(),
): Promise<{ server: FakeServer; conversation: Conversation; storage: Storage }> {
  const server = new FakeServer();
  const conversation = hold(server, storage);
  conversation.start();
  await pass(200);
  expect(conversation.state.status).toBe("ready");
  return { server, conversation, storage };
}

export const pass = async (milliseconds: number) => void (await vi.advanceTimersByTimeAsync(milliseconds));

export const lines = ({ state }: Conversation) => state.messages.map(({ content }) => content);
export const pending = ({ state }: Conversation) =>
  state.outbox.map(({ input }) => (input.type === "message" ? input.text : input.type));

/** The transcript and the outbox, as somebody sees them. */
export const seen = (conversation: Conversation) => [...lines(conversation), ...pending(conversation)];
