import { describe, expect, test } from "vitest";
import { minutes } from "../src/arrive/duration.js";
import { byLanguage } from "../src/arrive/scripts.js";
import { en } from "../src/i18n/en.js";
import { preferred } from "../src/i18n/language.js";
import { zh } from "../src/i18n/zh-CN.js";

/** Every text, with what functions make of examples. */
function texts(words: object, path = ""): [string, string][] {
  return Object.entries(words).flatMap(([name, value]): [string, string][] => {
    const here = `${path}.${name}`;
    if (typeof value === "string") return [[here, value]];
    if (typeof value === "function") return [[here, String((value as (...given: unknown[]) => string)(1, 2, "X"))]];
    return texts(value as object, here);
  });
}

describe("both languages", () => {
  test("say the same things", () => {
    const paths = (words: object) => texts(words).map(([path]) => path);
    expect(paths(en)).toEqual(paths(zh));
  });

  test("leave nothing untranslated", () => {
    expect(texts(en).filter(([, text]) => /[\u3000-\u9fff\uff00-\uffef]/.test(text))).toEqual([]);
    const same = new Map(texts(en));
    const left = texts(zh).filter(([path, text]) => text === same.get(path) && /[a-z]{3}/i.test(text));
    expect(left.map(([path]) => path)).toEqual([".name", ".tab"]);
  });

  test("Chinese has Chinese punctuation", () => {
    expect(texts(zh).filter(([, text]) => /[\u4e00-\u9fff][,.;:?!]/.test(text))).toEqual([]);
  });
});

test.each([
  [["zh-CN", "en"], "zh-CN"],
  [["zh-Hant-TW"], "zh-CN"],
  [["fr", "en-GB", "zh"], "en"],
  [["fr"], "zh-CN"],
  [[], "zh-CN"],
])("a browser that wants %j gets %s", (wanted, locale) => {
  expect(preferred(wanted)).toBe(locale);
});

test("one's own language comes first, whatever the region", () => {
  const script = (id: string, locale: string) => ({
    id,
    name: id,
    goal: "",
    duration: null,
    locale,
    audience: "",
    project: "",
    translation_of: "",
  });
  const { own, others } = byLanguage([script("a", "zh-CN"), script("b", "en-GB"), script("c", "en")], "en");
  expect(own.map(({ id }) => id)).toEqual(["b", "c"]);
  expect(others.map(({ id }) => id)).toEqual(["a"]);
});

test.each([
  ["30m", 30],
  ["1h30m", 90],
  ["90s", 2],
  ["20s", 1],
  ["", null],
  [null, null],
  ["a while", null],
])("%j lasts %j minutes", (duration, wanted) => {
  expect(minutes(duration)).toBe(wanted);
});

test.each([zh, en])("nobody is promised more time than there is, nor a history that has forgotten", (words) => {
  const { leaving, session, returning } = words;
  for (const text of [leaving.keep, leaving.link, session.pausedText]) expect(text).toContain("24");
  const history = /历史记录|history/;
  for (const text of [leaving.forget, leaving.linkOnce("…"), returning.failedText]) expect(text).toMatch(history);
});
