import { describe, expect, test } from "vitest";
import { linkTo } from "../src/chat/contacts.js";

describe("a touch on it", () => {
  test("calls a number", () => {
    expect(linkTo("120")).toEqual({ href: "tel:120", calls: true });
    expect(linkTo("+44 (0)20 7946-0000")).toEqual({ href: "tel:+4402079460000", calls: true });
  });

  test("opens an address", () => {
    expect(linkTo("findahelpline.com")).toEqual({ href: "https://findahelpline.com", calls: false });
  });

  test("leads nowhere when it is neither", () => {
    expect(linkTo("ask at the desk")).toBeNull();
    expect(linkTo("javascript:alert(1)")).toBeNull();
  });
});
