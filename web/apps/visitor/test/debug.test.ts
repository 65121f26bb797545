import { render } from "lit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Awareness, ask, type Debug } from "../src/debug/asking.js";
import { awareness, ordered } from "../src/debug/awareness.js";
import { bubbleId, money, number, pieces, seconds, short, together, worded } from "../src/debug/text.js";
import { type DebugWords, debugWords } from "../src/debug/words.js";

const zh = debugWords["zh-CN"];
const en = debugWords.en;

function inserted(name: string, offset: number, length: number) {
  return { name, scope: "session", scope_key: "", source: "ask", offset, length };
}

describe("a prompt in pieces", () => {
  it("is the prompt again when it is put together", () => {
    const text = "问小雨：感到难过的时候";
    const found = pieces(text, [inserted("情绪", 6, 2), inserted("称呼", 1, 2)]);
    expect(found.map((each) => each.text).join("")).toBe(text);
    expect(found.filter((each) => each.inserted).map((each) => [each.inserted?.name, each.text])).toEqual([
      ["称呼", "小雨"],
      ["情绪", "难过"],
    ]);
  });

  it("counts characters as the server does, and not as this browser does", () => {
    const found = pieces("😀😀名字。", [inserted("称呼", 2, 2)]);
    expect(found[1]?.text).toBe("名字");
  });

  it("leaves out places that cannot be", () => {
    expect(pieces("短", [inserted("a", 0, 9), inserted("b", 0, 1), inserted("c", 0, 1)])).toHaveLength(1);
    expect(pieces("", [])).toEqual([]);
  });
});

describe("numbers", () => {
  it("say that they are unknown rather than nothing", () => {
    expect(money(null, "CNY", "zh-CN", zh)).toBe("未知");
    expect(money(12, null, "en", en)).toBe("unknown");
    expect(number(null, "en", en)).toBe("unknown");
    expect(seconds(null, "zh-CN", zh)).toBe("未知");
  });

  it("are written as the language writes them", () => {
    expect(money(1_920_000, "CNY", "zh-CN", zh)).toBe("¥0.00192");
    expect(seconds(1.234, "en", en)).toBe("1.23 s");
    expect(number(1200, "en", en)).toBe("1,200");
  });

  it("are not added up where one is missing or of another currency", () => {
    expect(
      together([
        [1, "CNY"],
        [2, "CNY"],
      ]),
    ).toEqual([3, "CNY"]);
    expect(
      together([
        [1, "CNY"],
        [null, null],
      ]),
    ).toEqual([null, null]);
    expect(
      together([
        [1, "CNY"],
        [2, "USD"],
      ]),
    ).toEqual([null, null]);
    expect(together([])).toEqual([null, null]);
  });
});

describe("words", () => {
  it("are there in both languages, in every table", () => {
    for (const [name, table] of Object.entries(zh)) {
      if (typeof table !== "object") continue;
      const other = en[name as keyof DebugWords] as Record<string, string>;
      expect([name, Object.keys(other).sort()]).toEqual([name, Object.keys(table).sort()]);
    }
  });

  it("let a code that nobody has a word for stand as it is", () => {
    expect(worded(zh.kinds, "exit")).toBe("离开决定");
    expect(worded(zh.kinds, "new_kind")).toBe("new_kind");
  });

  it("fit a bubble", () => {
    expect(short("一\n二  三")).toBe("一 二 三");
    expect([...short("字".repeat(40))]).toHaveLength(25);
    expect(short({ a: [1] })).toBe('{"a":[1]}');
  });

  it("name a bubble by all that it is", () => {
    expect(bubbleId("topic", "t1", "心 情")).toBe("variable-topic-t1-%E5%BF%83%20%E6%83%85");
  });
});

describe("awareness", () => {
  const script = (name: string, verdict: string, because: string): Awareness => ({
    awareness: name,
    priority: "P2",
    hook_point: "",
    verdict,
    source: "model",
    confidence: 0.9,
    evidence: null,
    reason: null,
    because,
    orders: [],
    refused: [],
  });

  it("shows first who acted, then who found something, last who was not asked", () => {
    const all = [
      script("a", "", "cooldown"),
      script("b", "no", "no hit"),
      script("c", "yes", "waits for the next hook point"),
      script("d", "", "acted"),
      script("e", "unknown", "unsure"),
    ];
    expect(ordered(all).map((each) => each.awareness)).toEqual(["d", "c", "e", "b", "a"]);
    expect(all[0]?.awareness).toBe("a");
  });

  it("says of each what it came to and why", () => {
    const place = document.createElement("div");
    const hit = {
      ...script("local/a", "yes", "cooldown"),
      evidence: "你没在听",
      hook_point: "after ai_ask",
      refused: ["ENABLE"],
    };
    render(awareness([hit, script("local/b", "", "hook point not reachable")], zh, "zh-CN"), place);
    const told = [...place.querySelectorAll("summary")].map((each) => each.textContent?.replace(/\s+/g, " ").trim());
    expect(told).toEqual(["local/a P2 是 → 冷却中", "local/b P2 没有判断 → 这一轮走不到该判断的地方"]);
    expect(place.textContent).toContain("你没在听");
    expect(place.textContent).toContain("after ai_ask");
    expect(place.textContent).toContain("ENABLE");
  });

  it("says that there was none", () => {
    const place = document.createElement("div");
    render(awareness([], en, "en"), place);
    expect(place.textContent).toContain("No awareness script in this turn");
  });
});

describe("asking", () => {
  afterEach(() => vi.unstubAllGlobals());

  function answers(status: number, body: unknown) {
    const fetch = vi.fn(async () => new Response(JSON.stringify(body), { status }));
    vi.stubGlobal("fetch", fetch);
    return fetch;
  }

  it("asks for a turn with the session's token", async () => {
    const fetch = answers(200, { turn: 3 });
    const found: Debug = await ask("abc", "token", "en", 3, new AbortController().signal);
    expect(found.turn).toBe(3);
    expect(fetch.mock.calls[0]).toEqual([
      "/api/v1/sessions/abc/debug?turn=3",
      expect.objectContaining({ headers: expect.objectContaining({ Authorization: "Bearer token" }) }),
    ]);
  });

  it("says which problem it was", async () => {
    answers(403, { code: "debug-off" });
    await expect(ask("abc", "t", "en", null, new AbortController().signal)).rejects.toMatchObject({
      code: "debug-off",
    });
    answers(502, "bad gateway");
    await expect(ask("abc", "t", "en", null, new AbortController().signal)).rejects.toMatchObject({ code: "network" });
    vi.stubGlobal("fetch", async () => {
      throw new TypeError("no network");
    });
    await expect(ask("abc", "t", "en", null, new AbortController().signal)).rejects.toMatchObject({ status: 0 });
  });
});
