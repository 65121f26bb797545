// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { Scrolling } from "../src/chat/scrolling.js";

/** An area 100 pixels high with 1,000 in it, and the controller of it. */
function shown() {
  const root = document.createElement("div");
  const area = document.createElement("div");
  area.className = "scroll";
  let tall = 1_000;
  Object.defineProperty(area, "scrollHeight", { get: () => tall });
  Object.defineProperty(area, "clientHeight", { get: () => 100 });
  let top = 0;
  Object.defineProperty(area, "scrollTop", { get: () => top, set: (to: number) => (top = Math.min(to, tall - 100)) });
  root.append(area);
  const host = { renderRoot: root, addController: vi.fn(), removeController: vi.fn(), requestUpdate: vi.fn() };
  const scrolling = new Scrolling({ ...host, updateComplete: Promise.resolve(true) }, () => undefined);
  scrolling.hostUpdated();
  return { area, scrolling, grow: (by: number) => (tall += by) };
}

test("who is at the end stays there while it grows", () => {
  const { area, scrolling, grow } = shown();
  scrolling.toEnd();
  grow(200);
  scrolling.stay();
  expect(area.scrollTop).toBe(1_100);
});

test("who has just scrolled up is left in peace before the browser tells of it", () => {
  const { area, scrolling, grow } = shown();
  scrolling.toEnd();
  area.scrollTop = 40;
  grow(200);
  scrolling.stay();
  expect(area.scrollTop).toBe(40);
  expect(scrolling.atEnd).toBe(false);
  scrolling.follow(null);
  expect(area.scrollTop).toBe(40);
});

test("under what is being filled in nothing moves", () => {
  const { area, scrolling, grow } = shown();
  scrolling.toEnd();
  scrolling.still = true;
  grow(200);
  scrolling.stay();
  expect(area.scrollTop).toBe(900);
});

test("what begins is shown from its first word, though there be more than fits", () => {
  const { area, scrolling, grow } = shown();
  scrolling.opening = true;
  scrolling.follow(null);
  grow(200);
  scrolling.stay();
  expect(area.scrollTop).toBe(0);
  expect(scrolling.atEnd).toBe(false);
  scrolling.toEnd();
  grow(100);
  scrolling.stay();
  expect(area.scrollTop).toBe(1_200);
});
