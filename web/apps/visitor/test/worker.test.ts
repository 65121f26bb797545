import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";

const SOURCE = readFileSync(join(import.meta.dirname, "../src/offline/worker.js"), "utf-8");
const SHELL = ["/", "/assets/index-a.js", "/early.js"];
const PAGE = '<script src="/early.js"></script><script src="/assets/index-a.js"></script>';

let kept: Map<string, Map<string, Response>>;
let answers: Record<string, () => Response | Promise<Response>>;

const caches = {
  open: async (name: string) => {
    const cache = kept.get(name) ?? new Map<string, Response>();
    kept.set(name, cache);
    return {
      put: async (path: string, answer: Response) => void cache.set(path, answer),
      match: async (path: string) => cache.get(path)?.clone(),
    };
  },
  keys: async () => [...kept.keys()],
  delete: async (name: string) => kept.delete(name),
};

/** A worker of one build, whose handlers can be called. */
function worker(version: string) {
  const handlers = new Map<string, (event: unknown) => void>();
  const self = {
    addEventListener: (name: string, act: (event: unknown) => void) => handlers.set(name, act),
    location: { origin: "https://here.test" },
  };
  const fetch = async (what: string | { url: string }) => {
    const path = typeof what === "string" ? what : new URL(what.url).pathname;
    const found = answers[path];
    if (!found) throw new TypeError("away");
    return found();
  };
  new Function("self", "caches", "fetch", "VERSION", "SHELL", SOURCE)(self, caches, fetch, version, SHELL);
  const call = async (name: string, more: object = {}) => {
    let done: Promise<unknown> | undefined;
    const take = (given: Promise<unknown>) => {
      done = given;
    };
    handlers.get(name)?.({ waitUntil: take, respondWith: take, ...more });
    return done;
  };
  const ask = async (path: string, more: object = {}) =>
    (await call("fetch", {
      request: { method: "GET", mode: "cors", url: `https://here.test${path}`, ...more },
    })) as Response | undefined;
  return { call, ask };
}

beforeEach(() => {
  kept = new Map();
  answers = {
    "/": () => new Response(PAGE),
    "/assets/index-a.js": () => new Response("code"),
    "/early.js": () => new Response("early"),
  };
  vi.useRealTimers();
});

test("everything the page is made of is kept, once all of it is there", async () => {
  await worker("one").call("install");
  expect([...(kept.get("heartrule.shell.one") ?? new Map()).keys()]).toEqual(SHELL);
});

test.each([
  ["a part is missing", () => ({ ...answers, "/early.js": () => new Response("", { status: 404 }) })],
  ["the page is of another build", () => ({ ...answers, "/": () => new Response(PAGE.replace("index-a", "index-b")) })],
  ["the server goes", () => ({ "/": () => new Response(PAGE) })],
])("nothing is kept when %s", async (_, changed) => {
  answers = changed();
  await expect(worker("one").call("install")).rejects.toThrow();
  expect(kept.size).toBe(0);
});

test("the build before stays until the new one takes over, and nobody else's is touched", async () => {
  await worker("one").call("install");
  kept.set("of another app", new Map());
  const two = worker("two");
  await two.call("install");
  expect([...kept.keys()]).toContain("heartrule.shell.one");
  await two.call("activate");
  expect([...kept.keys()].sort()).toEqual(["heartrule.shell.two", "of another app"]);
});

test("the page is the server's while there is one, and ours when it is away, broken or slow", async () => {
  const one = worker("one");
  await one.call("install");
  const open = async () => (await one.ask("/", { mode: "navigate" }))?.text();
  answers["/"] = () => new Response("newer");
  expect(await open()).toBe("newer");
  answers["/"] = () => new Response("bad gateway", { status: 502 });
  expect(await open()).toBe(PAGE);
  delete answers["/"];
  expect(await open()).toBe(PAGE);
});

test.each([
  ["/api/v1/sessions/one/messages", {}],
  ["/api/v1/about", {}],
  ["/desk", { mode: "navigate" }],
  ["/early.js?of=another", {}],
  ["/early.js", { method: "POST" }],
])("%s is none of its business", async (path, more) => {
  const one = worker("one");
  await one.call("install");
  expect(await one.ask(path, more)).toBeUndefined();
});

test("parts of the page come from here", async () => {
  const one = worker("one");
  await one.call("install");
  answers = {};
  expect(await (await one.ask("/assets/index-a.js"))?.text()).toBe("code");
});
