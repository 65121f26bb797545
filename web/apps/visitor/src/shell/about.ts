import type { About } from "@heartrule/sdk";
import { rememberContacts } from "../help/contacts.js";
import { type Locale, language } from "../i18n/language.js";
import { server } from "./server.js";
import { store } from "./storage.js";

/** What the server says of itself, asked once a language and page. */
class Place extends EventTarget {
  private readonly known = new Map<Locale, About>();
  private readonly asked = new Map<Locale, Promise<About>>();

  get now(): About | null {
    // All but the contacts is the same in every language.
    return this.known.get(language.locale) ?? [...this.known.values()][0] ?? null;
  }

  ask(locale: Locale = language.locale): Promise<About> {
    let asked = this.asked.get(locale);
    if (!asked) {
      asked = this.request(locale);
      this.asked.set(locale, asked);
      // What failed is asked again the next time.
      asked.catch(() => this.asked.delete(locale));
    }
    return asked;
  }

  private async request(locale: Locale): Promise<About> {
    const about = await server().about(locale);
    this.known.set(locale, about);
    store.limit(about.persistence);
    rememberContacts(locale, about.contacts);
    this.dispatchEvent(new Event("change"));
    return about;
  }
}

export const place = new Place();
