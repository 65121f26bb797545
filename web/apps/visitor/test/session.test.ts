import { type Conversation, type ConversationState, type Entry, Problem } from "@heartrule/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { language } from "../src/i18n/language.js";
import { keep, kept } from "../src/leaving/kept.js";
import { VisitorSession } from "../src/session/session.js";
import { server } from "../src/shell/server.js";
import { created, session } from "./tokens.js";

const nothing: ConversationState = {
  session: null,
  messages: [],
  growing: [],
  more: false,
  request: { type: "none", choices: [] },
  progress: { phases: [], milestones: [] },
  position: null,
  status: "loading",
  reply: "none",
  outbox: [],
  inCrisis: false,
  human: null,
  quiet: false,
  typing: false,
  problem: null,
  filling: { pending: {}, closing: null, refused: null },
};

/** The page of a session, at whatever state it is told of. */
class Told {
  state: ConversationState = nothing;
  readonly calls: string[] = [];
  readonly id = "one";
  readonly client = server();
  private readonly listeners = new Set<(state: ConversationState) => void>();

  async tell(more: Partial<ConversationState>): Promise<void> {
    this.state = { ...this.state, ...more };
    for (const listener of this.listeners) listener(this.state);
    await settled();
  }

  subscribe(listener: (state: ConversationState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  pause = () => new Promise<void>((resolve) => this.calls.push("pause") && this.over.then(resolve));
  finish = () => {};
  private readonly over = new Promise<void>((resolve) => {
    this.finish = resolve;
  });
  open(): void {}
  leave(): void {}
  start(): void {}
  discard(): null {
    return null;
  }
}

let page: VisitorSession;
let told: Told;

const settled = async () => {
  for (let n = 0; n < 5; n += 1) await new Promise((resume) => setTimeout(resume));
};
const words = () => language.words;
const numbers = (within: string) =>
  [...page.querySelectorAll<HTMLAnchorElement>(`${within} .contact-line a`)].map(({ href }) => href);
const press = async (label: string) => {
  const found = [...page.querySelectorAll<HTMLElement>("button")].find((one) => one.textContent?.trim() === label);
  if (!found) throw new Error(`there is no ${label}`);
  found.click();
  await settled();
};

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  language.choose("zh-CN");
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("the server is away");
  });
  told = new Told();
  vi.spyOn(server(), "conversation").mockReturnValue(told as unknown as Conversation);
  keep(created("one"));
  page = new VisitorSession();
  page.session = "one";
  document.body.append(page);
  await told.tell({ status: "ready", session: session("one"), request: { type: "message", choices: [] } });
});

afterEach(() => {
  page.remove();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("whoever ends in a crisis is told whom to call, before and after; others are not", async () => {
  await press(words().menu.end);
  expect(numbers("end-sheet")).toEqual([]);
  await told.tell({ inCrisis: true });
  expect(numbers("end-sheet")).toEqual(["tel:120", "tel:110", "tel:12356"]);
  await press(words().cancel);
  await told.tell({ status: "ended", session: session("one", { status: "ended" }) });
  expect(numbers("[slot=crisis]")).toEqual(["tel:120", "tel:110", "tel:12356"]);
  expect(page.querySelector("session-rest .care")?.textContent).toContain(words().session.crisisEnd);
  await told.tell({ inCrisis: false });
  expect(page.querySelector("session-rest .care")).toBeNull();
  expect(kept("one")?.status).toBe("ended");
});

test("the numbers are those of the session's own language, whatever the page around it speaks", async () => {
  language.choose("en");
  await told.tell({ inCrisis: true });
  expect(numbers("[slot=crisis]")).toEqual(["tel:120", "tel:110", "tel:12356"]);
  expect(page.querySelector("[slot=crisis]")?.textContent).toContain(words().session.crisis);
  expect(page.querySelector<HTMLElement>("[slot=crisis] .contact-line")?.lang).toBe("zh-CN");
  await press(words().menu.end);
  expect(numbers("end-sheet")).toEqual(["tel:120", "tel:110", "tel:12356"]);
  await told.tell({ session: session("one", { locale: "en-GB" }) });
  expect(numbers("[slot=crisis]").slice(0, 2)).toEqual(["tel:112", "tel:116123"]);
});

test("of a session that cannot be restored everything unheard is shown, and goes along when it is started over", async () => {
  const entry = (key: string, input: Entry["input"], label?: string): Entry => ({
    ...{ key, input, after: 2, at: 0, state: "waiting" as const, problem: null },
    ...(label ? { label } : {}),
  });
  sessionStorage.setItem("heartrule.draft.one", JSON.stringify({ text: "正在写的", after: 2 }));
  vi.spyOn(server(), "scripts").mockResolvedValue([
    {
      id: "cbt/abc_intro",
      name: "ABC模型介绍",
      goal: "",
      duration: null,
      locale: "zh-CN",
      audience: "",
      project: "",
      translation_of: "",
    },
  ]);
  vi.spyOn(server(), "startOver").mockResolvedValue(created("two"));
  localStorage.setItem("heartrule.visitor.session.one", JSON.stringify({ ...kept("one"), name: "cbt/abc_intro" }));
  page.remove();
  page = new VisitorSession();
  page.session = "one";
  document.body.append(page);
  await told.tell({
    status: "failed",
    problem: new Problem("cannot-restore", 409),
    session: session("one", { restorable: false, name: "cbt/abc_intro" }),
    outbox: [
      entry("k1", { type: "message", text: "昨晚没睡" }),
      entry("k2", { type: "choice", choice: "yes" }, "好"),
      entry("k3", { type: "resume" }),
    ],
  });
  expect(page.querySelector(".top-title")?.textContent).toBe("ABC模型介绍");
  expect([...page.querySelectorAll(".unheard li")].map((one) => one.textContent)).toEqual(["昨晚没睡", "好"]);
  await press(words().session.lostOn);
  const draft = JSON.parse(sessionStorage.getItem("heartrule.draft.two") ?? "null");
  expect(draft).toEqual({ text: "昨晚没睡\n好\n正在写的", after: null });
  expect(location.hash).toBe("#/session/two");
});

test("a name that a session has lost stays as this device knows it", async () => {
  await told.tell({ session: session("one", { restorable: false, name: "cbt/abc_intro" }) });
  expect(kept("one")?.name).toBe("ABC模型介绍");
  expect(page.querySelector(".top-title")?.textContent).toBe("ABC模型介绍");
});

test("a pause is seen at once, though the turn under way is finished first", async () => {
  const line = () => page.querySelector(".quiet-line")?.textContent?.trim();
  await told.tell({ status: "thinking" });
  await press(words().menu.pause);
  expect([line(), told.calls]).toEqual([words().session.pausing, ["pause"]]);
  expect([...page.querySelectorAll(".option-items button")].map((one) => one.textContent)).not.toContain(
    words().menu.pause,
  );
  told.finish();
  await settled();
  await told.tell({ status: "paused" });
  expect(line()).not.toBe(words().session.pausing);
  expect(page.querySelector("session-rest")).not.toBeNull();
});
