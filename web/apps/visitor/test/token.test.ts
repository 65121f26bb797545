import { expect, test } from "vitest";
import { claims } from "../src/leaving/token.js";
import { IN_A_MONTH, token } from "./tokens.js";

test("a token tells which session it opens, and until when", () => {
  expect(claims(token("0190-ab", IN_A_MONTH))).toEqual({ session: "0190-ab", expires: IN_A_MONTH, lent: false });
});

test.each([
  ["nothing", ""],
  ["a word", "hello"],
  ["dots", "..."],
  ["no JSON", `a.${btoa("{")}.c`],
  ["somebody's token", token("0190-ab", IN_A_MONTH, "person")],
  ["no session", token("", IN_A_MONTH)],
  ["half of one", token("0190-ab", IN_A_MONTH).slice(0, 40)],
])("%s is no way back", (_name, text) => {
  expect(claims(text)).toBeNull();
});
