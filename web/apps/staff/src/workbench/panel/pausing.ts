import { useCallback, useEffect, useRef, useState } from "react";

/** Milliseconds of rest after which what is typed goes into the text. */
const REST = 450;
const pending = new Set<() => void>();

/** What is still being typed in any control goes into the text now. */
export function flushed(): void {
  for (const now of [...pending]) now();
}

/**
 * What somebody types, told at each pause and when the control is left. Until then, and as long as they are in it, it
 * is theirs; else it follows the text.
 */
export function usePausing<T>(value: T, set: (value: T) => void, same: (a: T, b: T) => boolean = Object.is) {
  const [typed, setTyped] = useState<T>(value);
  const told = useRef(value);
  const waiting = useRef<T | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(set);
  latest.current = set;

  const now = useCallback(() => {
    clearTimeout(timer.current);
    pending.delete(now);
    const next = waiting.current;
    if (next === undefined) return;
    waiting.current = undefined;
    told.current = next;
    latest.current(next);
  }, []);
  const type = useCallback(
    (next: T) => {
      setTyped(next);
      waiting.current = next;
      pending.add(now);
      clearTimeout(timer.current);
      timer.current = setTimeout(now, REST);
    },
    [now],
  );

  useEffect(() => {
    if (waiting.current !== undefined || same(told.current, value)) {
      if (waiting.current === undefined) setTyped(value);
      return;
    }
    told.current = value;
    setTyped(value);
  }, [value, same]);
  useEffect(() => now, [now]);
  return { typed, type, now };
}
