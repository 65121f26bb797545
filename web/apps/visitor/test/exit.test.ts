import { expect, test, vi } from "vitest";
import { closes, quickExit, watchEscape } from "../src/leaving/exit.js";
import { place } from "../src/shell/about.js";

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

test("one that closed something is none of the two", () => {
  const exit = vi.fn();
  watchEscape(exit);
  const closer = (event: Event) => closes(event);
  addEventListener("keydown", closer, { once: true });
  pressed("Escape");
  pressed("Escape");
  expect(exit).not.toHaveBeenCalled();
  pressed("Escape");
  expect(exit).toHaveBeenCalledOnce();
});

test("where the site says so, the page that says nothing leads there, and only in this tab", async () => {
  const replaced = vi.spyOn(location, "replace").mockImplementation(() => {});
  quickExit();
  expect(sessionStorage.getItem("heartrule.away")).toBeNull();
  const about = {
    version: "1",
    contacts: [],
    persistence: "device",
    pdf: false,
    exit_page: "https://weather.example/",
  };
  vi.stubGlobal("fetch", async () => Response.json(about));
  await place.ask();
  quickExit();
  expect(sessionStorage.getItem("heartrule.away")).toBe("https://weather.example/");
  expect(localStorage.getItem("heartrule.away")).toBeNull();
  expect(replaced).toHaveBeenLastCalledWith("/away.html");
  vi.unstubAllGlobals();
});
