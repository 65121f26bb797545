import type { Consent, Remembered, Space } from "@heartrule/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { language } from "../src/i18n/language.js";
import { keep } from "../src/leaving/kept.js";
import "../src/space/space.js";
import type { VisitorSpace } from "../src/space/space.js";
import { created, session } from "./tokens.js";

const consent = (id: string, more: Partial<Consent> = {}): Consent => ({
  ...{ session: id, script: "cbt/abc_intro", notice: "2026-11-22", mode: "script", model: null, hosts: [] },
  ...{ at: "2026-11-22T08:00:00Z", withdrawn_at: null, open: false, ...more },
});
let view: VisitorSpace;
let space: Space;
let sent: string[];

beforeEach(() => {
  localStorage.clear();
  language.choose("zh-CN");
  keep(created("s1"));
  sent = [];
  space = {
    ...{ since: "2026-11-20T08:00:00Z", sessions: 2, known: [], remembered: [], forms: [], contact: true },
    consents: [
      consent("s0", { withdrawn_at: "2026-11-22T09:00:00Z" }),
      consent("s1", { open: true, mode: "model", model: "deepseek", hosts: ["api.example"] }),
    ],
  };
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const path = new URL(String(input), location.href).pathname.replace("/api/v1", "");
    if (init.method !== "GET") sent.push(`${init.method} ${path}`);
    if (init.method === "DELETE") return new Response(null, { status: 204 });
    if (path === "/persons/me/contact") return Response.json({ name: "阿青", email: "qing@example.org", known_as: "" });
    return Response.json(path === "/persons/me" ? space : { sessions: [session("s1")], next: null });
  });
  view = document.createElement("visitor-space") as VisitorSpace;
  document.body.append(view);
});

afterEach(() => {
  view.remove();
  vi.unstubAllGlobals();
});

const agreed = () => [...view.querySelectorAll("[aria-labelledby=consents] li")];
const told = (at: number) => agreed()[at]?.textContent?.replace(/\s+/g, " ").trim() ?? "";
const press = (at: number, label: string) =>
  [...(agreed()[at]?.querySelectorAll("button") ?? [])].find((each) => each.textContent?.trim() === label)?.click();
const shown = async () => await vi.waitFor(() => expect(agreed().length).toBeGreaterThan(1));

test("what was agreed to is shown, the latest first, with where words go and what can be taken back", async () => {
  await shown();
  expect(told(0)).toContain("阿青 · qing@example.org");
  expect(told(1)).toContain("须知版本 2026-11-22");
  expect(told(1)).toContain("deepseek（api.example）");
  expect(agreed().map((each) => each.querySelector("button") !== null)).toEqual([true, true, false]);
  expect(told(2)).toContain("收回");
  expect(view.querySelector('[aria-labelledby=sessions] a[href="#/summary/s1"]')).not.toBeNull();
});

test("it is taken back when that is meant, and not before", async () => {
  await shown();
  press(1, "收回");
  await vi.waitFor(() => expect(told(1)).toContain("收回同意？"));
  expect(sent).toEqual([]);
  press(1, "算了");
  await vi.waitFor(() => expect(told(1)).not.toContain("收回同意？"));
  press(1, "收回");
  await vi.waitFor(() => expect(told(1)).toContain("收回同意？"));
  space = { ...space, consents: space.consents.map((each) => ({ ...each, open: false })) };
  press(1, "收回");
  await vi.waitFor(() => expect(sent).toEqual(["DELETE /sessions/s1/consent"]));
  await vi.waitFor(() => expect(agreed()[1]?.querySelector("button")).toBeNull());
});

test("whom to tell is taken back", async () => {
  await shown();
  press(0, "收回");
  await vi.waitFor(() => expect(told(0)).toContain("不再告诉这个人，并且删除"));
  space = { ...space, contact: false };
  press(0, "收回");
  await vi.waitFor(() => expect(sent).toEqual(["DELETE /persons/me/contact"]));
  await vi.waitFor(() => expect(view.textContent).not.toContain("阿青"));
});

const item = (id: string, more: Partial<Remembered> = {}): Remembered => ({
  ...{ id, session: "s1", project: "cbt", kind: "answer", type: "long", topic: "近况", content: `心情：${id}` },
  ...{ quote: null, taken: [], at: "2026-11-22T08:00:00Z", ...more },
});
const recalled = () => [...view.querySelectorAll("[aria-labelledby=remembered] li")];

test("what is remembered is shown, the latest first, and each of it can be forgotten", async () => {
  await shown();
  expect(view.querySelector("[aria-labelledby=remembered]")?.textContent).toContain("没有。");
  view.remove();
  const taught = item("7", { kind: "explanation", type: "mid", content: "想法在中间", taken: ["asked", "understood"] });
  space = { ...space, remembered: [item("6", { quote: "大概六分" }), taught] };
  document.body.append(view);
  await vi.waitFor(() => expect(recalled()).toHaveLength(2));
  expect(recalled()[0]?.textContent).toMatch(/想法在中间[\s\S]*问过问题 · 听懂了 · 只在那次谈话里/);
  expect(recalled()[1]?.textContent).toMatch(/心情：6[\s\S]*你的原话：“大概六分”[\s\S]*以后的谈话里也有/);
  const forget = () => [...(recalled()[1]?.querySelectorAll("button") ?? [])][0]?.click();
  forget();
  await vi.waitFor(() => expect(recalled()[1]?.textContent).toContain("忘掉“心情：6”？"));
  expect(sent).toEqual([]);
  space = { ...space, remembered: [taught] };
  forget();
  await vi.waitFor(() => expect(sent).toEqual(["DELETE /persons/me/remembered/6"]));
  await vi.waitFor(() => expect(recalled()).toHaveLength(1));
});

test("of much that is remembered the older is folded", async () => {
  await shown();
  view.remove();
  space = { ...space, remembered: Array.from({ length: 7 }, (_, at) => item(`${at}`)) };
  document.body.append(view);
  await vi.waitFor(() => expect(recalled()).toHaveLength(7));
  expect(view.querySelectorAll("[aria-labelledby=remembered] details li")).toHaveLength(2);
});

test("where there are many, the older ones are folded", async () => {
  await shown();
  view.remove();
  space = { ...space, contact: false, consents: Array.from({ length: 5 }, (_, at) => consent(`s${at}`)) };
  document.body.append(view);
  await vi.waitFor(() => expect(view.querySelectorAll("[aria-labelledby=consents] details li")).toHaveLength(2));
  expect(agreed()).toHaveLength(5);
});
