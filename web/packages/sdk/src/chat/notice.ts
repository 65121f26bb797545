import type { About } from "../shapes.js";
import { fill, type Texts } from "./texts/index.js";

/** Which notice somebody has agreed to: raised whenever what it says changes, in any language. Kept by the server with each
 * session that is begun after it. */
export const NOTICE = "2026-11-23";

/** One thing that somebody must know before the first word. `numbers`: whom to call stands below it. */
export interface NoticeAnswer {
  readonly question: string;
  readonly lines: readonly string[];
  readonly numbers?: boolean;
}

/** All of it, from what the server says of itself; null: nobody knows yet. `mode`: of a session that was made before. */
export function noticeAnswers(about: About | null, texts: Texts, mode: About["mode"] | null = null): NoticeAnswer[] {
  return [
    { question: texts.noticeWho, lines: [texts.noticeWhoText, run(about, texts)] },
    { question: texts.noticeCannot, lines: [texts.noticeCannotText], numbers: true },
    { question: texts.noticeWords, lines: [whereTo(about, texts, mode), texts.noticeStored] },
    { question: texts.noticeRead, lines: [texts.noticeReadText] },
    { question: texts.noticeKept, lines: [kept(about, texts), texts.noticeYours] },
    { question: texts.noticeFree, lines: [texts.noticeFreeText] },
  ];
}

function whereTo(about: About | null, texts: Texts, mode: About["mode"] | null): string {
  if ((mode ?? about?.mode) === "script") return texts.noticeScript;
  if (!about?.model) return texts.noticeUnknown;
  return fill(texts.wordsModel, { name: about.model.name, hosts: about.model.hosts.join(", ") });
}

function run(about: About | null, texts: Texts): string {
  if (!about) return texts.noticeUnknown;
  return about.operator ? fill(texts.noticeOperator, { ...about.operator }) : texts.noticeNobody;
}

function kept(about: About | null, texts: Texts): string {
  const days = about?.keep_days ?? 0;
  return days > 0 ? fill(texts.noticeKeptDays, { days }) : texts.noticeKeptOn;
}
