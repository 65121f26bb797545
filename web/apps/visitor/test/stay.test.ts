import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LONG, Stay } from "../src/session/stay.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("an hour on screen is told of once, and only what was looked at counts", () => {
  const reached = vi.fn();
  const stay = new Stay(reached);
  stay.set(true);
  stay.set(true);
  vi.advanceTimersByTime(LONG - 1000);
  stay.set(false);
  vi.advanceTimersByTime(10 * LONG);
  expect(reached).not.toHaveBeenCalled();
  stay.set(true);
  vi.advanceTimersByTime(999);
  expect(reached).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(reached).toHaveBeenCalledTimes(1);
  stay.set(false);
  stay.set(true);
  vi.advanceTimersByTime(10 * LONG);
  expect(reached).toHaveBeenCalledTimes(1);
});

test("nothing is told once nobody looks any more", () => {
  const reached = vi.fn();
  const stay = new Stay(reached);
  stay.set(true);
  stay.set(false);
  vi.advanceTimersByTime(10 * LONG);
  expect(reached).not.toHaveBeenCalled();
});
