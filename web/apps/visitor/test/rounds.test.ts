import { render } from "lit";
import { describe, expect, it } from "vitest";
import type { Result, Round } from "../src/debug/asking.js";
import { rounds } from "../src/debug/rounds.js";
import { debugWords } from "../src/debug/words.js";

const FIRST: Round = {
  turn: 2,
  action: "father",
  type: "ai_ask",
  round: 1,
  metrics: { user_engagement: "回答简短", emotional_intensity: "" },
  progress_suggestion: "continue_needed",
  brief: null,
};
const SECOND: Round = { ...FIRST, turn: 3, round: 2, metrics: null, progress_suggestion: "completed" };
const ENDED: Result = {
  of: SECOND,
  max_rounds: 3,
  completed: true,
  exit_reason: "exit_criteria_met",
  parse_error: false,
  parse_retries: 1,
  answers: [],
};

function shown(all: Round[], results: Result[], language: "zh-CN" | "en" = "zh-CN"): string[] {
  const place = document.createElement("div");
  render(rounds(all, results, debugWords[language]), place);
  return [...place.querySelectorAll("li")].map((each) => (each.textContent ?? "").replace(/\s+/g, " "));
}

describe("rounds", () => {
  it("tell how each went, in the model's words", () => {
    const [first, second] = shown([FIRST, SECOND], [ENDED]);
    expect(first).toContain("father · 1");
    expect(first).toContain("投入");
    expect(first).toContain("回答简短");
    expect(first).not.toContain("怎样结束");
    expect(second).toContain("怎样结束");
    expect(second).toMatch(/没读懂的回答\s*1/);
  });

  it("say in English what they are", () => {
    expect(shown([FIRST], [], "en")[0]).toContain("Engagement");
  });

  it("are none at first", () => {
    expect(shown([], [])).toEqual([]);
  });
});
