import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Board } from "../src/desk/board.js";
import type { Item } from "../src/desk/shapes.js";
import { ask, guarded, Refusal, trust, whenSignedOut } from "../src/shell/api.js";

type Asked = { path: string; method: string; headers: Headers };
const asked: Asked[] = [];
let answers: Record<string, () => Response> = {};

beforeEach(() => {
  asked.length = 0;
  answers = {};
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    const path = address.replace("/api/v1", "");
    asked.push({ path, method: init.method ?? "GET", headers: new Headers(init.headers) });
    const answer = answers[path] ?? answers[path.split("?")[0] ?? ""];
    return answer ? answer() : new Response("{}", { status: 200 });
  });
});
afterEach(() => vi.unstubAllGlobals());

const problem = (status: number, body: object) => new Response(JSON.stringify(body), { status });

test("the proof goes with writes, and with writes alone", async () => {
  trust("proof");
  await ask("/desk/shift");
  await ask("/desk/tags", { method: "POST", body: { a: 1 } });
  await guarded("/api/v1/desk/sessions/1/takeover", { method: "POST" });
  expect(asked.map(({ headers }) => headers.get("X-CSRF-Token"))).toEqual([null, "proof", "proof"]);
});

test("who is not signed in any more is told so once the server says it, but not while signing in", async () => {
  const ended = vi.fn();
  const stop = whenSignedOut(ended);
  answers["/desk/shift"] = () => problem(401, { code: "unauthorized", title: "Sign in again." });
  answers["/staff/sign-in"] = () => problem(401, { code: "code-needed", title: "A code, please." });
  await expect(ask("/staff/sign-in", { method: "POST", body: {}, signingIn: true })).rejects.toMatchObject({
    code: "code-needed",
    message: "A code, please.",
  });
  expect(ended).not.toHaveBeenCalled();
  await expect(ask("/desk/shift")).rejects.toBeInstanceOf(Refusal);
  expect(ended).toHaveBeenCalledTimes(1);
  stop();
});

test("a page of a proxy is no answer of the server's, and may pass", async () => {
  answers["/desk/shift"] = () => new Response("<html>Bad gateway</html>", { status: 502 });
  await expect(ask("/desk/shift")).rejects.toMatchObject({ status: 502, passing: true, message: "" });
});

class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static last: Stream;
  readyState = 1;
  onerror: (() => void) | null = null;
  constructor() {
    super();
    Stream.last = this;
  }
  tell(name: string, data: object): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }
  close(): void {
    this.readyState = Stream.CLOSED;
  }
}

const held = (me: boolean) => ({ id: "1", name: "王", since: "2026-01-01T00:00:00Z", me });
const item = (id: string, more: Partial<Item> = {}) => ({ id, holder: null, ...more }) as Item;

test("the list follows what it is told, and a call is over once a colleague has taken it", async () => {
  vi.stubGlobal("EventSource", Stream);
  answers["/desk/sessions"] = () => new Response(JSON.stringify({ sessions: [item("a")], more: false }));
  answers["/desk/colleagues"] = () => new Response(JSON.stringify({ colleagues: [] }));
  const board = new Board();
  const called = vi.fn();
  board.whenCalled(called);
  board.start();
  await vi.waitFor(() => expect(board.state.loaded).toBe(true));
  Stream.last.tell("item", { session: "b", item: item("b") });
  Stream.last.tell("alert", { session: "b", kind: "crisis", at: "2026-01-01T00:00:00Z" });
  expect([...board.state.items.keys()]).toEqual(["a", "b"]);
  expect(called).toHaveBeenCalledTimes(1);
  expect(board.state.calls).toHaveLength(1);
  Stream.last.tell("item", { session: "b", item: item("b", { holder: held(false) }) });
  expect(board.state.calls).toHaveLength(0);
  Stream.last.tell("item", { session: "a", item: null });
  expect([...board.state.items.keys()]).toEqual(["b"]);

  asked.length = 0;
  Stream.last.onerror?.();
  expect(board.state.connected).toBe(false);
  Stream.last.tell("hello", { now: "2026-01-01T00:00:00Z" });
  expect(board.state.connected).toBe(true);
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0)); // what was missed is read
  board.stop();
});
