import type { Contact, Form, FormValue, Message, Request, Session, Turn } from "../src/shapes.js";

/** What may happen to a request on its way. */
export type Fault =
  | "none"
  /** It never arrives. */
  | "lost"
  /** It arrives, and its answer does not. */
  | "unanswered"
  /** It arrives, and nothing ever comes back. */
  | "mute"
  /** It arrives twice. */
  | "doubled"
  | "500"
  | "503"
  | "429"
  /** Something in between answers with a page of its own. */
  | "portal"
  /** Nothing ever comes back. */
  | "hangs";

/** What may happen to a stream. */
export interface Way {
  /** Bytes in one piece. */
  piece(): number;
  /** Bytes after which it breaks; Infinity for never. */
  cut(): number;
  /** Events that come once more, counted back from where the reader stands. */
  again(): number;
  /** Characters of a part of a reply that come once more before what is new of it; negative: so many are left out. */
  overlap(): number;
}

export const smooth: Way = { piece: () => 1 << 20, cut: () => Infinity, again: () => 0, overlap: () => 0 };

interface Input {
  type: string;
  text?: string;
  choice?: string;
  form?: { key: string; values: Record<string, FormValue | null> };
}

interface Taken {
  key: string;
  body: string;
  after: number;
  input: Input;
  turn: number | null;
}

interface Happened {
  /** null: it cannot be told again. */
  id: number | null;
  event: string;
  data: unknown;
}

const CONTACTS: Record<string, Contact[]> = {
  "zh-CN": [{ name: "心理援助", number: "123 56", note: "24 小时" }],
  en: [
    { name: "Lifeline", number: "988", note: "" },
    { name: "Other countries", number: "findahelpline.com", note: "" },
  ],
};
const ENCODER = new TextEncoder();
const WAIT: Request = { type: "message", choices: [] };
const CHOICE: Request = {
  type: "choice",
  choices: [
    { value: "yes", label: "好" },
    { value: "no", label: "先不" },
  ],
};

const pick = (id: string, label: string, required: boolean): Form["fields"][number] => ({
  ...{ id, type: "single" as const, label, required, help: "", prefix: "", unit: "", ends: [] },
  options: [
    { value: 0, label: "没有" },
    { value: 1, label: "有" },
  ],
});
/** `since` is left out unless `q1` is answered with 1; `q1` and `q2` must be answered. */
export const FORM: Form = {
  ...{ id: "x/mood", key: "f1", name: "心情表", required: false, description: "最近两周", source: "", licence: "" },
  fields: [
    {
      id: "hint",
      type: "note",
      label: "照实填",
      required: false,
      help: "",
      prefix: "",
      unit: "",
      ends: [],
      options: [],
    },
    pick("q1", "提不起劲", true),
    pick("q2", "睡不好", true),
    { ...pick("since", "从哪天起", false), type: "date", options: [] },
    { ...pick("how", "今天", false), type: "slider", options: [], least: 0, most: 10, step: 1, ends: ["差", "好"] },
    { ...pick("what", "哪些", false), type: "multiple" },
    { ...pick("note", "想说的", false), type: "longtext", options: [], help: "写多少都行", max_length: 100 },
  ],
  values: {},
  hidden: ["since"],
  problems: [],
};

/** The form with what was sent of it: as the server has it, in little. */
function filled(form: Form, given: Record<string, FormValue | null>, whole: boolean): Form {
  const all = Object.entries({ ...form.values, ...given }).filter(([, value]) => value !== null);
  const values = Object.fromEntries(all) as Form["values"];
  const missing = whole ? ["q1", "q2"].filter((id) => !(id in values)) : [];
  const problems = missing.map((field) => ({ field, code: "required", message: "这一项需要填写" }));
  return { ...form, values, problems, hidden: values.q1 === 1 ? [] : ["since"] };
}

/** A reply that is being written. */
interface Written {
  turn: number;
  number: number;
  text: string;
}

/** One session, as docs/api.md has it, in memory. Answers every message with "re: …". */
export class FakeServer {
  /** The language of the session. */
  locale = "zh-CN";
  /** What words are sent to; null in script mode. */
  model: { name: string; hosts: string[] } | null = null;
  /** The longest that a reply may take; 0: nobody knows. */
  waitSeconds = 0;
  readonly requests: string[] = [];
  readonly bodies: { key: string; after?: number; input: Input }[] = [];
  down = false;
  /** Milliseconds a turn takes. */
  think = 50;
  /** Milliseconds between the sentences of a reply that is written as it is read; 0: it comes whole. */
  write = 0;
  /** What a message is answered with, besides its own words. */
  reply = "";
  writing: Written | null = null;
  /** Milliseconds a request is on its way. */
  travel: () => number = () => 5;
  fault: (kind: string) => Fault = () => "none";
  way: Way = smooth;
  messages: Message[] = [];
  events: Happened[] = [];
  readonly taken: Taken[] = [];
  /** The answers of the forms that were handed in or put away. */
  readonly results: Form["values"][] = [];
  private readonly turns = new Map<number, Turn>();
  private readonly streams = new Set<(event: Happened | null) => void>();
  private readonly waiting: (() => void)[] = [];
  private running: number | null = null;
  /** The last event before the turn under way. */
  private stood = 0;
  private working: ReturnType<typeof setTimeout> | undefined;
  private end: (text: string) => void = () => {};
  status: Session["status"] = "created";
  paused = false;
  request: Request = { type: "none", choices: [] };
  inCrisis = false;
  restorable = true;
  token = "token";
  /** Characters of a body. */
  largest = 256 * 1024;

  /** Whoever gives a request up is not waited for, and need not wait. */
  readonly fetch: typeof globalThis.fetch = async (url, init) =>
    await Promise.race([this.respond(url, init), aborted(init?.signal)]);

  private async respond(url: Parameters<typeof globalThis.fetch>[0], init?: RequestInit): Promise<Response> {
    const address = new URL(String(url), "http://server");
    const path = address.pathname.replace("/api/v1/sessions/s", "");
    const kind = path === "/api/v1/about" ? "about" : path === "" ? "session" : path.slice(1);
    this.requests.push(`${init?.method} ${kind}`);
    const fault = this.fault(kind);
    if (fault === "hangs") return await never();
    await new Promise((resolve) => setTimeout(resolve, this.travel()));
    if (init?.signal?.aborted) return await never();
    if (this.down || fault === "lost") throw new TypeError("Failed to fetch");
    if (fault === "portal") return new Response("<html>log in</html>", { headers: { "Content-Type": "text/html" } });
    if (fault === "500") return problem(500, "internal");
    if (fault === "503") return problem(503, "stopping");
    if (fault === "429") return problem(429, "too-many-requests", { "Retry-After": "2" });
    if (kind === "about")
      return json({
        version: "1",
        model: this.model,
        wait_seconds: this.waitSeconds,
        contacts: CONTACTS[address.searchParams.get("locale") ?? ""] ?? [],
      });
    if (new Headers(init?.headers).get("Authorization") !== `Bearer ${this.token}`) return problem(401, "unauthorized");
    if (fault === "doubled") void this.answer(kind, address, init).catch(() => {});
    const answer = await this.answer(kind, address, init);
    if (fault === "mute") return await never();
    if (fault === "unanswered" || this.down) throw new TypeError("Failed to fetch");
    return answer;
  }

  session(): Session {
    const now = new Date(0).toISOString();
    return {
      id: "s",
      script: "cbt/x",
      name: "X",
      locale: this.locale,
      status: this.status,
      paused: this.paused,
      quiet: false,
      metadata: {},
      created_at: now,
      last_active_at: now,
      turn: Math.max(0, ...this.turns.keys()),
      last_message: this.messages.length,
      last_event_id: this.running === null ? this.events.length : this.stood,
      mode: this.model ? "model" : "script",
      speaker: null,
      restorable: this.restorable,
      ended_at: null,
      in_crisis: this.inCrisis,
      position: { phase: null, topic: null, action: null },
      request: this.request,
      progress: { phases: [], milestones: [] },
      debug: "none",
    };
  }

  /** The AI speaks of its own accord, but not into its own sentence. */
  speak(text: string): void {
    if (this.writing) return;
    const turn = this.nextTurn();
    this.emit("turn.started", { turn: { id: `t${turn}`, seq: turn } });
    this.close(turn, [this.say(turn, "ai", text)]);
  }

  /** The turn under way is put down; who asks again gets it worked out again. */
  putDown(): void {
    if (this.running === null) return;
    clearTimeout(this.working);
    for (const entry of this.taken) if (entry.turn === this.running) entry.turn = null;
    this.running = null;
    this.tell({ id: null, event: "error", data: { title: "put-down", code: "put-down", status: 503 } });
    for (const wake of this.waiting.splice(0)) wake();
  }

  /** Every stream ends, as when the server restarts. */
  hangUp(): void {
    for (const stream of [...this.streams]) stream(null);
  }

  private async answer(kind: string, address: URL, init: RequestInit | undefined): Promise<Response> {
    const body = typeof init?.body === "string" ? init.body : "{}";
    if (kind === "session") return json(this.session());
    if (kind === "messages") return this.page(address.searchParams);
    if (kind === "events") return this.stream(Number(new Headers(init?.headers).get("Last-Event-ID")), init?.signal);
    if (kind === "start-over") return json({ session: { ...this.session(), id: "s" }, token: this.token });
    if (kind === "stop") return json({ stopping: this.stop() }, 202);
    if (kind === "pause") {
      this.paused = true;
      return json(this.session());
    }
    const given = JSON.parse(body);
    if (kind !== "turns") given.input = { type: kind };
    else this.bodies.push(given);
    // What it follows is no part of what was said: once that has come, the same is sent again without it.
    const { follows, ...said } = given;
    if (follows !== undefined && !this.taken.some(({ key }) => key === follows)) return problem(425, "out-of-order");
    return await this.take(said, JSON.stringify(said));
  }

  private page(query: URLSearchParams): Response {
    const limit = Number(query.get("limit") ?? 100);
    const before = Number(query.get("before") ?? 0);
    const after = Number(query.get("after") ?? 0);
    const all = this.messages.filter(({ seq }) => seq > after && (before === 0 || seq < before));
    const messages = before === 0 ? all.slice(0, limit) : all.slice(-limit);
    return json({ messages, more: all.length > limit });
  }

  private async take(given: { key: string; after?: number; input: Input }, body: string): Promise<Response> {
    if (!this.restorable) return problem(409, "cannot-restore");
    const known = this.taken.find(({ key }) => key === given.key);
    if (known && known.body !== body) return problem(409, "key-reused");
    if (!known && (this.status === "ended" || this.status === "archived")) return problem(409, "closed");
    if (!known && (given.input.text ?? "").length > 20_000) return problem(413, "too-long");
    const answers = Object.values(given.input.form?.values ?? {});
    if (answers.some((each) => String(each).length > 20_000)) return problem(422, "invalid-request");
    if (body.length > this.largest) return problem(413, "body-too-large");
    const entry = known ?? { key: given.key, body, after: given.after ?? 1e9, input: given.input, turn: null };
    if (!known) this.taken.push(entry);
    if (this.running === null && entry.turn === null) this.begin(entry);
    while (entry.turn === null || !this.turns.has(entry.turn)) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
      if (entry.turn === null && this.running === null) this.begin(entry);
    }
    return json(this.turns.get(entry.turn));
  }

  /** One turn; what comes with the same `after` while it runs joins it. */
  private begin(first: Taken): void {
    const turn = this.nextTurn();
    this.running = turn;
    this.stood = this.events.length;
    this.emit("turn.started", { turn: { id: `t${turn}`, seq: turn } });
    this.working = setTimeout(() => {
      const joined = (other: Taken) => other.turn === null && other.after === first.after && isWords(other);
      const consumed = isWords(first) ? this.taken.filter(joined) : [first];
      for (const entry of consumed) entry.turn = turn;
      const said = consumed.map(({ input }) => input.text ?? "").join("/");
      const sentences = `re: ${said}${this.reply}`.match(/[^。]+。?/gu) ?? [];
      const number = this.messages.length + consumed.filter(isWords).length + 1;
      // What was shown before a turn was put down stays, and is gone on from.
      if (this.write > 0 && isWords(first)) this.writing ??= { turn, number, text: "" };
      this.end = (text) => {
        clearTimeout(this.working);
        this.writing = null;
        this.running = null;
        this.complete(turn, consumed, text);
        for (const wake of this.waiting.splice(0)) wake();
      };
      this.writeOn(sentences.join(""), sentences);
    }, this.think);
  }

  /** Sentence by sentence; a stop, or the last one, ends the turn. */
  private writeOn(whole: string, sentences: string[]): void {
    const { writing } = this;
    const next = sentences.shift();
    if (!writing || next === undefined) {
      this.end(whole);
      return;
    }
    const before = writing.text;
    if (whole.length - sentences.join("").length > before.length) {
      writing.text = whole.slice(0, whole.length - sentences.join("").length);
      const from = Math.min(before.length, Math.max(0, before.length - this.way.overlap()));
      if (this.way.overlap() >= 0) this.tellDelta(writing, from);
    }
    this.working = setTimeout(() => this.writeOn(whole, sentences), this.write);
  }

  private stop(): boolean {
    if (this.running === null) return false;
    if (this.writing?.text) this.end(this.writing.text);
    return true;
  }

  /** From code unit `from` on. */
  private tellDelta({ turn, number, text }: Written, from: number, to = this.streams): void {
    const offset = [...text.slice(0, from)].length;
    const happened = { id: null, event: "message.delta", data: { turn, number, offset, text: text.slice(from) } };
    for (const stream of [...to]) stream(happened);
  }

  private complete(turn: number, consumed: Taken[], reply: string): void {
    const { type } = consumed[0]?.input ?? { type: "" };
    const own = consumed.filter(isWords).map(({ input }) => {
      const label = CHOICE.choices.find(({ value }) => value === input.choice)?.label;
      return this.say(turn, "person", input.text ?? label ?? "");
    });
    const said = own.map(({ content }) => content).join("/");
    this.paused = false;
    if (this.fill(turn, consumed[0]?.input)) return;
    this.status = type === "end" ? "ended" : "active";
    this.request =
      type === "end"
        ? { type: "none", choices: [] }
        : said.includes("选")
          ? CHOICE
          : said.includes("表")
            ? { type: "form", choices: [], form: FORM }
            : WAIT;
    this.close(turn, [...own, this.say(turn, "ai", type === "message" ? reply : type)]);
  }

  /** Whether it was about a form, which changes nothing unless that one waits. */
  private fill(turn: number, input: Input | undefined): boolean {
    const { form: asked } = this.request;
    if (!input?.form) return false;
    if (asked?.key !== input.form.key) {
      this.close(turn, []);
      return true;
    }
    const form = filled(asked, input.form.values, input.type === "form_submit");
    if (input.type === "form_draft" || (input.type === "form_submit" && form.problems.length > 0)) {
      this.request = { type: "form", choices: [], form };
      this.close(turn, []);
      return true;
    }
    this.results.push(form.values);
    this.request = WAIT;
    this.close(turn, [this.say(turn, "person", "（填好了）"), this.say(turn, "ai", `re: ${input.type}`)]);
    return true;
  }

  private close(turn: number, messages: Message[]): void {
    const whole: Turn = {
      turn: { id: `t${turn}`, seq: turn, status: "completed" },
      messages,
      execution_status: this.status === "ended" ? "completed" : "waiting_input",
      position: { phase: null, topic: null, action: null },
      exit: null,
      request: this.request,
      progress: { phases: [], milestones: [] },
      in_crisis: this.inCrisis,
      recalled: [],
      rewound: false,
      quiet: false,
    };
    this.turns.set(turn, whole);
    const { messages: _, ...rest } = whole;
    for (const message of messages) this.emit("message.completed", message);
    if (this.request.type === "choice") this.emit("choice.requested", this.request);
    this.emit("turn.completed", rest);
  }

  private nextTurn(): number {
    return Math.max(0, this.running ?? 0, ...this.turns.keys()) + 1;
  }

  private say(turn: number, sender: Message["sender"], content: string): Message {
    const seq = this.messages.length + 1;
    const at = new Date(seq * 1000).toISOString();
    const kept = { content_type: "text", action_id: null, at, media: [], recalled: false };
    const message: Message = { id: `m${seq}`, seq, turn, sender, content, ...kept };
    this.messages.push(message);
    return message;
  }

  private emit(event: string, data: unknown): void {
    const happened = { id: this.events.length + 1, event, data };
    this.events.push(happened);
    this.tell(happened);
  }

  private tell(happened: Happened): void {
    for (const stream of [...this.streams]) stream(happened);
  }

  private stream(lastId: number, signal: AbortSignal | null | undefined): Response {
    const way = this.way;
    const from = Math.max(0, lastId - way.again());
    let left = way.cut();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const end = (error?: Error) => {
          clearInterval(beat);
          if (!this.streams.delete(write)) return;
          if (error) controller.error(error);
          else controller.close();
        };
        const send = (text: string) => {
          const bytes = ENCODER.encode(text);
          for (let at = 0; at < bytes.length && this.streams.has(write); ) {
            const size = Math.max(1, Math.min(way.piece(), left, bytes.length - at));
            controller.enqueue(bytes.slice(at, at + size));
            at += size;
            left -= size;
            if (left <= 0) end(new TypeError("network error"));
          }
        };
        const write = (happened: Happened | null) => {
          const head = happened?.id ? `id: ${happened.id}\n` : "";
          if (happened) send(`${head}event: ${happened.event}\ndata: ${JSON.stringify(happened.data)}\n\n`);
          else end();
        };
        const beat = setInterval(() => send(": \n\n"), 15_000);
        this.streams.add(write);
        signal?.addEventListener("abort", () => end(new TypeError("aborted")));
        send(": hello\n\n");
        for (const happened of this.events.slice(from)) write(happened);
        if (this.writing?.text) this.tellDelta(this.writing, 0, new Set([write]));
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  }
}

function isWords({ input }: Taken): boolean {
  return input.type === "message" || input.type === "choice";
}

function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}

function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  const body = { type: `urn:heartrule:problem:${code}`, title: code, status, code, reference: "r1" };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/problem+json", ...headers },
  });
}

async function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return await new Promise((_, reject) => {
    const give = () => reject(new DOMException("aborted", "AbortError"));
    if (signal?.aborted) give();
    signal?.addEventListener("abort", give);
  });
}

async function never(): Promise<never> {
  return await new Promise(() => {});
}
