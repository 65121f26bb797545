// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "../src/chat/index.js";
import type { HeartForm } from "../src/chat/form/heart-form.js";
import type { HeartChat } from "../src/chat/heart-chat.js";
import { textsOf } from "../src/chat/texts/index.js";
import { Client } from "../src/client.js";
import { askedOf, fillingOf, isAnswered, shownOf, unfilled } from "../src/filling.js";
import { MemoryStorage, type Storage } from "../src/storage.js";
import { FakeServer, FORM } from "./fake-server.js";
import { pass } from "./holding.js";

let server: FakeServer;
let chat: HeartChat;
let storage: Storage;

beforeEach(async () => {
  vi.useFakeTimers({
    now: new Date("2026-03-01T10:00:00"),
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
  });
  sessionStorage.clear();
  server = new FakeServer();
  storage = new MemoryStorage();
  chat = await open();
  chat.conversation?.send("给我表");
  await pass(500);
});

afterEach(() => {
  chat.remove();
  vi.useRealTimers();
});

async function open(): Promise<HeartChat> {
  const made = document.createElement("heart-chat");
  made.locale = "zh-CN";
  made.conversation = new Client({ base: "http://server", storage, fetch: server.fetch }).conversation("s", "token");
  document.body.append(made);
  await pass(500);
  return made;
}

const form = () => chat.shadowRoot?.querySelector<HeartForm>("heart-form") ?? null;
const all = (selector: string) => [...(form()?.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])];
const text = (selector: string) => all(selector).map((node) => node.textContent?.replace(/\s+/g, " ").trim());
const press = async (label: string) => {
  all("button")
    .find((button) => button.textContent?.trim() === label)
    ?.click();
  await pass(1);
};
const pick = async (id: string, at: number) => {
  const radio = all(`#f-${id} input`)[at] as HTMLInputElement;
  radio.checked = !(radio.type === "checkbox" && radio.checked);
  radio.dispatchEvent(new Event("change", { bubbles: true }));
  await pass(1);
};
const write = async (id: string, value: string, done = true) => {
  const field = all(`#f-${id}`)[0] as HTMLInputElement;
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  if (done) field.dispatchEvent(new Event("change", { bubbles: true }));
  await pass(1);
};
const sent = () =>
  server.bodies.flatMap(({ input }) => (input.form ? [[input.type.slice(5), input.form.values] as const] : []));

test("many questions are asked one by one, below the notes that belong to them", async () => {
  expect(text("h2")).toEqual(["心情表"]);
  expect(text(".note")).toEqual(["照实填"]);
  expect(text("legend")).toEqual(["提不起劲"]);
  expect(text("[role=status]")).toContain("第 1 题，最多 6 题");
  expect(chat.shadowRoot?.textContent).toContain("下面有一张表要填：心情表");
});

test("how many questions there are does not move when an answer brings another", async () => {
  const standing = () => text("[role=status]").find((each) => each.startsWith("第"));
  expect(standing()).toBe("第 1 题，最多 6 题");
  await pick("q1", 1);
  await pass(500);
  expect(standing()).toBe("第 1 题，共 6 题");
});

test("an answer is kept at once, without a word and without anybody thinking", async () => {
  await pick("q1", 1);
  expect(chat.conversation?.state.status).toBe("ready");
  await pass(500);
  expect(sent()).toEqual([["draft", { q1: 1 }]]);
  expect(chat.conversation?.state.request.form?.values).toEqual({ q1: 1 });
  await press("下一题");
  expect(text("legend")).toEqual(["睡不好"]);
  await press("上一题");
  expect((all("#f-q1 input")[1] as HTMLInputElement).checked).toBe(true);
});

test("what is required is not passed over, and what the answers leave out is not asked", async () => {
  await press("下一题");
  expect(text("legend")).toEqual(["提不起劲"]);
  expect(text(".wrong")[0]).toContain("这一题需要填");
  expect(all("fieldset")[0]?.getAttribute("aria-describedby")).toBe("e-q1");
  await pick("q1", 0);
  expect(text(".wrong")).toEqual([]);
  await press("下一题");
  await pick("q2", 0);
  await press("下一题");
  expect(text("label").join()).toContain("今天");
  await press("上一题");
  await press("上一题");
  await pick("q1", 1);
  await pass(500);
  await press("下一题");
  await press("下一题");
  expect(text("label")[0]).toContain("从哪天起");
});

test("all at once: handed in too early it says where, takes one there, and keeps everything", async () => {
  await press("一次看全部");
  await pick("q2", 1);
  await press("交表");
  await pass(500);
  expect(text("h3")).toEqual(["有 1 处要再看一下，填过的都还在"]);
  expect(form()?.shadowRoot?.activeElement?.id).toBe("errors");
  await press("提不起劲");
  expect(form()?.shadowRoot?.activeElement?.id).toBe("f-q1");
  await pick("q1", 0);
  await pass(500);
  expect(text("h3")).toEqual([]);
  await press("交表");
  await pass(500);
  expect(form()).toBeNull();
  expect(server.results).toEqual([{ q1: 0, q2: 1 }]);
});

test("every kind of field says what it is told", async () => {
  await press("一次看全部");
  await pick("what", 0);
  await pick("what", 1);
  await pick("what", 0);
  await write("how", "7");
  await write("note", "还行");
  await pass(2000);
  expect(Object.assign({}, ...sent().map(([, values]) => values))).toEqual({ what: [1], how: 7, note: "还行" });
  await write("note", "");
  await pass(500);
  expect(sent().at(-1)).toEqual(["draft", { note: null }]);
  expect(all("#f-note")[0]?.getAttribute("aria-describedby")).toBe("h-note");
  expect(text("output")).toEqual(["7"]);
});

test("what is being written is kept after a while, and when the page is left", async () => {
  await press("一次看全部");
  await write("note", "写到一", false);
  expect(sent()).toEqual([]);
  await pass(2000);
  expect(sent()).toEqual([["draft", { note: "写到一" }]]);
  await write("note", "写到一半", false);
  dispatchEvent(new Event("pagehide"));
  await pass(500);
  expect(sent().at(-1)).toEqual(["draft", { note: "写到一半" }]);
});

test("two presses hand it in once, and nothing is answered meanwhile", async () => {
  await press("一次看全部");
  await pick("q1", 0);
  await pick("q2", 0);
  await press("交表");
  await press("正在交……");
  await pick("q1", 1);
  await press("先不填这张表");
  await pass(800);
  expect(sent().filter(([kind]) => kind !== "draft")).toHaveLength(1);
  expect(server.results).toEqual([{ q1: 0, q2: 0 }]);
});

test("it can be put away at any moment", async () => {
  await pick("q1", 1);
  await press("先不填这张表");
  await pass(500);
  expect(form()).toBeNull();
  expect(sent().at(-1)?.[0]).toBe("cancel");
});

test("answers outlive a network that is gone and a page that is closed", async () => {
  server.down = true;
  await pick("q1", 1);
  await pass(3000);
  expect(text(".foot [role=status]")[0]).toContain("暂时没存上");
  chat.remove();
  chat.conversation?.leave();
  server.down = false;
  chat = await open();
  await pass(3000);
  expect(server.request.form?.values).toEqual({ q1: 1 });
  expect((all("#f-q2 input")[0] as HTMLInputElement).checked).toBe(false);
  expect(text("legend")).toEqual(["睡不好"]);
});

test("another showing begins with nothing of the last one", async () => {
  await pick("q1", 1);
  await pass(500);
  server.request = { type: "form", choices: [], form: { ...FORM, key: "f2" } };
  chat.conversation?.fill({ q2: 0 });
  await pass(500);
  expect(chat.conversation?.state.request.form?.key).toBe("f2");
  expect(text("legend")).toEqual(["提不起劲"]);
  expect((all("#f-q1 input")[1] as HTMLInputElement).checked).toBe(false);
});

test("a yes or no, a mood, a number and a date are asked as such", async () => {
  const kinds = ["boolean", "mood", "integer", "date", "time", "datetime", "text", "longtext", "slider"] as const;
  const plain = { label: "x", help: "", prefix: "", unit: "分", ends: [], options: [], required: true };
  const fields = kinds.map((type) => ({ ...plain, id: type, type }));
  const made = document.createElement("heart-form");
  made.texts = textsOf("en").texts;
  made.form = { ...FORM, fields, hidden: [] };
  made.filling = unfilled;
  document.body.append(made);
  await made.updateComplete;
  made.shadowRoot?.querySelector<HTMLElement>(".low button")?.click();
  await made.updateComplete;
  const labels = [...(made.shadowRoot?.querySelectorAll("fieldset label") ?? [])].map((node) =>
    node.textContent?.trim(),
  );
  expect(labels).toEqual(["Yes", "No", "1 very low", "2", "3", "4", "5 very good"]);
  const inputs = [...(made.shadowRoot?.querySelectorAll<HTMLInputElement>(".field input, .field textarea") ?? [])];
  expect(inputs.map(({ type }) => type)).toEqual([
    ...["text", "date", "time", "datetime-local", "text", "textarea", "range"],
  ]);
  expect(inputs[0]?.inputMode).toBe("numeric");
  expect(inputs.at(-1)?.getAttribute("aria-valuetext")).toBe("not chosen yet");
  made.remove();
});

test("what is on its way counts over what the server knows, and only for its form", () => {
  const entry = (type: "form_draft" | "form_submit", key: string, values: object) =>
    ({ key: "k", input: { type, form: { key, values } }, after: null, at: 0, n: 0, owner: "o" }) as never;
  const drafts = [entry("form_draft", "f1", { q1: 1, q2: 0 }), entry("form_draft", "f1", { q1: null })];
  expect(fillingOf(FORM, drafts)).toMatchObject({ pending: { q1: null, q2: 0 }, closing: null });
  expect(fillingOf(FORM, [entry("form_submit", "f1", {})]).closing).toBe("submit");
  expect(fillingOf(FORM, [entry("form_submit", "f2", {})])).toEqual(unfilled);
  expect(fillingOf(null, drafts)).toEqual(unfilled);
  expect(shownOf(FORM)).toHaveLength(6);
  expect(askedOf(FORM)).toHaveLength(5);
  expect([0, false, "a", [1], null, undefined, "", []].map((value) => isAnswered(value as never))).toEqual([
    ...[true, true, true, true, false, false, false, false],
  ]);
});

const LONG = "长".repeat(20_001);

test("an answer that the server will not have is told of where it stands, and stays", async () => {
  await press("一次看全部");
  await write("note", LONG);
  await pass(500);
  expect(text("h3")).toEqual(["还没有存上；填的都还在"]);
  expect(text(".wrong")).toEqual(["太长了：最多 20000 个字。请写短一些，写的都还在。"]);
  expect((all("#f-note")[0] as HTMLTextAreaElement).value).toBe(LONG);
  expect(text(".foot [role=status]")).toEqual(["还没有存上；填的都还在"]);
  await pick("q1", 1);
  await pass(500);
  expect(server.request.form?.values).toEqual({ q1: 1 });
  expect(text("h3")).toHaveLength(1);
  await write("note", "短一些");
  await pass(500);
  expect(text("h3")).toEqual([]);
  expect(server.request.form?.values).toEqual({ q1: 1, note: "短一些" });
  expect(storage.keys("heartrule.outbox.")).toEqual([]);
});

test("handed in and refused, nothing is lost, the keyboard is taken there, and it can be handed in again", async () => {
  await press("一次看全部");
  await pick("q1", 0);
  await pick("q2", 0);
  await write("note", LONG, false);
  await press("交表");
  await pass(500);
  expect(server.results).toEqual([]);
  expect(text("button.main")).toEqual(["交表"]);
  expect(form()?.shadowRoot?.activeElement?.id).toBe("errors");
  expect((all("#f-note")[0] as HTMLTextAreaElement).value).toBe(LONG);
  await press("想说的");
  expect(form()?.shadowRoot?.activeElement?.id).toBe("f-note");
  await write("note", "短一些", false);
  await press("交表");
  await pass(500);
  expect(server.results).toEqual([{ q1: 0, q2: 0, note: "短一些" }]);
  expect(storage.keys("heartrule.outbox.")).toEqual([]);
});

test("what is refused for another reason says it in the server's words, also after the page was loaded again", async () => {
  await press("一次看全部");
  server.largest = 200;
  await write("note", "写".repeat(150));
  await pass(500);
  expect(text("#errors p")).toEqual(["没有送到: body-too-large"]);
  chat.remove();
  chat.conversation?.leave();
  chat = await open();
  await pass(500);
  expect(text("#errors p")).toEqual(["没有送到: body-too-large"]);
  await press("一次看全部");
  expect((all("#f-note")[0] as HTMLTextAreaElement).value).toBe("写".repeat(150));
});

test("put away, what was chosen is told and what was refused is dropped", async () => {
  await press("一次看全部");
  server.largest = 260;
  chat.conversation?.fill({ q1: 1, note: "写".repeat(150) });
  await pass(500);
  server.largest = 1000;
  await press("先不填这张表");
  await pass(500);
  expect(form()).toBeNull();
  expect(sent().at(-1)).toEqual(["cancel", { q1: 1 }]);
  expect(storage.keys("heartrule.outbox.")).toEqual([]);
});
