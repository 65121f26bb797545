import type { ConversationState } from "../../state.js";

/** What a widget tells its page, each `heartrule-…` as an event. */
export const NAMES = [
  "ready",
  "open",
  "close",
  "started",
  "message",
  "sent",
  "unread",
  "form",
  "crisis",
  "ended",
  "erased",
  "error",
  "moved",
  "state",
] as const;
export type Name = (typeof NAMES)[number];

/** What has happened between one state and the next. What was said before the widget came is not news. */
export class Telling {
  private session: string | null = null;
  private last = 0;
  private form = "";
  private crisis = false;
  private ended = false;
  private problem: unknown = null;

  constructor(private readonly tell: (name: Name, detail: unknown) => void) {}

  take(state: ConversationState): void {
    this.fail(state);
    const { session, messages, request } = state;
    if (!session) return;
    if (session.id !== this.session) this.begin(state, session.id);
    for (const message of messages) {
      if (message.seq <= this.last) continue;
      this.last = message.seq;
      this.tell(message.sender === "person" ? "sent" : "message", message);
    }
    if (request.form && request.form.key !== this.form)
      this.tell("form", { id: request.form.id, name: request.form.name });
    this.form = request.form?.key ?? "";
    if (state.inCrisis !== this.crisis) this.tell("crisis", { inCrisis: state.inCrisis });
    this.crisis = state.inCrisis;
    const ended = state.status === "ended";
    if (ended && !this.ended) this.tell("ended", { session: session.id });
    this.ended = ended;
  }

  private begin(state: ConversationState, id: string): void {
    this.session = id;
    this.last = state.session?.turn === 0 ? 0 : (state.messages.at(-1)?.seq ?? 0);
    this.form = "";
    this.crisis = this.ended = false;
    this.tell("ready", { session: id });
  }

  private fail({ problem }: ConversationState): void {
    if (problem && problem !== this.problem) {
      this.tell("error", { code: problem.code, status: problem.status, title: problem.title });
    }
    this.problem = problem;
  }
}
