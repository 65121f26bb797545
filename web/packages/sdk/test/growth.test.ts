import { expect, test } from "vitest";
import { Growth } from "../src/growth.js";

const WORDS = "听起来很不容易。😔 是什么让你睡不着？";
const POINTS = [...WORDS];
const part = (offset: number, end: number) => ({
  turn: 2,
  number: 4,
  offset,
  text: POINTS.slice(offset, end).join(""),
});
const all = () => true;
const content = (growth: Growth) => growth.keep(all).map((growing) => growing.content);

test("parts that follow on each other are one text, counted in code points", () => {
  const growth = new Growth();
  growth.add(part(0, 9));
  growth.add(part(9, POINTS.length));
  expect(content(growth)).toEqual([WORDS]);
});

test("what comes again is not added again, and nothing is taken away by it", () => {
  const growth = new Growth();
  growth.add(part(0, 10));
  const before = growth.keep(all);
  for (const [offset, end] of [
    [0, 10],
    [0, 3],
    [5, 10],
    [10, 10],
  ] as const)
    growth.add(part(offset, end));
  expect(growth.keep(all)).toBe(before);
  growth.add(part(0, 12));
  growth.add(part(3, 15));
  expect(content(growth)).toEqual([POINTS.slice(0, 15).join("")]);
});

test("a part that does not follow on what is known is left out", () => {
  const growth = new Growth();
  growth.add(part(3, 5));
  expect(content(growth)).toEqual([]);
  growth.add(part(0, 4));
  growth.add(part(5, 8));
  expect(content(growth)).toEqual([POINTS.slice(0, 4).join("")]);
});

test("two messages of a turn grow side by side, in their order", () => {
  const growth = new Growth();
  growth.add({ turn: 2, number: 5, offset: 0, text: "后来" });
  growth.add(part(0, 3));
  growth.add({ turn: 2, number: 5, offset: 2, text: "呢？" });
  expect(content(growth)).toEqual(["听起来", "后来呢？"]);
  expect(growth.keep(({ seq }) => seq > 4).map(({ seq }) => seq)).toEqual([5]);
  expect(content(growth)).toEqual(["后来呢？"]);
});

test("whatever the order, it is the beginning of the message and only gets longer", () => {
  let state = 7;
  const dice = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state % below;
  };
  for (let round = 0; round < 300; round++) {
    const growth = new Growth();
    let before = "";
    for (let step = 0; step < 20; step++) {
      const offset = dice(POINTS.length);
      growth.add(part(offset, offset + dice(8)));
      const now = content(growth)[0] ?? "";
      expect(WORDS.startsWith(now)).toBe(true);
      expect(now.startsWith(before)).toBe(true);
      before = now;
    }
  }
});
