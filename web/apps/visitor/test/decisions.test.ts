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

describe("the course of a topic", () => {
  const plan = { written: ["a", "b"], before: ["a", "b"], after: ["a", "T+1", "b"], cause: "需要先安抚", refused: "" };

  it("is the original queue against the actual one, with the cause", () => {
    expect(shown("course", plan)).toContain("动作队列");
    expect(shown("course", plan)).toContain("a b → a T+1 b");
    expect(shown("course", plan)).toContain("需要先安抚");
    expect(shown("course", plan, "en")).toContain("action queue");
  });

  it("says why a plan was refused", () => {
    expect(shown("course", { ...plan, after: ["a", "b"], refused: "it asks about a risk" })).toContain(
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
