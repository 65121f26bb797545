import { LitElement, type PropertyDeclarations } from "lit";
import type { Conversation } from "../conversation.js";

/**
 * A session in a page.
 *
 * Attributes: `base` (address of the server, "" for the page's own), `session`, `token`, `locale` (zh-CN or en),
 * `theme` (auto, light or dark). Instead of base, session and token the property `conversation` can be set, by a page
 * that wants to look at the same conversation itself.
 *
 * Events (bubbling, composed): `heartrule-state` with the ConversationState as its detail, after every change.
 */
export class HeartChat extends LitElement {
  static override properties: PropertyDeclarations = {
    base: { type: String },
    session: { type: String },
    token: { type: String },
    locale: { type: String },
    theme: { type: String, reflect: true },
    conversation: { attribute: false },
  };

  declare base: string;
  declare session: string;
  declare token: string;
  declare locale: string;
  declare theme: "auto" | "light" | "dark";
  declare conversation: Conversation | null;
}
