import { beforeEach, describe, expect, test, vi } from "vitest";
import { contactsFor, rememberContacts } from "../src/help/contacts.js";

const numbers = (locale: "zh-CN" | "en") => contactsFor(locale).map(({ number }) => number);

beforeEach(() => localStorage.clear());

describe("the numbers", () => {
  test("are there on a device that never heard from the server", () => {
    expect(numbers("zh-CN")).toEqual(["120", "110", "12356"]);
    expect(numbers("en")).toEqual(["112", "116 123", "988", "findahelpline.com"]);
  });

  test("are what the server said last, each language its own", () => {
    rememberContacts("en", [{ name: "Emergency", number: "112", note: "" }]);
    expect(numbers("en")).toEqual(["112"]);
    expect(numbers("zh-CN")).toEqual(["120", "110", "12356"]);
  });

  test("may come without a note", () => {
    rememberContacts("en", [
      { name: "Emergency", number: "112", note: null },
      { name: "Police", number: "110" },
    ]);
    expect(numbers("en")).toEqual(["112", "110"]);
  });

  test.each([[[]], [null], ["120"], [[{ name: "x" }]], [[{ name: "x", number: "" }]]])(
    "are not replaced by %j",
    (odd) => {
      rememberContacts("zh-CN", odd);
      expect(numbers("zh-CN")).toEqual(["120", "110", "12356"]);
    },
  );

  test("are there when the browser keeps nothing", () => {
    const refused = vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
      throw new DOMException("no", "SecurityError");
    });
    expect(numbers("zh-CN")).toEqual(["120", "110", "12356"]);
    refused.mockRestore();
  });
});
