import { expect, test } from "vitest";
import { sectionsOf } from "../src/shell/sections.js";

test("each role finds its sections, and more roles find all of theirs", () => {
  const names = (...roles: Parameters<typeof sectionsOf>[0]) => sectionsOf(roles).map(({ name }) => name);
  expect(names("counsellor")).toEqual(["desk"]);
  expect(names("developer")).toEqual(["workbench", "debugger", "releases"]);
  expect(names("reviewer", "counsellor")).toEqual(["desk", "workbench", "releases"]);
  expect(names("administrator")).toEqual(["workbench", "debugger", "releases", "administration"]);
  expect(names()).toEqual([]);
});
