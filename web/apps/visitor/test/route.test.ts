import { describe, expect, test } from "vitest";
import { format, hide, parse, type Route } from "../src/shell/route.js";

describe("an address", () => {
  test.each<[string, Route]>([
    ["", { at: "arrive" }],
    ["#", { at: "arrive" }],
    ["#/", { at: "arrive" }],
    ["#/what", { at: "what" }],
    ["#/begin/cbt/abc_intro", { at: "begin", script: "cbt/abc_intro" }],
    ["#/begin/cbt%2Fabc_intro", { at: "begin", script: "cbt/abc_intro" }],
    ["#/session/0190-ab", { at: "session", id: "0190-ab" }],
    ["#/read/0190-ab", { at: "read", id: "0190-ab" }],
    ["#/back/a.b-c_d.e", { at: "back", token: "a.b-c_d.e" }],
    ["#/begin", { at: "nowhere" }],
    ["#/session/", { at: "nowhere" }],
    ["#/back", { at: "nowhere" }],
    ["#/what/else", { at: "nowhere" }],
    ["#/elsewhere/at/all", { at: "nowhere" }],
    ["#/session/%", { at: "session", id: "%" }],
  ])("%s leads somewhere", (hash, route) => {
    expect(parse(hash)).toEqual(route);
  });

  test.each<Exclude<Route, { at: "nowhere" }>>([
    { at: "arrive" },
    { at: "what" },
    { at: "begin", script: "项目/第一次 会谈" },
    { at: "session", id: "a/b#c?d" },
    { at: "read", id: "1" },
    { at: "back", token: "a.b.c" },
  ])("written for $at is read again", (route) => {
    expect(parse(format(route))).toEqual(route);
  });

  test("with a token in it can be hidden", () => {
    location.hash = "#/back/secret.token.here";
    hide();
    expect(location.href).not.toContain("secret");
  });
});
