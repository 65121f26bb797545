import { beforeEach, expect, test } from "vitest";
import { saysExit } from "../src/leaving/exit.js";
import { PERSISTENCES, store } from "../src/shell/storage.js";

const KEY = "heartrule.visitor.session.one";
const TYPED = "heartrule.draft.one";

beforeEach(() => {
  store.limit("device");
  store.choose("device");
  store.clearTab();
  localStorage.clear();
});

const lies = (key: string) =>
  [localStorage.getItem(key) && "device", sessionStorage.getItem(key) && "session"].filter(Boolean);

test.each([
  ["device", ["device"], ["session"]],
  ["session", ["session"], ["session"]],
  ["none", [], []],
] as const)(
  "%s: what was kept and typed comes along, lies nowhere else, and can still be read",
  (wanted, at, typedAt) => {
    for (const before of PERSISTENCES) {
      store.choose(before);
      store.set(KEY, "kept");
      store.typed.set(TYPED, "typed");
      store.choose(wanted);
      expect(store.now).toBe(wanted);
      expect(lies(KEY)).toEqual(at);
      expect(lies(TYPED)).toEqual(typedAt);
      expect([store.get(KEY), store.typed.get(TYPED)]).toEqual(["kept", "typed"]);
      expect(store.keys("heartrule.visitor.session.")).toEqual([KEY]);
    }
  },
);

test("the site has the last word, and a person may choose less", () => {
  store.limit("session");
  expect(store.now).toBe("session");
  expect(store.offered).toEqual(["session", "none"]);
  store.choose("device");
  expect(store.now).toBe("session");
  store.choose("none");
  expect(store.now).toBe("none");
});

test("what the tab remembers of the choice holds no more than the choice", () => {
  store.choose("none");
  store.set(KEY, "kept");
  expect(Object.values(sessionStorage)).toEqual(["none"]);
  expect(localStorage.length).toBe(0);
});

test("nothing of others is moved", () => {
  localStorage.setItem("another", "1");
  store.choose("session");
  expect(localStorage.getItem("another")).toBe("1");
});

test("clearing the tab leaves what lasts longer", () => {
  store.set(KEY, "kept");
  store.typed.set(TYPED, "typed");
  store.clearTab();
  expect([store.get(KEY), store.typed.get(TYPED)]).toEqual(["kept", null]);
});

test.each(["快速离开", " 快速离开。", "Quick exit", "QUICK EXIT!"])("%s leaves", (text) =>
  expect(saysExit(text)).toBe(true),
);
test.each(["我想快速离开他", "exit", "", "how do I make a quick exit?"])("%s is said", (text) =>
  expect(saysExit(text)).toBe(false),
);
