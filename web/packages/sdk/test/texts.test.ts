import { expect, test } from "vitest";
import { en } from "../src/chat/texts/en.js";
import { fill, textsOf } from "../src/chat/texts/index.js";
import { zhCN } from "../src/chat/texts/zh-CN.js";
import { separator } from "../src/chat/times.js";

test("both languages say the same things, with the same places to fill", () => {
  const places = (text: string) => text.match(/\{\w+\}/g) ?? [];
  for (const [name, text] of Object.entries(zhCN)) {
    expect(places(en[name as keyof typeof en]), name).toEqual(places(text));
    expect(en[name as keyof typeof en], name).not.toMatch(/\p{Script=Han}/u);
  }
});

test("Chinese where nothing else fits", () => {
  expect(["en", "en-US", "zh", "fr", ""].map((locale) => textsOf(locale).locale)).toEqual([
    "en",
    "en",
    "zh-CN",
    "zh-CN",
    "zh-CN",
  ]);
});

test("what has no value stays as it is", () => expect(fill("{a} {b}", { a: 1 })).toBe("1 {b}"));

const now = new Date(2026, 2, 5, 15, 0);
const at = (day: number, hour: number, minute: number, year = 2026) =>
  new Date(year, 2, day, hour, minute).toISOString();
const said = (moment: string, before: string | null) => separator(moment, before, "zh-CN", zhCN, now);

test("the time stands above the first message, after a silence and on a new day", () => {
  expect(said(at(5, 14, 0), null)).toBe("今天 14:00");
  expect(said(at(5, 14, 20), at(5, 14, 0))).toBeNull();
  expect(said(at(5, 14, 31), at(5, 14, 0))).toBe("今天 14:31");
  expect(said(at(5, 0, 1), at(4, 23, 59))).toBe("今天 00:01");
  expect(said(at(4, 9, 5), null)).toBe("昨天 09:05");
  expect(said(at(1, 9, 5), null)).toBe("3月1日 09:05");
  expect(said(at(1, 9, 5, 2025), null)).toBe("2025年3月1日 09:05");
  expect(said("nonsense", null)).toBeNull();
});
