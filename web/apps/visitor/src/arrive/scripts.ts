import type { Script } from "@heartrule/sdk";
import { same } from "../i18n/language.js";
import { server } from "../shell/server.js";

let read: Promise<Script[]> | null = null;

/** What can be talked through; read once a visit, and again after a failure or when asked anew. */
export function scripts(anew = false): Promise<Script[]> {
  if (!read || anew) {
    read = server().scripts();
    read.catch(() => {
      read = null;
    });
  }
  return read;
}

/** Those in one's own language, and the others. */
export function byLanguage(all: readonly Script[], locale: string): { own: Script[]; others: Script[] } {
  const own = all.filter((script) => same(script.locale, locale));
  return { own, others: all.filter((script) => !own.includes(script)) };
}
