import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { locale } from "../shell/language.js";
import type { Person, Trigger } from "./shapes.js";

/** What a person is called where their name is not known. */
export function nameOf({ pseudonym }: Person): string {
  return locale() === "en" ? pseudonym.en : pseudonym.zh;
}

/** Of the noun: many share what stands before it. */
export function initialOf({ pseudonym: { zh, en } }: Person): string {
  return locale() === "en" ? (en.split(" ").at(-1) ?? en).slice(0, 1) : ([...zh].at(-2) ?? zh);
}

/** Somebody, told from others by a name, a short id and a colour. */
export function PersonName({ person }: { person: Person }) {
  return (
    <span className="whom" style={{ "--hue": String(person.hue) } as CSSProperties}>
      <span className="dot" aria-hidden="true">
        {initialOf(person)}
      </span>
      <b>{nameOf(person)}</b> <code className="soft">{person.key}</code>
    </span>
  );
}

const HAN = /\p{Script=Han}/u;

/** What scripts say in both languages, "中文 / English" or sentence by sentence, in the one that is spoken here. */
export function inOne(words: string): string {
  const parts = words.includes(" / ") ? words.split(" / ") : words.split(/(?<=[。！？])\s*|(?<=[.!?])\s+/);
  const chinese = parts.filter((part) => HAN.test(part));
  const other = parts.filter((part) => !HAN.test(part));
  if (chinese.length === 0 || other.length === 0) return words;
  return locale() === "en" ? other.join(" ") : chinese.join("");
}

/** What is found by a rule, as it is called here: those of the library by our words, others by their author's. */
export function useTitleOf(): (trigger: Trigger) => string {
  const { t, i18n } = useTranslation("desk");
  return ({ awareness, name }) => {
    const ours = `picture.names.${awareness.split("/").at(-1)}`;
    return i18n.exists(`desk:${ours}`) ? t(ours) : inOne(name);
  };
}
