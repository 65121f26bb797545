import { Conversation } from "./conversation.js";
import { Http, type Sent } from "./http.js";
import type { Identity } from "./identity.js";
import type {
  About,
  Created,
  FormResult,
  FormResults,
  MemoryList,
  Message,
  MessageList,
  NamedContact,
  NewSession,
  Recovery,
  Remembering,
  Report,
  ReportReason,
  Script,
  Session,
  SessionList,
  Space,
  Stopping,
  Timeline,
  Turn,
  TurnRequest,
} from "./shapes.js";
import { localStore, type Storage } from "./storage.js";
import { whereabouts } from "./whereabouts.js";

/** Milliseconds: a pause waits for the turn that is under way, which may take 20 seconds, and more on a slow machine. */
const A_TURN = 60_000;

export interface ClientOptions {
  /** Address of the server, without `/api/v1`; "" for the page's own. */
  base: string;
  /** Where the outbox is kept: localStorage, unless something else is given. */
  storage?: Storage;
  /** Language of problems and of what `about` gives. */
  locale?: string;
  fetch?: typeof globalThis.fetch;
  /** Who the person is to the page; its token is then sent on each request, in place of any other. */
  identity?: Identity | null;
}

export interface SummaryOptions {
  format?: "html" | "pdf";
  /** In whose times it is told, as IANA calls it; UTC unless given. */
  zone?: string;
}

const FILES = { html: "text/html", pdf: "application/pdf" };

type Waiting = Pick<Sent, "signal" | "timeout">;

/** The API, request by request. Every method throws `Problem`. */
export class Client {
  readonly storage: Storage;
  readonly locale: string | undefined;
  protected readonly http: Http;

  constructor(readonly options: ClientOptions) {
    this.storage = options.storage ?? localStore();
    this.locale = options.locale;
    this.http = new Http(options.base, options.locale, options.fetch, options.identity);
  }

  /** The numbers in it are those of the country where the browser is, as far as its clock and its language tell. */
  async about(locale: string | undefined = this.locale): Promise<About> {
    return await this.http.json("GET", "/about", { query: whereabouts(locale), want: "version" });
  }

  async scripts(): Promise<Script[]> {
    return await this.http.json("GET", "/scripts");
  }

  /** `personToken`, when there is one, makes the session that person's. The numbers that the conversation names are those
   *  of the country where the browser is, as far as its clock tells. */
  async create(session: NewSession, personToken?: string): Promise<Created> {
    const { zone } = whereabouts(session.locale ?? this.locale);
    const body = zone ? { zone, ...session } : session;
    return await this.http.json("POST", "/sessions", { token: personToken, body, want: "session" });
  }

  /** A person's sessions, the newest first. */
  async sessions(personToken: string, page: { limit?: number; before?: string } = {}): Promise<SessionList> {
    return await this.http.json("GET", "/sessions", { token: personToken, query: page, want: "sessions" });
  }

  async session(id: string, token: string): Promise<Session> {
    return await this.http.json("GET", at(id), { token, want: "last_event_id" });
  }

  async messages(
    id: string,
    token: string,
    page: { after?: number; before?: number; limit?: number } = {},
  ): Promise<MessageList> {
    return await this.http.json("GET", at(id, "/messages"), { token, query: page, want: "messages" });
  }

  /** The forms that were handed in, oldest first. */
  async forms(id: string, token: string): Promise<FormResult[]> {
    const { forms }: FormResults = await this.http.json("GET", at(id, "/forms"), { token, want: "forms" });
    return forms;
  }

  /** The whole transcript. */
  async transcript(id: string, token: string): Promise<Message[]> {
    const all: Message[] = [];
    for (;;) {
      const page = await this.messages(id, token, { after: all.at(-1)?.seq ?? 0, limit: 500 });
      all.push(...page.messages);
      if (!page.more || page.messages.length === 0) return all;
    }
  }

  async turn(id: string, token: string, turn: TurnRequest, waiting: Waiting = {}): Promise<Turn> {
    return await this.http.json("POST", at(id, "/turns"), { token, body: turn, want: "turn", ...waiting });
  }

  /** Asks the reply that is under way to end where it is. `stopping` is false when none is. */
  async stop(id: string, token: string): Promise<Stopping> {
    return await this.http.json("POST", at(id, "/stop"), { token, want: "stopping" });
  }

  /** Takes a message of the person's back: the last one with all that came of it, of an older one the words alone. */
  async recall(id: string, token: string, key: string, message: number): Promise<Turn> {
    const body = { key, message };
    return await this.http.json("POST", at(id, "/recall"), { token, body, want: "turn", timeout: A_TURN });
  }

  /** Says that a reply does not fit, and why; `new` is false where it had been reported before. */
  async report(id: string, token: string, message: number, reason: ReportReason, text = ""): Promise<Report> {
    const body = { message, reason, ...(text ? { text } : {}) };
    return await this.http.json("POST", at(id, "/reports"), { token, body, want: "reason" });
  }

  /** What the person has reported. */
  async reports(id: string, token: string): Promise<Report[]> {
    const found: { reports: Report[] } = await this.http.json("GET", at(id, "/reports"), { token, want: "reports" });
    return found.reports;
  }

  async pause(id: string, token: string): Promise<Session> {
    return await this.http.json("POST", at(id, "/pause"), { token, want: "last_event_id", timeout: A_TURN });
  }

  async resume(id: string, token: string, key?: string, waiting: Waiting = {}): Promise<Turn> {
    return await this.http.json("POST", at(id, "/resume"), { token, body: { key }, want: "turn", ...waiting });
  }

  async end(id: string, token: string, key?: string, waiting: Waiting = {}): Promise<Turn> {
    return await this.http.json("POST", at(id, "/end"), { token, body: { key }, want: "turn", ...waiting });
  }

  /** A token to put behind the `#` of a link that opens the session elsewhere. */
  async recovery(id: string, token: string): Promise<Recovery> {
    return await this.http.json("POST", at(id, "/recovery"), { token, want: "token" });
  }

  /** A new session in place of one that cannot be restored; it keeps messages and variables. */
  async startOver(id: string, token: string): Promise<Created> {
    return await this.http.json("POST", at(id, "/start-over"), { token, want: "session" });
  }

  /** What is kept of a person. */
  async space(personToken: string): Promise<Space> {
    const { locale } = this.options;
    return await this.http.json("GET", "/persons/me", { token: personToken, query: { locale }, want: "known" });
  }

  /** Everything that is kept of a person, as a document to take along. */
  async exported(personToken: string): Promise<Record<string, unknown>> {
    const { locale } = this.options;
    const sent = { token: personToken, query: { locale }, want: "sessions", timeout: A_TURN };
    return await this.http.json("GET", "/persons/me/export", sent);
  }

  /** What a session came to, as a page that needs nothing else, or as a PDF where `about` says so. */
  async summary(id: string, token: string, more: SummaryOptions = {}): Promise<Blob> {
    const { format = "html", ...query } = more;
    return await this.http.file(at(id, "/summary"), FILES[format], {
      token,
      query: { format, ...query },
      timeout: A_TURN,
    });
  }

  /** What all of a person's sessions came to, and how their scores went. */
  async record(personToken: string, more: SummaryOptions & { locale?: string | undefined } = {}): Promise<Blob> {
    const { format = "html", locale = this.locale, ...query } = more;
    const sent = { token: personToken, query: { format, locale, ...query }, timeout: A_TURN };
    return await this.http.file("/persons/me/summary", FILES[format], sent);
  }

  /** Takes back what was agreed to before a session, which ends by it. */
  async withdraw(id: string, token: string): Promise<void> {
    await this.http.nothing("DELETE", at(id, "/consent"), { token, timeout: A_TURN });
  }

  /** Whom a person wants told when they need help; `Problem` `not-found` for nobody. */
  async contact(personToken: string): Promise<NamedContact> {
    return await this.http.json("GET", "/persons/me/contact", { token: personToken, want: "email" });
  }

  async forgetContact(personToken: string): Promise<void> {
    await this.http.nothing("DELETE", "/persons/me/contact", { token: personToken });
  }

  /** Has one thing forgotten that is known of a person. */
  async forget(personToken: string, project: string, name: string): Promise<void> {
    const path = `/persons/me/known/${encodeURIComponent(project)}/${encodeURIComponent(name)}`;
    await this.http.nothing("DELETE", path, { token: personToken });
  }

  /** Has one thing forgotten that was told or explained. */
  async forgetRemembered(personToken: string, item: string): Promise<void> {
    await this.http.nothing("DELETE", `/persons/me/remembered/${encodeURIComponent(item)}`, { token: personToken });
  }

  /** Whether conversations may know of earlier ones; with `on`, what the person wants from now on. */
  async remembering(personToken: string, on?: boolean): Promise<Remembering> {
    const path = "/persons/me/remembering";
    if (on === undefined) return await this.http.json("GET", path, { token: personToken });
    return await this.http.json("PUT", path, { token: personToken, body: { on } });
  }

  /** What is remembered of a person; with `q`, what is nearest to it. */
  async memories(personToken: string, q = ""): Promise<MemoryList> {
    const query = q ? { q } : {};
    return await this.http.json("GET", "/persons/me/memories", { token: personToken, query, want: "memories" });
  }

  /** What happened to a person, how scores went, what was reached. */
  async timeline(personToken: string): Promise<Timeline> {
    return await this.http.json("GET", "/persons/me/timeline", { token: personToken, want: "events" });
  }

  /** Puts right what is remembered. */
  async correctMemory(personToken: string, item: string, text: string): Promise<void> {
    const path = `/persons/me/memories/${encodeURIComponent(item)}`;
    await this.http.nothing("PUT", path, { token: personToken, body: { text } });
  }

  /** Has one thing forgotten that is remembered beside the turns. */
  async forgetMemory(personToken: string, item: string): Promise<void> {
    await this.http.nothing("DELETE", `/persons/me/memories/${encodeURIComponent(item)}`, { token: personToken });
  }

  /** Removes a session for good. */
  async remove(id: string, token: string): Promise<void> {
    await this.http.nothing("DELETE", at(id), { token });
  }

  /** Erases everything that is kept of a person, for good. */
  async erase(personToken: string): Promise<void> {
    await this.http.nothing("DELETE", "/persons/me", { token: personToken });
  }

  /** The bytes of `text/event-stream`; `Conversation` reads them. */
  async events(
    id: string,
    token: string,
    lastId: number | null,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    return await this.http.stream(at(id, "/events"), { token, signal }, lastId);
  }

  /** A session to be held; `open()` it. `token` is a session's or a person's. */
  conversation(id: string, token: string): Conversation {
    return new Conversation(this, id, token);
  }
}

export function at(id: string, rest = ""): string {
  return `/sessions/${encodeURIComponent(id)}${rest}`;
}
