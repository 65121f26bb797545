import { store } from "../shell/storage.js";
import { en } from "./en.js";
import { zh } from "./zh-CN.js";

export type Words = typeof zh;
export type Locale = "zh-CN" | "en";

export const LOCALES: readonly { locale: Locale; name: string }[] = [
  { locale: "zh-CN", name: "中文" },
  { locale: "en", name: "English" },
];
const KEPT = "heartrule.visitor.locale";
const WORDS: Record<Locale, Words> = { "zh-CN": zh, en };

/** The first language of the browser that we speak; Chinese when it speaks neither. */
export function preferred(wanted: readonly string[]): Locale {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split("-")[0];
    if (language === "zh") return "zh-CN";
    if (language === "en") return "en";
  }
  return "zh-CN";
}

/** Whether two tags name the same language, whatever the region. */
export function same(one: string, other: string): boolean {
  return one.toLowerCase().split("-")[0] === other.toLowerCase().split("-")[0];
}

class Language extends EventTarget {
  locale: Locale;

  constructor() {
    super();
    const kept = store.get(KEPT);
    this.locale = kept === "zh-CN" || kept === "en" ? kept : preferred(navigator.languages);
  }

  get words(): Words {
    return WORDS[this.locale];
  }

  choose(locale: Locale): void {
    if (locale === this.locale) return;
    this.locale = locale;
    store.set(KEPT, locale);
    this.dispatchEvent(new Event("change"));
  }

  /** A day, with the hour when it is near; in the person's own time zone. */
  moment(at: Date, now = new Date()): string {
    return this.format(at, now).format(at);
  }

  span(from: Date, to: Date, now = new Date()): string {
    return this.format(from, now).formatRange(from, to);
  }

  private format(at: Date, now: Date): Intl.DateTimeFormat {
    const near = Math.abs(now.getTime() - at.getTime()) < 7 * 24 * 3_600_000;
    return new Intl.DateTimeFormat(this.locale, {
      ...(at.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }),
      month: "long",
      day: "numeric",
      ...(near ? { hour: "numeric", minute: "2-digit" } : {}),
    });
  }
}

export const language = new Language();
