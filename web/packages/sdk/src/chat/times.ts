import type { Texts } from "./texts/index.js";

/** After so long a silence the time is said again. */
const SILENCE = 30 * 60_000;
const DAY = 86_400_000;

/** What stands above a message that was said at `at`, the one before it at `before`; null when nothing has to. */
export function separator(at: string, before: string | null, locale: string, texts: Texts, now: Date): string | null {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return null;
  if (before !== null) {
    const earlier = new Date(before);
    if (day(earlier) === day(moment) && moment.getTime() - earlier.getTime() < SILENCE) return null;
  }
  const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }).format(moment);
  return `${dayName(moment, locale, texts, now)} ${time}`;
}

function dayName(moment: Date, locale: string, texts: Texts, now: Date): string {
  if (day(moment) === day(now)) return texts.today;
  if (day(moment) === day(new Date(now.getTime() - DAY))) return texts.yesterday;
  const year = moment.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  return new Intl.DateTimeFormat(locale, { ...year, month: "long", day: "numeric" }).format(moment);
}

function day(moment: Date): string {
  return `${moment.getFullYear()}-${moment.getMonth()}-${moment.getDate()}`;
}
