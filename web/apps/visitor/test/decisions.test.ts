import { render } from "lit";
import { describe, expect, it } from "vitest";
import type { Decision } from "../src/debug/asking.js";
import { decisions } from "../src/debug/decisions.js";
import { debugWords } from "../src/debug/words.js";

function shown(kind: string, data: Record<string, unknown>, language: "zh-CN" | "en" = "zh-CN"): string {
  const found: Decision[] = [{ number: 7, kind, action: null, data }];
  const place = document.createElement("div");
  render(decisions(found, debugWords[language]), place);
  return (place.querySelector("summary")?.textContent ?? "").replace(/\s+/g, " ");
}

describe("the plan of a topic", () => {
  const plan = { written: ["a", "b"], before: ["a", "b"], after: ["a", "T+1", "b"], cause: "需要先安抚", refused: "" };

  it("is the original queue against the actual one, with the cause", () => {
    expect(shown("plan", plan)).toContain("动作队列");
    expect(shown("plan", plan)).toContain("a b → a T+1 b");
    expect(shown("plan", plan)).toContain("需要先安抚");
    expect(shown("plan", plan, "en")).toContain("action queue");
  });

  it("says why a plan was refused", () => {
    expect(shown("plan", { ...plan, after: ["a", "b"], refused: "it asks about a risk" })).toContain(
      "it asks about a risk",
    );
  });
});

describe("the instances of a topic", () => {
  it("are those who were met, and who is to come", () => {
    const told = { before: ["父亲"], after: ["父亲", "母亲"], coming: ["奶奶"], cause: "for_each 家人 grew" };
    expect(shown("instances", told)).toContain("父亲 → 父亲 母亲");
    expect(shown("instances", told)).toContain("+ 奶奶");
    expect(shown("instances", { ...told, coming: [] })).not.toContain("+ ");
  });
});

describe("what was thought beside the conversation", () => {
  const thought = { suggestion: "comfort", feedback: "先接住再问", orchestrate: true, rest: "" };

  it("tells what goes into the next prompt, and whether other actions are wanted", () => {
    expect(shown("monitored", thought)).toContain("先安抚 · 先接住再问 · 想要调整动作");
    expect(shown("monitored", { ...thought, orchestrate: false })).not.toContain("想要");
    expect(shown("monitored", thought, "en")).toContain("comfort first");
  });

  it("names what a second look has dropped", () => {
    expect(shown("verified", { asked: ["年龄", "称呼"], dropped: { 年龄: "" } })).toContain("年龄 称呼 · 去掉 年龄");
  });
});

describe("what comes and goes", () => {
  it("is a scope with its variables, rounds that were cut, topics that were put aside", () => {
    expect(shown("scope_cleaned", { scope: "topic", scope_key: "t3", variables: ["想法"] })).toContain(
      "topic · t3 · 想法",
    );
    expect(shown("scope_opened", { scope: "topic", scope_key: "t3" })).toContain("进入作用域");
    expect(shown("shortened", { was: 5, max_rounds: 2, of: "phase" })).toContain("5 → 2");
    const queue = { before: ["a"], after: ["b"], cause: "scheduled", suspended_before: [], suspended_after: ["a"] };
    expect(shown("queue", queue)).toContain("放下的 – → a");
  });
});

describe("a form", () => {
  it("is shown, answered field by field, and comes to scores with their bands", () => {
    expect(shown("form_shown", { form: "cbt/phq9", key: "f3", mode: "fill" })).toContain("表单出现 cbt/phq9 · fill");
    const answered = { form: "cbt/phq9", key: "f3", how: "draft", values: { q1: 1, q9: 0 }, unused: false };
    expect(shown("form_answered", answered, "en")).toContain("form answered cbt/phq9 · draft · q1 q9");
    const submitted = { form: "cbt/phq9", scores: { total: 12 }, bands: { total: "中度" } };
    expect(shown("form_submitted", submitted)).toContain('表单交了 cbt/phq9 · { "total": 12 } · 中度');
  });
});
