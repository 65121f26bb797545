import { expect, test, vi } from "vitest";
import { watchEscape } from "../src/leaving/exit.js";

const pressed = (key: string) => dispatchEvent(new KeyboardEvent("keydown", { key }));

test("two presses of Escape in a row leave; with anything done between them each only closes something", () => {
  const exit = vi.fn();
  watchEscape(exit);
  pressed("Escape");
  pressed("Tab");
  pressed("Escape");
  dispatchEvent(new Event("pointerdown"));
  pressed("Escape");
  expect(exit).not.toHaveBeenCalled();
  pressed("Escape");
  expect(exit).toHaveBeenCalledOnce();
});
