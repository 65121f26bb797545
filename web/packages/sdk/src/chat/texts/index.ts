import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export type Texts = typeof zhCN;

/** The nearest language there is; Chinese when there is none. */
export function textsOf(locale: string): { locale: "zh-CN" | "en"; texts: Texts } {
  return /^en\b/i.test(locale) ? { locale: "en", texts: en } : { locale: "zh-CN", texts: zhCN };
}

/** `{name}` in a text, filled in. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
