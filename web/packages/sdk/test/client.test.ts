import { describe, expect, test, vi } from "vitest";
import { Client } from "../src/client.js";
import { Problem } from "../src/problem.js";
import { MemoryStorage } from "../src/storage.js";

interface Asked {
  url: string;
  init: RequestInit;
}

/** A client whose every request is answered with `response`, and what it asked. */
function answered(response: () => Response, base = "https://heart.example/") {
  const asked: Asked[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    asked.push({ url: String(url), init });
    return response();
  };
  const storage = new MemoryStorage();
  return { asked, client: new Client({ base, locale: "zh-CN", storage, fetch: fetch as typeof globalThis.fetch }) };
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });

const caught = async (work: Promise<unknown>) => (await work.catch((error: unknown) => error)) as Problem;

describe("what is asked", () => {
  test("a summary is a file of its kind, and nothing else is taken for one", async () => {
    const page = () => new Response("<h1>小结</h1>", { headers: { "Content-Type": "text/html; charset=utf-8" } });
    const { asked, client } = answered(page);
    expect(await (await client.summary("s", "t", { zone: "Asia/Shanghai" })).text()).toBe("<h1>小结</h1>");
    await client.record("p");
    expect(asked.map(({ url }) => url.replace("https://heart.example/api/v1", ""))).toEqual([
      "/sessions/s/summary?format=html&zone=Asia%2FShanghai",
      "/persons/me/summary?format=html&locale=zh-CN",
    ]);
    expect((await caught(client.summary("s", "t", { format: "pdf" }))).code).toBe("network");
  });

  test("names the language, and the token only in its header", async () => {
    const { asked, client } = answered(() => json({ messages: [], more: false }));
    await client.messages("a/b", "secret", { after: 3, limit: 500 });
    expect(asked[0]?.url).toBe("https://heart.example/api/v1/sessions/a%2Fb/messages?after=3&limit=500");
    const headers = new Headers(asked[0]?.init.headers);
    expect(headers.get("Authorization")).toBe("Bearer secret");
    expect(headers.get("Accept-Language")).toBe("zh-CN");
    expect(asked[0]?.init.cache).toBe("no-store");
  });

  test("without a token carries none, and without a base goes to the page's own server", async () => {
    const { asked, client } = answered(() => json({ version: "1" }), "");
    await client.about("en");
    expect(asked[0]?.url).toMatch(/^\/api\/v1\/about\?locale=en&zone=/);
    expect(new Headers(asked[0]?.init.headers).has("Authorization")).toBe(false);
  });

  test.each<[string, (client: Client) => Promise<unknown>, string, string]>([
    ["create", (client) => client.create({ script: "x" }, "p"), "POST", "/sessions"],
    ["sessions", (client) => client.sessions("p", { limit: 5 }), "GET", "/sessions?limit=5"],
    ["pause", (client) => client.pause("s", "t"), "POST", "/sessions/s/pause"],
    ["resume", (client) => client.resume("s", "t", "key"), "POST", "/sessions/s/resume"],
    ["end", (client) => client.end("s", "t", "key"), "POST", "/sessions/s/end"],
    ["recovery", (client) => client.recovery("s", "t"), "POST", "/sessions/s/recovery"],
    ["startOver", (client) => client.startOver("s", "t"), "POST", "/sessions/s/start-over"],
    ["scripts", (client) => client.scripts(), "GET", "/scripts"],
    ["withdraw", (client) => client.withdraw("s", "t"), "DELETE", "/sessions/s/consent"],
    ["contact", (client) => client.contact("p").catch(() => {}), "GET", "/persons/me/contact"],
    ["forgetRemembered", (client) => client.forgetRemembered("p", "s1.2.1"), "DELETE", "/persons/me/remembered/s1.2.1"],
    ["forgetContact", (client) => client.forgetContact("p"), "DELETE", "/persons/me/contact"],
  ])("by %s", async (_, ask, method, path) => {
    const { asked, client } = answered(() =>
      json({ session: {}, sessions: [], turn: {}, token: "", last_event_id: 0 }),
    );
    await ask(client);
    expect([asked[0]?.init.method, asked[0]?.url]).toEqual([method, `https://heart.example/api/v1${path}`]);
  });
});

test("where the browser is, is told with a new session, unless something else is", async () => {
  const { asked, client } = answered(() => json({ session: {} }));
  await client.create({ script: "x" });
  await client.create({ script: "x", zone: "Australia/Perth" });
  const zones = asked.map(({ init }) => (JSON.parse(String(init.body)) as { zone?: string }).zone);
  expect(zones).toEqual([Intl.DateTimeFormat().resolvedOptions().timeZone, "Australia/Perth"]);
});

test("a transcript is read to its end, page by page", async () => {
  const pages = [
    { messages: [{ seq: 1 }, { seq: 2 }], more: true },
    { messages: [{ seq: 3 }], more: false },
  ];
  const { asked, client } = answered(() => json(pages.shift()));
  expect((await client.transcript("s", "t")).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(asked.map(({ url }) => new URL(url).searchParams.get("after"))).toEqual(["0", "2"]);
});

describe("what goes wrong is a Problem", () => {
  test("with the server's code, title, reference and wait", async () => {
    const body = { type: "x", title: "请求太快了", status: 429, code: "too-many-requests", reference: "ab12" };
    const { client } = answered(() => json(body, 429, { "Retry-After": "3" }));
    const problem = await caught(client.scripts());
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({
      code: "too-many-requests",
      title: "请求太快了",
      reference: "ab12",
      retryAfter: 3_000,
    });
    expect(problem.passing).toBe(true);
  });

  test("with a wait that is given as a date", async () => {
    const at = new Date(Date.now() + 60_000).toUTCString();
    const { client } = answered(() => json({ code: "busy", title: "" }, 503, { "Retry-After": at }));
    const { retryAfter } = await caught(client.scripts());
    expect(retryAfter).toBeGreaterThan(57_000);
    expect(retryAfter).toBeLessThanOrEqual(60_000);
  });

  test.each([
    ["an error page of something in between", () => new Response("<h1>404</h1>", { status: 404 })],
    ["a log-in page that says it is well", () => new Response("<h1>Wi-Fi</h1>", { status: 200 })],
    ["JSON of somebody else", () => json({ hello: "world" })],
    ["JSON that is no object", () => json([1])],
    ["an error in somebody else's JSON", () => json({ error: "nope" }, 403)],
  ])("%s: it is the way that is disturbed, not what we asked", async (_, response) => {
    const { client } = answered(response);
    const problem = await caught(client.session("s", "t"));
    expect([problem.code, problem.passing]).toEqual(["network", true]);
  });

  test.each([400, 401, 403, 404, 409, 413, 422])("%i is final", async (status) => {
    const { client } = answered(() => json({ code: "some", title: "" }, status));
    expect((await caught(client.scripts())).passing).toBe(false);
  });

  test("a server that does not answer", async () => {
    vi.useFakeTimers();
    const fetch = (_: unknown, init: RequestInit) =>
      new Promise((_, reject) =>
        init.signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError"))),
      );
    const client = new Client({ base: "", storage: new MemoryStorage(), fetch: fetch as typeof globalThis.fetch });
    const problem = caught(client.scripts());
    await vi.advanceTimersByTimeAsync(16_000);
    expect((await problem).code).toBe("timeout");
    vi.useRealTimers();
  });
});
