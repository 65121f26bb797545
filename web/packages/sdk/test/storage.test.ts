import { expect, test } from "vitest";
import { WebStorage } from "../src/storage.js";

test("a storage that takes nothing loses nothing while the page is open", () => {
  const storage = new WebStorage(() => {
    throw new Error("denied");
  });
  storage.set("a.1", "x");
  storage.set("b.1", "y");
  expect(storage.get("a.1")).toBe("x");
  expect(storage.keys("a.")).toEqual(["a.1"]);
  storage.remove("a.1");
  expect(storage.get("a.1")).toBeNull();
});
