import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { language } from "../src/i18n/language.js";
import { keep } from "../src/leaving/kept.js";
import type { SummaryPaper } from "../src/summary/paper.js";
import "../src/summary/summary.js";
import { place } from "../src/shell/about.js";
import type { VisitorSummary } from "../src/summary/summary.js";
import { created } from "./tokens.js";

const PAGE = `<!doctype html><html lang="zh-CN"><head><style>.report { color: red }</style></head>
<body><main class="report"><header><h1>一周小结</h1></header><p>说了近况</p></main></body></html>`;

let view: VisitorSummary;
let asked: string[];
let answers: Record<string, () => Response>;

beforeEach(() => {
  localStorage.clear();
  language.choose("zh-CN");
  // A browser would download; here it would leave the page.
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  keep(created("0190-ab"));
  asked = [];
  answers = {
    "/sessions/0190-ab/summary": () => new Response(PAGE, { headers: { "Content-Type": "text/html; charset=utf-8" } }),
    "/persons/me/summary": () => new Response(PAGE, { headers: { "Content-Type": "text/html" } }),
    "/about": () => Response.json({ version: "1", contacts: [], persistence: "device", pdf: true, exit_page: null }),
  };
  vi.stubGlobal("fetch", async (input: RequestInfo | URL) => {
    const url = new URL(String(input), location.href);
    const path = url.pathname.replace("/api/v1", "");
    asked.push(path + url.search.replace(/&?zone=[^&]+/, ""));
    const found = answers[path];
    if (!found) throw new TypeError("the server is away");
    return found();
  });
});

afterEach(() => {
  view.remove();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function open(session = "0190-ab"): Promise<void> {
  view = document.createElement("visitor-summary") as VisitorSummary;
  view.session = session;
  document.body.append(view);
  await place.ask();
  await vi.waitFor(() => expect(view.querySelector(".acts button")).not.toBeNull());
  if (paper()) await vi.waitFor(() => expect(paper()?.words).toContain("说了近况"));
}

const paper = () => view.querySelector<SummaryPaper>("summary-paper");
const line = () => view.querySelector("main > .line")?.textContent;
const press = async (label: string) => {
  const found = [...view.querySelectorAll("button")].find((button) => button.textContent?.trim() === label);
  expect(found, label).toBeDefined();
  found?.click();
};
const said = async (text: string) => await vi.waitFor(() => expect(line()).toBe(text));

test("the server's page is shown in its own look, and none of it is markup of ours", async () => {
  await open();
  expect(asked).toContain("/sessions/0190-ab/summary?format=html");
  expect(paper()?.shadowRoot?.querySelector("h1")?.textContent).toBe("一周小结");
  expect(paper()?.shadowRoot?.adoptedStyleSheets).toHaveLength(1);
  expect(paper()?.shadowRoot?.querySelector("main")).toBeNull();
  expect(view.querySelectorAll("h1")).toHaveLength(1);
});

test("all of a person's is asked for with the person's token, in the page's language", async () => {
  language.choose("en");
  await open("");
  expect(asked).toContain("/persons/me/summary?format=html&locale=en");
  expect(view.querySelector("h1")?.textContent).toBe("My record");
});

test("it is saved as it was shown, without asking again; as a PDF the server is asked", async () => {
  const made: string[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => `blob:${made.push((blob as Blob).type)}`);
  await open();
  const before = asked.length;
  await press("存成网页文件");
  expect(asked).toHaveLength(before);
  await said("已经开始下载。");
  answers["/sessions/0190-ab/summary"] = () => new Response("%PDF", { headers: { "Content-Type": "application/pdf" } });
  await press("存成 PDF");
  await vi.waitFor(() => expect(made).toHaveLength(2));
  expect(made).toEqual(["text/html; charset=utf-8", "application/pdf"]);
});

test.each([
  ["zh-CN", "这里的服务器做不了 PDF 文件", "存成 PDF"],
  ["en", "This server cannot make a PDF file", "Save as PDF"],
] as const)("where no PDF can be made that is said in the place of its button: %s", async (locale, words, label) => {
  language.choose(locale);
  const about = await place.ask();
  const has = vi.spyOn(place, "now", "get").mockReturnValue({ ...about, pdf: false });
  const labels = () => [...view.querySelectorAll("button")].map((each) => each.textContent?.trim());
  await open();
  expect(view.textContent).toContain(words);
  expect(labels()).not.toContain(label);
  view.remove();
  has.mockReturnValue({ ...about, pdf: true });
  await open();
  expect(view.textContent).not.toContain(words);
  expect(labels()).toContain(label);
});

test("what stands in the way of a PDF is said in the server's words", async () => {
  await open();
  answers["/sessions/0190-ab/summary"] = () =>
    new Response(JSON.stringify({ title: "没有字体", code: "no-font", status: 501 }), {
      status: 501,
      headers: { "Content-Type": "application/problem+json" },
    });
  await press("存成 PDF");
  await said("没有字体");
  answers["/sessions/0190-ab/summary"] = () => new Response("", { status: 500 });
  await press("存成 PDF");
  await said("没有成功，过一会儿再试。");
});

test("copied, or said that it could not be", async () => {
  const written = vi.fn(async (_: string) => {});
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: written } });
  await open();
  await press("复制文字");
  expect(written.mock.calls[0]?.[0]).toContain("说了近况");
  await said("复制好了。");
  written.mockRejectedValueOnce(new Error("no"));
  await press("复制文字");
  await said("没能复制，可以自己选中再复制。");
});

test("after erasure there is none, and without a connection it can be tried again", async () => {
  delete answers["/sessions/0190-ab/summary"];
  await open();
  expect(view.querySelector("h1")?.textContent).toBe("小结暂时拿不到。");
  answers["/sessions/0190-ab/summary"] = () =>
    new Response(JSON.stringify({ title: "", code: "not-found", status: 404 }), {
      status: 404,
      headers: { "Content-Type": "application/problem+json" },
    });
  await press("再试一次");
  await vi.waitFor(() => expect(view.querySelector("h1")?.textContent).toBe("这里找不到这场谈话。"));
});
