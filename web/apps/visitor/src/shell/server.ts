import { Client } from "@heartrule/sdk";
import { language } from "../i18n/language.js";
import { store } from "./storage.js";

const clients = new Map<string, Client>();

/** The server that gave us this page, asked in the language of the page. */
export function server(): Client {
  const { locale } = language;
  let client = clients.get(locale);
  if (!client) {
    client = new Client({ base: "", storage: store, locale });
    clients.set(locale, client);
  }
  return client;
}
