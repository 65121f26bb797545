import type { components } from "./api.js";
import { at, Client } from "./client.js";
import type {
  DeskItem,
  DeskSession,
  DeskShow,
  Escalation,
  Form,
  FormAnswers,
  Judged,
  LeftForms,
  MessageList,
  OnDuty,
  OpenedEscalation,
  OpenedReply,
  Review,
  ReviewQueue,
  Turn,
} from "./shapes.js";

/** How a counsellor leaves; absent: it waits behind danger, else the program goes on. */
export type Leaving = Partial<Omit<components["schemas"]["HandBack"], "key">>;

/** A turn that was under way ends first, and the counsellor's own is short. */
const A_TURN = 60_000;

/** What a counsellor on duty may ask for; every method throws `Problem`. Its `conversation()` follows a session as the
 * person's own does; nothing is to be sent through that. */
export class DeskClient extends Client {
  async me(token: string): Promise<OnDuty> {
    return await this.http.json("GET", "/desk/me", { token, want: "projects" });
  }

  /** Says that whoever asks is there, or no longer; it has to be said again within 90 seconds. */
  async here(token: string, here: boolean): Promise<OnDuty> {
    return await this.http.json("PUT", "/desk/me/here", { token, body: { here }, want: "projects" });
  }

  /** Sessions without their content; those that wait for somebody first. */
  async attended(token: string, show: DeskShow): Promise<DeskItem[]> {
    const sent = { token, query: { show }, want: "sessions" };
    const found: { sessions: DeskItem[] } = await this.http.json("GET", "/desk/sessions", sent);
    return found.sessions;
  }

  /** That it was looked at stands on record. */
  override async session(id: string, token: string): Promise<DeskSession> {
    return await this.http.json("GET", desk(id), { token, want: "last_event_id" });
  }

  override async messages(
    id: string,
    token: string,
    page: { after?: number; before?: number; limit?: number } = {},
  ): Promise<MessageList> {
    return await this.http.json("GET", desk(id, "/messages"), { token, query: page, want: "messages" });
  }

  override async events(
    id: string,
    token: string,
    lastId: number | null,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    return await this.http.stream(desk(id, "/events"), { token, signal }, lastId);
  }

  /** `instead`: the id of the colleague who is to be relieved. */
  async takeOver(id: string, token: string, key: string, instead?: string): Promise<Turn> {
    return await this.post(id, "/takeover", token, { key, ...(instead === undefined ? {} : { instead }) });
  }

  async say(id: string, token: string, key: string, text: string): Promise<Turn> {
    return await this.post(id, "/messages", token, { key, text });
  }

  async handBack(id: string, token: string, key: string, leaving: Leaving = {}): Promise<Turn> {
    return await this.post(id, "/hand-back", token, { key, ...leaving });
  }

  /** Lets the person see that something is being written. What goes wrong is no matter. */
  async typing(id: string, token: string): Promise<void> {
    await this.http.nothing("POST", desk(id, "/typing"), { token }).catch(() => {});
  }

  async escalations(token: string): Promise<Escalation[]> {
    const sent = { token, want: "escalations" };
    const found: { escalations: Escalation[] } = await this.http.json("GET", "/desk/escalations", sent);
    return found.escalations;
  }

  async acknowledge(escalation: Escalation | OpenedEscalation, token: string): Promise<void> {
    const path = `/escalations/${encodeURIComponent(escalation.id)}/acknowledge`;
    await this.http.json("POST", desk(escalation.session, path), { token, want: "escalations" });
  }

  /** Replies that are to be judged, without a word of them. */
  async replies(token: string): Promise<ReviewQueue> {
    return await this.http.json("GET", "/desk/reviews", { token, want: "replies" });
  }

  /** A reply with what stands round it. That it was looked at stands on record. */
  async reply(session: string, message: number, token: string): Promise<OpenedReply> {
    return await this.http.json("GET", desk(session, `/reviews/${message}`), { token, want: "context" });
  }

  /** In place of what was said of it before. */
  async judge(session: string, message: number, token: string, judged: Judged): Promise<Review> {
    const sent = { token, body: judged, want: "verdict" };
    return await this.http.json("PUT", desk(session, `/reviews/${message}`), sent);
  }

  /** The forms that wait for a counsellor, and those that were handed in. That they were seen stands on record. */
  async left(session: string, token: string): Promise<LeftForms> {
    return await this.http.json("GET", desk(session, "/forms"), { token, want: "waiting" });
  }

  /** A draft, for whoever goes on with it. */
  async keep(session: string, key: string, token: string, values: FormAnswers): Promise<Form> {
    const sent = { token, body: { values }, want: "fields" };
    return await this.http.json("PUT", desk(session, `/forms/${encodeURIComponent(key)}`), sent);
  }

  /** Null where it was handed in, else the form with what is wrong. */
  async handIn(session: string, key: string, token: string, values: FormAnswers): Promise<Form | null> {
    const sent = { token, body: { values }, want: "form", timeout: A_TURN };
    const path = desk(session, `/forms/${encodeURIComponent(key)}/submit`);
    const found: { form: Form | null } = await this.http.json("POST", path, sent);
    return found.form;
  }

  private async post(id: string, path: string, token: string, body: object): Promise<Turn> {
    return await this.http.json("POST", desk(id, path), { token, body, want: "turn", timeout: A_TURN });
  }
}

function desk(id: string, rest = ""): string {
  return `/desk${at(id, rest)}`;
}
