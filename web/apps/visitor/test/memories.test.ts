import { render } from "lit";
import { describe, expect, it } from "vitest";
import { type Memory, memories } from "../src/debug/memories.js";
import { debugWords } from "../src/debug/words.js";

const ITEM = { id: "s1.2.1", type: "long", importance: 0.5, topic: "近况", content: "心情：6", quote: "大概六分" };
const READ: Memory = { action: "again", how: "read", items: [ITEM], mode: "mixed", looked: 3, again: false, gone: [] };
const WROTE: Memory = { ...READ, action: "mood", how: "write", mode: "", looked: 0 };

function shown(all: Memory[], language: "zh-CN" | "en" = "zh-CN"): string {
  const place = document.createElement("div");
  render(memories(all, debugWords[language]), place);
  return (place.textContent ?? "").replace(/\s+/g, " ");
}

describe("memories", () => {
  it("tell what came back and what was left", () => {
    const told = shown([READ, WROTE, { ...WROTE, again: true, gone: ["a", "b"] }]);
    expect(told).toContain("again 看了 3 条，想起 1 条（mixed）");
    expect(told).toContain("s1.2.1 长期 · 0.5 心情：6 大概六分");
    expect(told).toContain("mood 记下一条");
    expect(told).toContain("改了原来那一条，去掉 2 条");
    expect(shown([READ], "en")).toContain("1 of 3 came back (mixed)");
    expect(shown([{ ...WROTE, gone: ["a"] }], "en")).toContain("left one item, 1 made room");
  });

  it("say what may not be seen, and that there was nothing", () => {
    const masked = { ...ITEM, importance: null, content: null, quote: null };
    expect(shown([{ ...READ, items: [masked] }])).toContain("s1.2.1 长期 内容没有显示");
    expect(shown([])).toContain("这一轮没有记下什么");
    expect(shown([], "en")).toContain("Nothing was recalled");
  });
});
