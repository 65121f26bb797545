import { locale } from "../shell/language.js";

/** The one of two texts that is read here. */
export function said(both: { zh: string; en: string }): string {
  return locale() === "en" ? both.en : both.zh;
}

export function percent(share: number | null): string {
  return share === null
    ? "–"
    : new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 1 }).format(share);
}
