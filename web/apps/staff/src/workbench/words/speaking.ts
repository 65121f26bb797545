import { useTranslation } from "react-i18next";
import { locale, teach } from "../../shell/language.js";
import type { Both } from "../text/shapes.js";
import { en } from "../texts.en.js";
import { zh } from "../texts.zh-CN.js";
import { en as labelsEn } from "./labels.en.js";
import { zh as labelsZh } from "./labels.zh-CN.js";

export const SECTION = "workbench";

teach(SECTION, { "zh-CN": zh, en });

export function useWords() {
  const { t } = useTranslation(SECTION);
  return t;
}

type LabelKind = Exclude<keyof typeof labelsZh, "own"> | `own.${string}`;
type Label = (of: LabelKind, name: string) => string;

/** A map has thousands of these: they are looked up, not put together. */
function labelled(words: object): Label {
  const kinds = new Map<string, Record<string, string>>();
  for (const [kind, names] of Object.entries(words))
    if (kind === "own")
      for (const [own, all] of Object.entries(names)) kinds.set(`own.${own}`, all as Record<string, string>);
    else kinds.set(kind, names);
  return (of, name) => {
    const names = kinds.get(of);
    return names && Object.hasOwn(names, name) ? (names[name] as string) : name;
  };
}

const LABELS = { "zh-CN": labelled(labelsZh), en: labelled(labelsEn) };

/** A name of the script language as people call it; the name itself where there is no word for it. */
export function useLabel(): Label {
  const { i18n } = useTranslation(SECTION);
  return LABELS[i18n.language === "en" ? "en" : "zh-CN"];
}

/** Of two languages the one that is spoken. */
export function said(both: Both | null): string {
  if (!both) return "";
  return locale() === "en" ? both.en : both.zh;
}

/**
 * Help as it is written for scripts, without their marks: what stands in backquotes is called as the page calls it, where
 * it has a word for it.
 */
export function plain(text: string, label: Label): string {
  return text.replace(/`([^`]+)`/g, (_, name: string) => {
    for (const of of ["fields", "types", "choices"] as const) {
      const word = /^[\w.]+$/.test(name) ? label(of, name) : name;
      if (word !== name) return `“${word}”`;
    }
    return name;
  });
}

/** When something was, short: the time alone when it was today. */
export function moment(at: string | Date): string {
  const date = new Date(at);
  const today = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(locale(), {
    hour: "2-digit",
    minute: "2-digit",
    ...(!today && { month: "short", day: "numeric" }),
  });
}
