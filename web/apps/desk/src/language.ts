import { store } from "../../visitor/src/shell/storage.js";
import { en } from "./i18n/en.js";
import { zh } from "./i18n/zh-CN.js";

export type Words = typeof zh;
export type Locale = "zh-CN" | "en";

const KEPT = "heartrule.desk.locale";
const WORDS: Record<Locale, Words> = { "zh-CN": zh, en };

/** The first language of the browser that we speak; Chinese when it speaks neither. */
export function preferred(wanted: readonly string[]): Locale {
  const known = wanted.map((tag) => tag.toLowerCase().split("-")[0]).find((name) => name === "zh" || name === "en");
  return known === "en" ? "en" : "zh-CN";
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
    this.locale = locale;
    store.set(KEPT, locale);
    this.dispatchEvent(new Event("change"));
  }

  /** How long ago that was. */
  age(since: string, now = Date.now()): string {
    const minutes = Math.floor((now - Date.parse(since)) / 60_000);
    if (minutes < 1) return this.words.justNow;
    return minutes < 60 ? this.words.minutes(minutes) : this.words.hours(Math.floor(minutes / 60));
  }
}

export const language = new Language();
