/** Who can be called. What the server said last is kept, so that the numbers are there without a connection; what is
 * written here is the last resort, for a device that has never heard from the server. */
import type { Locale } from "../i18n/language.js";
import { readJson, writeJson } from "../shell/storage.js";

export interface Contact {
  name: string;
  number: string;
  note?: string | null;
}

const KEPT = "heartrule.visitor.contacts.";
const LAST_RESORT: Record<Locale, readonly Contact[]> = {
  "zh-CN": [
    { name: "急救", number: "120", note: "已经受伤或服药，马上打，24 小时" },
    { name: "报警求助", number: "110", note: "有立即的危险，24 小时" },
    { name: "全国统一心理援助热线", number: "12356", note: "每天至少 18 小时；打不通请打 110 或 120" },
  ],
  en: [
    { name: "Emergency services", number: "112", note: "999 in the UK and Ireland, 911 in the US and Canada" },
    { name: "Samaritans (UK, Ireland)", number: "116 123", note: "24 hours, free" },
    { name: "Suicide & Crisis Lifeline (US, Canada)", number: "988", note: "call or text, 24 hours, free" },
    { name: "Helplines of your country", number: "findahelpline.com", note: "which to call or write to" },
  ],
};

export function contactsFor(locale: Locale): readonly Contact[] {
  return readJson(KEPT + locale, areContacts) ?? LAST_RESORT[locale];
}

/** An empty or broken list never takes the place of numbers that work. */
export function rememberContacts(locale: Locale, contacts: unknown): void {
  if (areContacts(contacts)) writeJson(KEPT + locale, contacts);
}

function areContacts(value: unknown): value is readonly Contact[] {
  return Array.isArray(value) && value.length > 0 && value.every(isContact);
}

function isContact(value: unknown): value is Contact {
  if (typeof value !== "object" || value === null) return false;
  const { name, number, note } = value as Record<string, unknown>;
  const noted = note === undefined || note === null || typeof note === "string";
  return typeof name === "string" && typeof number === "string" && number !== "" && noted;
}
