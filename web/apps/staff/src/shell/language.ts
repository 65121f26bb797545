import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { keep, kept } from "./keeping.js";
import { en } from "./texts.en.js";
import { zh } from "./texts.zh-CN.js";

export const LOCALES = ["zh-CN", "en"] as const;
export type Locale = (typeof LOCALES)[number];

/** The texts of a section, one tree for each language; the Chinese one says which there are. */
export type Texts = { readonly [key: string]: string | Texts };
/** The same tree with any words in it: `export const en: Same<typeof zh> = …`. */
export type Same<T> = { readonly [K in keyof T]: T[K] extends string ? string : Same<T[K]> };

/** The language that was chosen in this browser. */
export function chosenHere(): Locale | null {
  const said = kept("locale");
  return said === "zh-CN" || said === "en" ? said : null;
}

function chosen(): Locale {
  const said = chosenHere();
  if (said) return said;
  return navigator.languages.some((each) => each.toLowerCase().startsWith("zh")) ? "zh-CN" : "en";
}

/** Begin to speak, in the language chosen before, else in the browser's. */
export function speak(): void {
  void i18next.use(initReactI18next).init({
    lng: chosen(),
    fallbackLng: "zh-CN",
    defaultNS: "shell",
    resources: { "zh-CN": { shell: zh }, en: { shell: en } },
    interpolation: { escapeValue: false },
    initAsync: false,
    returnNull: false,
  });
  document.documentElement.lang = locale();
}

/** Make the words of a section known; called once, where its module is loaded. `useTranslation(section)` finds them. */
export function teach(section: string, words: { "zh-CN": Texts; en: Texts }): void {
  for (const each of LOCALES) i18next.addResourceBundle(each, section, words[each], true, true);
}

export function locale(): Locale {
  return i18next.language === "en" ? "en" : "zh-CN";
}

export async function choose(next: Locale): Promise<void> {
  keep("locale", next);
  await i18next.changeLanguage(next);
  document.documentElement.lang = next;
}
