import type { Memory } from "@heartrule/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { language } from "../src/i18n/language.js";
import { keep } from "../src/leaving/kept.js";
import "../src/space/memories.js";
import type { VisitorMemories } from "../src/space/memories.js";
import { created } from "./tokens.js";

const memory = (id: string, more: Partial<Memory> = {}): Memory => ({
  ...{ id, session: "s1", project: "cbt", layer: "long", kind: "profile", topic: "睡眠", message: 2 },
  ...{
    content: "睡眠：三点才睡",
    quote: "每天三点才睡着",
    at: "2026-11-22T08:00:00Z",
    old: false,
    by: "person",
    ...more,
  },
});
let view: VisitorMemories;
let on: boolean | null;
let kept: Memory[];
let sent: [string, unknown][];

beforeEach(() => {
  localStorage.clear();
  language.choose("zh-CN");
  keep(created("s1"));
  on = null;
  kept = [];
  sent = [];
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(String(input), location.href);
    const path = url.pathname.replace("/api/v1/persons/me", "");
    if (init.method !== "GET") sent.push([`${init.method} ${decodeURIComponent(path)}`, init.body]);
    if (path === "/remembering") {
      if (init.method === "PUT") on = JSON.parse(String(init.body)).on;
      return Response.json({ on, at: null });
    }
    if (init.method !== "GET") return new Response(null, { status: 204 });
    if (path === "/timeline") return Response.json({ events: kept, milestones: [], curves: [] });
    return Response.json({ memories: url.searchParams.get("q") ? kept.slice(0, 1) : kept });
  });
  view = document.createElement("visitor-memories") as VisitorMemories;
  document.body.append(view);
});

afterEach(() => {
  view.remove();
  vi.unstubAllGlobals();
});

const said = () => view.textContent?.replace(/\s+/g, " ") ?? "";
const press = (label: string) =>
  [...view.querySelectorAll("button")].find((each) => each.textContent?.trim() === label)?.click();

test("it is asked plainly, and nothing is listed until there is an answer", async () => {
  await vi.waitFor(() => expect(said()).toContain("以后的谈话，可以知道你以前谈过的吗？"));
  expect(said()).toContain("你还没有回答");
  expect(view.querySelector("ul")).toBeNull();
  kept = [memory("a")];
  press("可以");
  await vi.waitFor(() => expect(said()).toContain("睡眠：三点才睡"));
  expect(sent).toEqual([["PUT /remembering", '{"on":true}']]);
  expect(said()).toContain("你的原话：“每天三点才睡着”");
});

test("what is remembered can be put right and forgotten, in English as well", async () => {
  on = true;
  kept = [memory("s1~a"), memory("s1~b", { kind: "note", by: "ai", content: "a guess", quote: null })];
  language.choose("en");
  view.remove();
  document.body.append(view);
  await vi.waitFor(() => expect(said()).toContain("About you"));
  expect(said()).toContain("supposed, not said by you");
  press("Correct");
  await view.updateComplete;
  const text = view.querySelector("textarea") as HTMLTextAreaElement;
  text.value = "two in the morning";
  view.querySelector("li form")?.dispatchEvent(new SubmitEvent("submit", { cancelable: true, bubbles: true }));
  await vi.waitFor(() => expect(sent).toEqual([["PUT /memories/s1~a", '{"text":"two in the morning"}']]));
  await vi.waitFor(() => expect(said()).toContain("Corrected."));
  press("Forget");
  await view.updateComplete;
  (view.querySelector("li .sure button") as HTMLElement).click();
  await vi.waitFor(() => expect(sent.at(-1)?.[0]).toBe("DELETE /memories/s1~a"));
});

test("what is gone through after a yes comes to be listed without being asked for", async () => {
  await vi.waitFor(() => expect(said()).toContain("你还没有回答"));
  press("可以");
  await vi.waitFor(() => expect(said()).toContain("现在：可以"));
  expect(said()).not.toContain("三点才睡");
  kept = [memory("m1")];
  await vi.waitFor(() => expect(said()).toContain("睡眠：三点才睡"), { timeout: 4_000 });
});
