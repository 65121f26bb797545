import { Conversation } from "./conversation.js";
import type {
  About,
  Created,
  Message,
  MessageList,
  NewSession,
  Recovery,
  Script,
  Session,
  SessionList,
} from "./shapes.js";
import type { Storage } from "./storage.js";

export interface ClientOptions {
  /** Address of the server, without `/api/v1`; "" for the page's own. */
  base: string;
  /** Where the outbox is kept: localStorage, unless something else is given. */
  storage?: Storage;
  /** Language of problems and of what `about` gives. */
  locale?: string;
  fetch?: typeof globalThis.fetch;
}

/** The API, request by request. Every method throws `Problem`. */
export class Client {
  constructor(readonly options: ClientOptions) {}

  async about(_locale?: string): Promise<About> {
    throw new Error("not there yet");
  }
  async scripts(): Promise<Script[]> {
    throw new Error("not there yet");
  }
  async create(_session: NewSession, _personToken?: string): Promise<Created> {
    throw new Error("not there yet");
  }
  async sessions(_personToken: string, _page?: { limit?: number; before?: string }): Promise<SessionList> {
    throw new Error("not there yet");
  }
  async session(_id: string, _token: string): Promise<Session> {
    throw new Error("not there yet");
  }
  async messages(
    _id: string,
    _token: string,
    _page?: { after?: number; before?: number; limit?: number },
  ): Promise<MessageList> {
    throw new Error("not there yet");
  }
  /** The whole transcript. */
  async transcript(_id: string, _token: string): Promise<Message[]> {
    throw new Error("not there yet");
  }
  async pause(_id: string, _token: string): Promise<Session> {
    throw new Error("not there yet");
  }
  async recovery(_id: string, _token: string): Promise<Recovery> {
    throw new Error("not there yet");
  }
  async startOver(_id: string, _token: string): Promise<Created> {
    throw new Error("not there yet");
  }
  /** A session to be held; `open()` it. `token` is a session's or a person's. */
  conversation(id: string, token: string): Conversation {
    return new Conversation(this, id, token);
  }
}
