import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { language } from "../src/i18n/language.js";
import { HeartRule } from "../src/shell/app.js";
import { IN_A_MONTH, session, token } from "./tokens.js";

let page: HeartRule;

// happy-dom tells of a changed hash also when the address is only written over, which browsers do not.
const replace = history.replaceState.bind(history);
let untold = 0;
history.replaceState = (...given) => {
  const before = location.hash;
  replace(...given);
  if (location.hash !== before) untold += 1;
};
addEventListener("hashchange", (event) => {
  if (untold > 0) event.stopImmediatePropagation();
  untold = Math.max(0, untold - 1);
});

const answer = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": status < 400 ? "application/json" : "application/problem+json" },
  });

/** The page at an address, with a server that answers as told and is away for everything else. */
async function open(hash: string, answers: Record<string, () => Response> = {}): Promise<void> {
  vi.stubGlobal("fetch", async (input: RequestInfo | URL) => {
    const path = new URL(input instanceof Request ? input.url : String(input), location.href).pathname;
    const found = answers[path.replace("/api/v1", "")];
    if (!found) throw new TypeError("the server is away");
    return found();
  });
  history.replaceState(null, "", hash);
  page = new HeartRule();
  document.body.append(page);
  await settled();
}

async function settled(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await new Promise((resume) => setTimeout(resume));
}

const numbers = () =>
  [...page.querySelectorAll("help-sheet > .sheet > .contacts .number")].map((one) => one.textContent);

beforeEach(() => {
  localStorage.clear();
  language.choose("zh-CN");
});

afterEach(() => {
  page.remove();
  vi.unstubAllGlobals();
});

test.each(["#/", "#/what", "#/begin/cbt/abc_intro", "#/session/none", "#/read/none", "#/back/broken", "#/no/where"])(
  "help can be opened at %s, without a server, and is the first thing in the page",
  async (hash) => {
    await open(hash);
    const button = page.querySelector<HTMLElement>("button");
    expect(button?.className).toBe("help-button");
    button?.click();
    await settled();
    expect(numbers()).toEqual(["120", "110", "12356"]);
    expect(page.querySelector(".view")?.hasAttribute("inert")).toBe(true);
    expect(page.querySelector(".view h1")).not.toBeNull();
  },
);

test("a link's token leaves the address at once, and the session is kept", async () => {
  const link = token("0190-ab", IN_A_MONTH);
  await open(`#/back/${link}`, { "/sessions/0190-ab": () => answer(session("0190-ab")) });
  expect(location.href).not.toContain(link);
  expect(localStorage.getItem("heartrule.visitor.session.0190-ab")).toContain(link);
});

test("a link that cannot be tried now is not called broken, and is not in the address", async () => {
  const link = token("0190-ab", IN_A_MONTH);
  await open(`#/back/${link}`);
  await vi.waitFor(() => expect(page.querySelector("h1")?.textContent).toBe(language.words.returning.failed));
  expect(location.href).not.toContain(link);
});

test("a link that the server refuses is called so", async () => {
  const refused = () => answer({ type: "about:blank", title: "", status: 401, code: "token-expired" }, 401);
  await open(`#/back/${token("0190-ab", IN_A_MONTH)}`, { "/sessions/0190-ab": refused });
  await vi.waitFor(() => expect(page.querySelector("h1")?.textContent).toBe(language.words.returning.title));
});

test("the document follows the language", async () => {
  await open("#/what");
  expect([document.documentElement.lang, document.title]).toEqual(["zh-CN", "这是什么 · HeartRule"]);
  language.choose("en");
  await settled();
  expect([document.documentElement.lang, document.title]).toEqual(["en", "What this is · HeartRule"]);
});

test("whoever has not read the notice on this device reads it before the session", async () => {
  const link = token("0190-ab", IN_A_MONTH);
  await open(`#/back/${link}`, { "/sessions/0190-ab": () => answer(session("0190-ab")) });
  await vi.waitFor(() => expect(page.querySelector("visitor-notice h1")).not.toBeNull());
  expect(page.querySelector("heart-chat")).toBeNull();
});

test("another address of another script brings its own name, and whom it is for", async () => {
  const known = (id: string, name: string) => ({
    ...{ id, name, goal: "", audience: `${name}的人`, project: "" },
    ...{ duration: null, locale: "zh-CN" },
  });
  await open("#/begin/cbt/a", { "/scripts": () => answer([known("cbt/a", "甲"), known("cbt/b", "乙")]) });
  await vi.waitFor(() => expect(page.querySelector(".notice .under")?.textContent).toBe("甲"));
  location.hash = "#/begin/cbt/b";
  await vi.waitFor(() => expect(page.querySelector(".notice .under")?.textContent).toBe("乙"));
  expect(page.querySelector(".notice .for")?.textContent).toBe("适合： 乙的人");
});
