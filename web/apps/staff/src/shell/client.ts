import { DeskClient, MemoryStorage } from "@heartrule/sdk";
import { guarded } from "./api.js";
import { locale } from "./language.js";

/** The desk's API as the SDK speaks it, signed in by the cookie. What is read stays in memory. */
export function deskClient(): DeskClient {
  return new DeskClient({ base: "", storage: new MemoryStorage(), locale: locale(), fetch: guarded });
}
