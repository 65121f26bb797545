import { useEffect, useState } from "react";
import { locale } from "./language.js";

const SECOND = 1_000;
const MINUTE = 60_000;

/** Day and time, as short as it can be understood: today's without the day. */
export function moment(at: string, now = Date.now()): string {
  const date = new Date(at);
  const today = new Date(now);
  const sameDay = date.toDateString() === today.toDateString();
  const sameYear = date.getFullYear() === today.getFullYear();
  return date.toLocaleString(locale(), {
    ...(!sameDay && { month: "short", day: "numeric" }),
    ...(!sameYear && { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
}

export function clock(at: string): string {
  return new Date(at).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

export function day(at: string): string {
  return new Date(at).toLocaleDateString(locale(), {
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
  });
}

/** A length of time in its largest unit: "12 分钟", "3 hr". */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [value, unit] =
    seconds < 60
      ? [seconds, "second"]
      : seconds < 3_600
        ? [Math.floor(seconds / 60), "minute"]
        : seconds < 172_800
          ? [Math.floor(seconds / 3_600), "hour"]
          : [Math.floor(seconds / 86_400), "day"];
  return new Intl.NumberFormat(locale(), { style: "unit", unit: unit as string, unitDisplay: "long" }).format(
    value as number,
  );
}

export function since(at: string, now = Date.now()): string {
  return span(now - Date.parse(at));
}

/** The time, told anew as often as an age that began ``at`` changes: every second in its first minute. */
export function useNowFor(at: string): number {
  const [now, setNow] = useState(() => Date.now());
  const young = now - Date.parse(at) < MINUTE;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another time has another age at once
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), young ? SECOND : MINUTE / 4);
    return () => clearInterval(timer);
  }, [at, young]);
  return now;
}

/** The time, told anew every so often, so that what is shown as an age grows. */
export function useNow(every = MINUTE / 4): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
