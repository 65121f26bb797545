import { createHash } from "node:crypto";
import { NOTICE, noticeAnswers, textsOf } from "@heartrule/sdk/chat";
import { expect, test } from "vitest";

/** What each version said, as a hash; a new wording is a new version. */
const SAID: Record<string, string> = {
  "2026-11-23": "8231afc94026e7b2",
};

test("what people agree to changes only with its version", () => {
  const told = ["zh-CN", "en"].map((locale) => {
    const { texts } = textsOf(locale);
    const words = Object.entries(texts).filter(([key]) => key.startsWith("notice") || key === "wordsModel");
    return [words, noticeAnswers(null, texts).map(({ question }) => question)];
  });
  expect(createHash("sha256").update(JSON.stringify(told)).digest("hex").slice(0, 16)).toBe(SAID[NOTICE]);
});
