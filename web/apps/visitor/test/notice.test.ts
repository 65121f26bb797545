import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { en } from "../src/i18n/en.js";
import { zh } from "../src/i18n/zh-CN.js";
import { NOTICE } from "../src/notice/version.js";

/** What each version said, as a hash; a new wording is a new version. */
const SAID: Record<string, string> = {
  "2026-11-22": "0e36bd7bc3c85798",
};

test("what people agree to changes only with its version", () => {
  const told = [zh, en].map(({ notice }) =>
    Object.entries(notice).map(([key, text]) => [key, typeof text === "function" ? text("MODEL", "HOSTS") : text]),
  );
  expect(createHash("sha256").update(JSON.stringify(told)).digest("hex").slice(0, 16)).toBe(SAID[NOTICE]);
});
