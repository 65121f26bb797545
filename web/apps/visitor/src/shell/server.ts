import { Client } from "@heartrule/sdk";
import { language } from "../i18n/language.js";
import { Held } from "../session/held.js";
import { store } from "./storage.js";

/** Whose conversations can be left by a word. */
class Visited extends Client {
  override conversation(id: string, token: string): Held {
    return new Held(this, id, token);
  }
}

const clients = new Map<string, Client>();

/** The server that gave us this page, asked in the language of the page. */
export function server(): Client {
  const { locale } = language;
  let client = clients.get(locale);
  if (!client) {
    client = new Visited({ base: "", storage: store, locale });
    clients.set(locale, client);
  }
  return client;
}
