import { expect, test } from "vitest";
import { autonym } from "../src/i18n/autonym.js";

test.each([
  ["zh-CN", "中文"],
  ["en", "English"],
  ["en-GB", "English"],
  ["not a tag", "not a tag"],
])("%s is %s", (tag, name) => {
  expect(autonym(tag)).toBe(name);
});
