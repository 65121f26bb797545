import { DeskClient, MemoryStorage, sessionStore } from "@heartrule/sdk";
import { language } from "./language.js";

const KEPT = "heartrule.desk.token";
const kept = sessionStore();

/** The token of whoever is on duty. It lives as long as the tab. */
export const duty = {
  get token(): string | null {
    return kept.get(KEPT);
  },
  begin(token: string): void {
    kept.set(KEPT, token);
  },
  end(): void {
    kept.remove(KEPT);
  },
};

/** The token of an address like `/desk#token=…`, which is taken out of it at once. */
export function tokenOf(hash: string): string | null {
  return /^#token=([\w.-]+)$/.exec(hash)?.[1] ?? null;
}

/** Asked in the language of the page. What is read stays in memory. */
export function client(): DeskClient {
  return new DeskClient({ base: "", storage: new MemoryStorage(), locale: language.locale });
}
