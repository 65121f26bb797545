// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import "../src/chat/index.js";
import type { HeartWidget } from "../src/chat/index.js";
import { NOTICE } from "../src/chat/notice.js";
import { freed } from "../src/chat/sizing.js";
import { FakeServer } from "./fake-server.js";
import { pass } from "./holding.js";

let server: FakeServer;
let made: unknown[];
let agreed: unknown[];
let refusal: Response | null;
let heard: string[];

beforeEach(() => {
  vi.useFakeTimers({
    now: new Date("2026-03-01T10:00:00"),
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
  });
  sessionStorage.clear();
  localStorage.clear();
  server = new FakeServer();
  made = [];
  agreed = [];
  heard = [];
  refusal = null;
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    if (init.method !== "POST" || !url.endsWith("/api/v1/sessions")) return await server.fetch(url, init);
    const { notice, ...wanted } = JSON.parse(String(init.body));
    agreed.push(notice);
    made.push({ ...wanted, as: new Headers(init.headers).get("Authorization") });
    if (refusal) return refusal.clone();
    return Response.json({ session: server.session(), token: server.token, person_token: null }, { status: 201 });
  });
});

afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function widget(attributes: Record<string, string>, more: Partial<HeartWidget> = {}): Promise<HeartWidget> {
  const chat = document.createElement("heart-chat");
  for (const [name, value] of Object.entries({ base: "http://server", locale: "en", agreed: NOTICE, ...attributes })) {
    chat.setAttribute(name, value);
  }
  Object.assign(chat, more);
  for (const name of ["ready", "open", "close", "started", "message", "sent", "unread", "ended", "error"] as const) {
    chat.on(name, (detail) => heard.push(name === "unread" ? `unread ${(detail as { count: number }).count}` : name));
  }
  document.body.append(chat);
  await pass(600);
  return chat;
}

const within = (chat: HeartWidget, selector: string) => chat.shadowRoot?.querySelector<HTMLElement>(selector) ?? null;
const said = (chat: HeartWidget) =>
  [...(chat.shadowRoot?.querySelectorAll(".log .words") ?? [])].map((node) => node.textContent?.trim());

describe("what somebody must know before", () => {
  test("stands there first, and nothing is made until they have agreed", async () => {
    const chat = await widget({ script: "cbt/x", agreed: "" });
    expect(made).toEqual([]);
    expect(within(chat, ".notice")?.textContent).toContain("Who may read and take over");
    within(chat, ".agree")?.click();
    await pass(600);
    expect(agreed).toEqual([NOTICE]);
    expect(within(chat, ".notice")).toBeNull();
    expect(said(chat).length).toBeGreaterThan(0);
  });

  test("says whom the script is for, in the language that it says it in", async () => {
    const { fetch } = globalThis;
    const script = (id: string, locale: string, translation_of = "") => ({
      id,
      locale,
      audience: `for ${id}`,
      translation_of,
    });
    const scripts = [script("cbt/other", "en"), script("cbt/x", "zh-CN"), script("cbt/x_en", "en-GB", "cbt/x")];
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) =>
      url.endsWith("/scripts") ? Response.json(scripts) : await fetch(url, init),
    );
    const chat = await widget({ script: "cbt/x", agreed: "" });
    expect(within(chat, ".audience")?.textContent).toBe("Meant for: for cbt/x_en");
    expect(within(chat, ".audience span")?.lang).toBe("en-GB");
    expect(made).toEqual([]);
    chat.locale = "zh-CN";
    await chat.updateComplete;
    expect(within(chat, ".audience")?.textContent).toBe("适合： for cbt/x");
    chat.script = "cbt/silent";
    await pass(600);
    expect(within(chat, ".audience")).toBeNull();
  });

  test("is not asked again where the session was begun", async () => {
    const first = await widget({ script: "cbt/x" });
    first.remove();
    const chat = await widget({ script: "cbt/x", agreed: "" });
    expect(within(chat, ".notice")).toBeNull();
    expect(made).toHaveLength(1);
  });
});

describe("its menu", () => {
  const items = (chat: HeartWidget) => [...(chat.shadowRoot?.querySelectorAll<HTMLElement>(".menu button") ?? [])];

  test("asks twice before it erases, and begins with the notice again", async () => {
    const removed: string[] = [];
    const chat = await widget({ script: "cbt/x" });
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      if (init.method !== "DELETE") return await fetch(url, init);
      removed.push(url);
      return new Response(null, { status: 204 });
    });
    within(chat, ".menu-bar button")?.click();
    await chat.updateComplete;
    items(chat).at(-1)?.click();
    await chat.updateComplete;
    expect(removed).toEqual([]);
    items(chat).at(-1)?.click();
    await pass(600);
    expect(removed).toHaveLength(1);
    expect(within(chat, ".notice")).not.toBeNull();
  });

  test("leaves at once, unless the page knows better where to", async () => {
    const replaced = vi.spyOn(location, "replace").mockImplementation(() => {});
    const chat = await widget({ script: "cbt/x" });
    const mine = (event: Event) => event.preventDefault();
    chat.addEventListener("heartrule-exit", mine);
    within(chat, ".menu-bar .exit")?.click();
    expect(replaced).not.toHaveBeenCalled();
    chat.removeEventListener("heartrule-exit", mine);
    within(chat, ".menu-bar .exit")?.click();
    expect(replaced).toHaveBeenCalledOnce();
    expect(document.body.childElementCount).toBe(0);
  });
});

describe("a session of its own", () => {
  test("is made of the script with its variables, begun, and found again", async () => {
    const first = await widget({ script: "cbt/x", variables: '{"name": "Lin"}' });
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(made).toEqual([{ script: "cbt/x", variables: { name: "Lin" }, locale: "en", zone, as: null }]);
    expect(said(first)).toEqual(["start"]);
    expect(heard).toEqual(["started", "ready", "message"]);
    first.remove();
    expect(said(await widget({ script: "cbt/x" }))).toEqual(["start"]);
    expect(made).toHaveLength(1);
  });

  test("is not found again where nothing is to be kept", async () => {
    (await widget({ script: "cbt/x", persistence: "none" })).remove();
    await widget({ script: "cbt/x", persistence: "none" });
    expect(made).toHaveLength(2);
    expect([sessionStorage.length, localStorage.length]).toEqual([0, 0]);
  });

  test("of two widgets is not the same", async () => {
    await widget({ script: "cbt/x", id: "one" });
    await widget({ script: "cbt/x", id: "two" });
    expect(made).toHaveLength(2);
  });

  test("is tried for again until it is there, and what was said meanwhile is said then", async () => {
    refusal = Response.json({ code: "stopping", title: "stopping" }, { status: 503 });
    const chat = await widget({ script: "cbt/x" });
    chat.send("hello");
    expect(within(chat, ".foot [role=status]")?.textContent).toContain("No connection");
    refusal = null;
    within(chat, ".foot .row button")?.click();
    await pass(1500);
    expect(said(chat)).toContain("hello");
  });

  test("that the server will not have says so", async () => {
    refusal = Response.json({ code: "not-found", title: "no such script" }, { status: 404 });
    await widget({ script: "cbt/none" });
    expect(heard).toEqual(["error"]);
    await pass(60_000);
    expect(made).toHaveLength(1);
  });

  test("that has been deleted is made anew", async () => {
    sessionStorage.setItem("heartrule.widget.http%3A%2F%2Fserver.cbt%2Fx.", '{"session": "gone", "token": "token"}');
    vi.stubGlobal(
      "fetch",
      over(async (url) => url.includes("/sessions/gone") && problem(404, "not-found")),
    );
    const chat = await widget({ script: "cbt/x" });
    await pass(600);
    expect(made).toHaveLength(1);
    expect(said(chat)).toEqual(["start"]);
  });

  test("that is over can be followed by another", async () => {
    const chat = await widget({ script: "cbt/x" });
    chat.end();
    await pass(600);
    expect(heard).toContain("ended");
    server.status = "created";
    within(chat, ".foot .row button")?.click();
    await pass(600);
    expect(made).toHaveLength(2);
  });
});

describe("a bubble", () => {
  test("begins nothing before it is opened", async () => {
    const chat = await widget({ script: "cbt/x", mode: "bubble" });
    expect([made.length, within(chat, "heart-composer")]).toEqual([0, null]);
    within(chat, ".launcher")?.click();
    await pass(600);
    expect(said(chat)).toEqual(["start"]);
    expect(within(chat, ".launcher")).toBeNull();
    expect(within(chat, "dialog")?.getAttribute("aria-label")).toBe("Conversation");
  });

  test("counts what comes while it is closed, and stays as it was over a reload", async () => {
    const chat = await widget({ script: "cbt/x", mode: "bubble" });
    chat.toggle();
    await pass(600);
    chat.toggle();
    server.speak("are you there?");
    await pass(600);
    expect(chat.unreadCount).toBe(1);
    expect(within(chat, ".launcher")?.getAttribute("aria-label")).toBe("Conversation: Unread: 1");
    chat.remove();
    const again = await widget({ script: "cbt/x", mode: "bubble" });
    expect(again.unreadCount).toBe(1);
    again.open();
    await pass(600);
    expect(again.unreadCount).toBe(0);
    again.remove();
    expect((await widget({ script: "cbt/x", mode: "bubble" })).opened).toBe(true);
    expect(heard.filter((name) => name.startsWith("unread"))).toEqual(["unread 1", "unread 1", "unread 0"]);
  });

  test("closes by Escape, unless that was for something in it", async () => {
    const chat = await widget({ script: "cbt/x", mode: "bubble" });
    chat.open();
    await pass(600);
    const press = (more: KeyboardEventInit = {}, taken = false) => {
      const event = new KeyboardEvent("keydown", {
        key: "Escape",
        bubbles: true,
        composed: true,
        cancelable: true,
        ...more,
      });
      if (taken) event.preventDefault();
      within(chat, "heart-composer")?.dispatchEvent(event);
    };
    press({}, true);
    press({ isComposing: true });
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    expect(chat.opened).toBe(true);
    press();
    expect(chat.opened).toBe(false);
    expect(heard).toContain("close");
  });
});

describe("who the person is", () => {
  const token = (seconds: number) => `x.${btoa(JSON.stringify({ exp: Date.now() / 1000 + seconds }))}.y`;

  test("is said on each request, in place of the session's own token", async () => {
    server.token = token(3600);
    await widget({ script: "cbt/x", identity: server.token });
    expect(made).toMatchObject([{ as: `Bearer ${server.token}` }]);
    expect(heard).toEqual(["started", "ready", "message"]);
  });

  test("is asked for once at a time, again when it runs out and when it is refused", async () => {
    const asked = vi.fn(async () => server.token);
    server.token = token(60);
    const chat = await widget({ script: "cbt/x" }, { getToken: asked });
    expect(asked).toHaveBeenCalledTimes(1);
    server.token = token(120);
    await pass(31_000);
    chat.send("later");
    await pass(600);
    expect(said(chat)).toContain("later");
    expect(asked).toHaveBeenCalledTimes(2);
    server.token = "another secret";
    chat.send("much later");
    await pass(600);
    expect(said(chat)).toContain("much later");
    expect(asked).toHaveBeenCalledTimes(3);
  });

  test("that cannot be got for the moment is asked for again; nobody is nobody", async () => {
    let fails = true;
    server.token = token(3600);
    const chat = await widget(
      { script: "cbt/x" },
      { getToken: () => (fails ? Promise.reject(new Error()) : server.token) },
    );
    expect(made).toEqual([]);
    fails = false;
    await pass(5_000);
    expect(said(chat)).toEqual(["start"]);
    refusal = problem(401, "unauthorized");
    const other = await widget({ script: "cbt/y" }, { getToken: () => null });
    expect(made.at(-1)).toMatchObject({ as: null });
    expect(within(other, ".foot [role=status]")?.textContent).toContain("expired");
  });
});

test("sizes do not hang on the page's root, save in queries", () => {
  expect(freed("a { b: -0.5rem 1rem } @media (max-height: 28rem) { c { d: .5rem } }")).toBe(
    "a { b: calc(-0.5 * var(--heart-rem)) calc(1 * var(--heart-rem)) } @media (max-height: 28rem) { c { d: calc(.5 * var(--heart-rem)) } }",
  );
});

function problem(status: number, code: string): Response {
  return Response.json({ code, title: code }, { status });
}

/** The fetch that there is, with `first` asked before it. */
function over(first: (url: string) => Promise<Response | false>): typeof fetch {
  const rest = globalThis.fetch;
  return async (url, init) => (await first(String(url))) || (await rest(url, init));
}
