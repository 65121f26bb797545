import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { tokenOf } from "../src/duty.js";
import { en } from "../src/i18n/en.js";
import { zh } from "../src/i18n/zh-CN.js";
import { language, preferred } from "../src/language.js";
import "../src/list.js";
import type { DeskList } from "../src/list.js";

const ITEM = {
  id: "a1",
  project: "cbt",
  script: "cbt/x",
  name: "初次评估",
  locale: "zh-CN",
  status: "active",
  created_at: "2026-11-22T03:00:00Z",
  last_active_at: "2026-11-22T03:30:00Z",
  turn: 3,
  reasons: ["escalated", "crisis"],
  since: "2026-11-22T03:20:00Z",
  holder: null,
  escalations: 1,
};

function flat(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, each]) => flat(each, `${path}.${key}`));
}

describe("words", () => {
  test("are the same in both languages, and none is empty", () => {
    expect(flat(en)).toEqual(flat(zh));
    for (const words of [en, zh]) expect(Object.values(words).every((each) => each !== "")).toBe(true);
  });

  test("are of the first language of the browser that we speak", () => {
    expect(preferred(["fr", "en-GB", "zh"])).toBe("en");
    expect(preferred(["fr"])).toBe("zh-CN");
  });

  test("tell how long ago something was", () => {
    language.choose("en");
    const at = (minutes: number) =>
      language.age("2026-11-22T03:00:00Z", Date.parse("2026-11-22T03:00:00Z") + minutes * 60_000);
    expect([at(0), at(59), at(125)]).toEqual(["less than 1 min", "59 min", "2 h"]);
  });
});

test("a token comes out of an address that is made for it, and of no other", () => {
  expect(tokenOf("#token=abc.d-e_f.g")).toBe("abc.d-e_f.g");
  for (const other of ["", "#s=a1", "#token=", "#token=a b", "#x#token=a"]) expect(tokenOf(other)).toBeNull();
});

describe("the list", () => {
  let answer: () => Promise<Response>;
  beforeEach(() => {
    language.choose("en");
    vi.stubGlobal("fetch", () => answer());
  });
  afterEach(() => {
    document.body.replaceChildren();
    vi.unstubAllGlobals();
  });

  async function shown(): Promise<DeskList> {
    const list = document.createElement("desk-list") as DeskList;
    document.body.append(list);
    await vi.waitFor(() => expect(list.items !== null || list.looking.failed).toBe(true));
    await list.updateComplete;
    return list;
  }

  test("says why somebody is needed, and who is being looked after", async () => {
    const holder = { id: "c", name: "Dr. Li", since: ITEM.since, me: false };
    answer = async () => Response.json({ sessions: [ITEM, { ...ITEM, id: "b2", reasons: ["taken_over"], holder }] });
    const list = await shown();
    const items = [...list.querySelectorAll<HTMLElement>(".item")];
    expect(items.map((each) => each.classList.contains("urgent"))).toEqual([true, false]);
    expect(items[0]?.textContent).toContain("called for somebody");
    expect(items[1]?.textContent).toContain("held by Dr. Li");
    expect(items[0]?.getAttribute("href")).toBe("#s=a1");
  });

  test("says that it cannot be read, and goes on trying", async () => {
    answer = () => Promise.reject(new Error("away"));
    const list = await shown();
    expect(list.querySelector("[role=status]")?.textContent).toBe(en.listFailed);
  });

  test("a token that is refused ends it", async () => {
    const problem = { code: "token-expired", title: "x", status: 401 };
    answer = async () => Response.json(problem, { status: 401 });
    const list = document.createElement("desk-list");
    const refused = new Promise((resolve) => list.addEventListener("refused", resolve));
    document.body.append(list);
    await refused;
  });
});
