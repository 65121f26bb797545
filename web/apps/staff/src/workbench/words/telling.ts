import type { TFunction } from "i18next";
import type { Finding } from "../text/shapes.js";

type Label = (of: "fields", name: string) => string;

/** Findings that are about a line to write, and are said of a field to fill in where there are fields. */
const OWN = ["E102", "W233", "W236", "W402", "W440"] as const;
const QUOTED = /[“`]([a-z_]+)[”`]/g;
const BARE = /(?<![\w{/.“`'"-])([a-z_]{2,})(?![\w}/.”`'"-])/g;

/** A finding in the words of the page: a field is called as its label calls it, and nobody is sent to write a line. */
export function telling(finding: Finding, label: Label, t: TFunction<"workbench">): { message: string; hint: string } {
  const own = OWN.find((code) => code === finding.code);
  const about = finding.code === "E102" ? label("fields", finding.about) : finding.about;
  if (own && about)
    return { message: t(`findings.told.${own}`, { about }), hint: t(`findings.mends.${own}`, { about }) };
  const named = (text: string) => called(text, label, finding.code.startsWith("E1") ? "" : finding.about);
  return { message: named(finding.message), hint: named(finding.hint) };
}

/** In Chinese a word in small letters is the script's own; in English only what stands in quotes can be told for one. */
function called(text: string, label: Label, about: string): string {
  const word = (whole: string, name: string) => {
    const known = name === about ? name : label("fields", name);
    return known === name ? whole : `“${known}”`;
  };
  const quoted = text.replace(QUOTED, word);
  return /[\u4e00-\u9fff]/.test(text) ? quoted.replace(BARE, word) : quoted;
}
