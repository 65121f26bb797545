import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { zh } from "../src/i18n/zh-CN.js";
import { language } from "../src/language.js";
import "../src/left-forms.js";
import type { DeskForms } from "../src/left-forms.js";
import type { DeskReplies } from "../src/replies.js";
import { addressOf } from "../src/replies.js";
import type { DeskReply } from "../src/reply.js";
import "../src/reply.js";

const AT = "2026-11-22T03:00:00Z";
const WAITING = {
  session: "a1",
  message: 4,
  turn: 2,
  project: "cbt",
  script: "cbt/x",
  name: "初次评估",
  locale: "zh-CN",
  at: AT,
  cause: "reported",
  reason: "hurtful",
  reported_at: AT,
};
const MESSAGE = {
  id: "a1.4",
  seq: 4,
  turn: 2,
  sender: "ai",
  content: "别想太多",
  content_type: "text",
  action_id: null,
  at: AT,
};
const OPENED = {
  session: "a1",
  message: 4,
  locale: "zh-CN",
  name: "初次评估",
  context: [{ ...MESSAGE, seq: 3, sender: "person", content: "", recalled: true }, MESSAGE],
  report: { message: 4, reason: "hurtful", text: "好冷", at: AT, new: false },
  review: null,
};
const FORM = {
  id: "cbt/notes",
  key: "f1-1",
  name: "会谈记录",
  required: false,
  fields: [{ id: "note", type: "text", label: "记几句" }],
  values: {},
  hidden: [],
  problems: [],
};
const LEFT = { waiting: [{ form: FORM, turn: 1, audience: "counselor", begun: false }], done: [] };
const PROBLEM = { code: "no-such-form", title: "已经交了", status: 409, type: "x", reference: "12345678" };

type Answer = (method: string, path: string, body: unknown) => unknown;
let answer: Answer;
let asked: string[];

beforeEach(() => {
  language.choose("zh-CN");
  asked = [];
  vi.stubGlobal("fetch", async (address: string, { method = "GET", body }: RequestInit = {}) => {
    const path = new URL(address, "http://desk").pathname.replace("/api/v1/desk", "");
    asked.push(`${method} ${path}`);
    const found = answer(method, path, body ? JSON.parse(String(body)) : null);
    return found instanceof Response ? found : Response.json(found);
  });
});

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

function shown<T extends HTMLElement>(tag: string, given: Partial<T>): T {
  const made = Object.assign(document.createElement(tag), given) as T;
  document.body.append(made);
  return made;
}

const refused = (problem: object = PROBLEM, status = 409) => Response.json(problem, { status });

describe("replies that are to be judged", () => {
  async function list(given: Answer): Promise<DeskReplies> {
    answer = given;
    const made = shown<DeskReplies>("desk-replies", { open: null });
    await vi.waitFor(() => expect(made.queue !== null || made.looking.failed).toBe(true));
    await made.updateComplete;
    return made;
  }

  test("reported ones stand out, and each has its address", async () => {
    const sampled = { ...WAITING, message: 6, cause: "sampled", reason: null, reported_at: null };
    const made = await list(() => ({ replies: [WAITING, sampled], share: 0.025 }));
    const items = [...made.querySelectorAll<HTMLElement>(".item")];
    expect(items.map((each) => each.classList.contains("urgent"))).toEqual([true, false]);
    expect(items[0]?.textContent).toContain(zh.categories.hurtful);
    expect(items[1]?.getAttribute("href")).toBe("#r=a1.6");
    expect(made.textContent).toContain("2.5%");
    made.open = "a1.4";
    expect(made.next && addressOf(made.next)).toBe("#r=a1.6");
  });

  test("says that there are none, and that no sample is drawn", async () => {
    const made = await list(() => ({ replies: [], share: 0 }));
    expect(made.querySelector("[role=status]")?.textContent).toBe(zh.noReplies);
    expect(made.textContent).toContain(zh.noSample);
    expect(made.next).toBeNull();
  });

  test("says that it cannot be read", async () => {
    const made = await list(() => {
      throw new TypeError("away");
    });
    expect(made.querySelector("[role=status]")?.textContent).toBe(zh.listFailed);
  });

  test("a token that is refused ends it", async () => {
    answer = () => refused({ ...PROBLEM, code: "token-expired" }, 401);
    const made = document.createElement("desk-replies");
    const ended = new Promise((resolve) => made.addEventListener("refused", resolve));
    document.body.append(made);
    await ended;
  });
});

describe("one reply", () => {
  async function reply(given: Answer): Promise<DeskReply> {
    answer = given;
    const made = shown<DeskReply>("desk-reply", { reply: "a1.4" });
    await vi.waitFor(() => expect(made.stage).not.toBe("opening"));
    await made.updateComplete;
    return made;
  }

  async function judge(made: DeskReply, verdict: string): Promise<void> {
    const choice = made.querySelector<HTMLInputElement>(`input[value=${verdict}]`);
    if (choice) choice.checked = true;
    choice?.dispatchEvent(new Event("change"));
    await made.updateComplete;
    made.querySelector("form")?.dispatchEvent(new SubmitEvent("submit", { cancelable: true }));
    await vi.waitFor(() => expect(made.stage).not.toBe("sending"));
    await made.updateComplete;
  }

  test("is shown with what was taken back left out, and with the report", async () => {
    const made = await reply(() => OPENED);
    expect(made.querySelector(".taken-back")?.textContent).toBe("已撤回");
    expect(made.querySelector(".judged-one")?.textContent).toContain("别想太多");
    expect(made.querySelector(".reported")?.textContent).toContain("好冷");
    expect(made.querySelector("select")).toBeNull();
  });

  test("is judged, and leads on", async () => {
    let sent: unknown;
    const made = await reply((method, _, body) => {
      if (method === "PUT") sent = body;
      return method === "PUT" ? { verdict: "harmful", category: null, note: null, by: "王", at: AT } : OPENED;
    });
    made.addEventListener("judged", () => {
      made.onward = "#r=a1.6";
    });
    await judge(made, "harmful");
    expect(sent).toEqual({ verdict: "harmful", category: null, note: null });
    expect(made.querySelector(".onward")?.getAttribute("href")).toBe("#r=a1.6");
  });

  test("what was said of it before is there to be changed", async () => {
    const review = { verdict: "unsuitable", category: "wrong", note: "太快", by: "李老师", at: AT };
    const made = await reply(() => ({ ...OPENED, review, report: null }));
    expect(made.querySelector<HTMLInputElement>("input[value=unsuitable]")?.checked).toBe(true);
    expect(made.querySelector<HTMLOptionElement>("option[selected]")?.value).toBe("wrong");
    expect(made.querySelector("textarea")?.value).toBe("太快");
    expect(made.textContent).toContain("李老师");
  });

  test.each([
    ["in the server's words where it says no", () => refused({ ...PROBLEM, title: "已经没有了" }), "已经没有了"],
    [
      "that it was not saved where nothing answers",
      () => {
        throw new TypeError("away");
      },
      zh.unsaid,
    ],
  ])("tells %s", async (_, wrong, told) => {
    const made = await reply((method) => (method === "PUT" ? wrong() : OPENED));
    await judge(made, "fitting");
    expect(made.stage).toBe("open");
    expect(made.querySelector("[role=alert]")?.textContent).toBe(told);
  });

  test("that is gone is said to be", async () => {
    const made = await reply(() => refused({ ...PROBLEM, code: "no-such-reply" }));
    expect(made.textContent).toContain(zh.replyFailed);
  });
});

describe("forms that are left to the counsellor", () => {
  async function forms(given: Answer): Promise<DeskForms> {
    answer = given;
    const made = shown<DeskForms>("desk-forms", { session: "a1", step: "t" });
    await vi.waitFor(() => expect(made.forms).not.toBeNull());
    await made.updateComplete;
    return made;
  }

  async function filling(made: DeskForms): Promise<HTMLElement> {
    made.querySelector("button")?.click();
    await vi.waitFor(() => expect(made.querySelector("heart-form")).not.toBeNull());
    return made.querySelector("heart-form") as HTMLElement;
  }

  const does = (form: HTMLElement, name: string, detail: object) =>
    form.dispatchEvent(new CustomEvent(name, { detail }));

  test("nothing is shown where there are none", async () => {
    const made = await forms(() => ({ waiting: [], done: [] }));
    expect(made.querySelector("section")).toBeNull();
  });

  test("are kept as they are filled, told what is wrong, and handed in", async () => {
    let tries = 0;
    const done = {
      ...FORM,
      turn: 2,
      form: "cbt/notes",
      scores: { total: 3 },
      labels: { total: "总分" },
      bands: { total: "轻" },
      at: AT,
      filled_by: "counselor",
    };
    const made = await forms((method, path) => {
      if (method === "PUT") return { ...FORM, values: { note: "好" } };
      if (method === "POST") {
        tries += 1;
        return {
          form: tries === 1 ? { ...FORM, problems: [{ field: "note", code: "required", message: "要填" }] } : null,
        };
      }
      return path.endsWith("/forms") && tries < 2 ? LEFT : { waiting: [], done: [done] };
    });
    const form = await filling(made);
    does(form, "answered", { note: "好" });
    await vi.waitFor(() => expect(made.forms?.waiting[0]?.begun).toBe(true));
    does(form, "submitted", {});
    await vi.waitFor(() => expect(made.forms?.waiting[0]?.form.problems).toHaveLength(1));
    does(form, "submitted", {});
    await vi.waitFor(() => expect(made.forms?.waiting).toHaveLength(0));
    await made.updateComplete;
    expect(made.querySelector("li")?.textContent).toContain("总分 3 · 轻");
    expect(made.querySelector("[role=status]")?.textContent).toBe(zh.handedIn);
    expect(asked.filter((each) => each.startsWith("P"))).toEqual([
      "PUT /sessions/a1/forms/f1-1",
      "POST /sessions/a1/forms/f1-1/submit",
      "POST /sessions/a1/forms/f1-1/submit",
    ]);
  });

  test("one that a colleague has handed in is put away with the reason", async () => {
    const made = await forms((method) => (method === "POST" ? refused() : LEFT));
    does(await filling(made), "submitted", {});
    await vi.waitFor(() => expect(made.line).toBe("已经交了"));
    expect(made.open).toBeNull();
  });

  test("what is not kept is said, and the form stays open", async () => {
    const made = await forms((method) => {
      if (method === "PUT") throw new TypeError("away");
      return LEFT;
    });
    does(await filling(made), "answered", { note: "好" });
    await vi.waitFor(() => expect(made.unsaved).toBe(true));
    expect(made.line).toBe(zh.unsaid);
    expect(made.open).toBe("f1-1");
  });

  test("one that is put aside keeps what was written, and another step of the session looks again", async () => {
    const made = await forms((method) => (method === "PUT" ? { ...FORM, values: { note: "好" } } : LEFT));
    does(await filling(made), "cancelled", { note: "好" });
    await vi.waitFor(() => expect(made.open).toBeNull());
    expect(asked.at(-1)).toBe("PUT /sessions/a1/forms/f1-1");
    made.step = "u";
    await vi.waitFor(() => expect(asked.at(-1)).toBe("GET /sessions/a1/forms"));
  });
});
