import {
  nothing as blank,
  type CSSResultGroup,
  html,
  LitElement,
  type PropertyDeclarations,
  type PropertyValues,
} from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Client } from "../client.js";
import type { Conversation } from "../conversation.js";
import type { FormAnswers, Message } from "../shapes.js";
import { type ConversationState, type Entry, nothing } from "../state.js";
import { sessionStore } from "../storage.js";
import { Announcing } from "./announcing.js";
import { type HeartComposer, stay } from "./composer.js";
import { contactsOf } from "./contacts.js";
import { carryOver, Drafts } from "./draft.js";
import { faceAt } from "./face.js";
import type { HeartForm } from "./form/heart-form.js";
import { linesOf } from "./lines.js";
import type { Showing } from "./media.js";
import { mediaLook } from "./media-styles.js";
import { entryOf, messageOf, type TakingBack } from "./messages.js";
import { isDisturbed, noticeOf } from "./notices.js";
import { receptionOf } from "./reception.js";
import { Reporting } from "./reporting.js";
import { reportingLook } from "./reporting-styles.js";
import { Scrolling } from "./scrolling.js";
import { sized } from "./sizing.js";
import { basics, frame, lowFrame, palette } from "./styles.js";
import { Surroundings } from "./surroundings.js";
import { scaleOf, tapped } from "./tapping.js";
import { fill, type Texts, textsOf } from "./texts/index.js";
import { Thinking } from "./thinking.js";

const EXERCISE = "ai_guide";
/** The choice that stops an exercise. */
const STOP = "stop";

/**
 * A session in a page.
 *
 * Attributes: `base` (address of the server, "" for the page's own), `session`, `token`, `locale` (zh-CN or en),
 * `theme` (auto, light or dark). Instead of base, session and token the property `conversation` can be set, by a page
 * that wants to look at the same conversation itself.
 *
 * A session that has not begun is begun.
 *
 * Slot `about`: in place of the line that says to whom words go, for a page that says it elsewhere.
 *
 * Slot `after`: what follows the last words, as where a session has ended.
 *
 * Slot `crisis`: what is shown while the session is in a crisis or something was said after its end, instead of the
 * server's list of contacts.
 *
 * Events (bubbling, composed): `heartrule-state` with the ConversationState as its detail, after every change;
 * `heartrule-moved` with `{session, token}` when the person has started over in a new session.
 */
export class HeartChat extends LitElement {
  static override properties: PropertyDeclarations = {
    base: { type: String },
    session: { type: String },
    token: { type: String },
    locale: { type: String },
    theme: { type: String, reflect: true },
    conversation: { attribute: false },
    state: { state: true },
    back: { state: true },
  };
  static override styles: CSSResultGroup = sized([palette, basics, frame, mediaLook, reportingLook, lowFrame]);

  declare base: string;
  declare session: string;
  declare token: string;
  declare locale: string;
  declare theme: "auto" | "light" | "dark";
  declare conversation: Conversation | null;
  declare protected state: ConversationState;
  /** The message that is about to be taken back. */
  declare private back: { seq: number; stage: TakingBack["stage"] } | null;

  protected held: Conversation | null = null;
  /** We made it, and it is ours to leave. */
  private ours = false;
  private unsubscribe: (() => void) | null = null;
  protected drafts = new Drafts(sessionStore());
  protected readonly scrolling = new Scrolling(this, () => this.look());
  private readonly thinking = new Thinking(this);
  private readonly announcing = new Announcing(this);
  private readonly reporting = new Reporting(this);
  protected readonly surroundings = new Surroundings(this);
  /** The last message that has been in view. */
  private seen = 0;
  /** `seen`, when the draft was last changed. */
  private typedAfter: number | null = null;
  private began = false;
  /** The person has turned to answering. */
  private begun = false;
  /** Whose draft has been put where the person writes. */
  private draftOf: Conversation | null = null;
  /** The button in focus is about to go. */
  private leavesStop = false;
  /** So is the form, and the keyboard is in it. */
  private leavesForm = false;
  /** There are words further down that have not been in view, as it is rendered. */
  private unread = false;

  constructor() {
    super();
    this.base = "";
    this.session = "";
    this.token = "";
    this.locale = document.documentElement.lang || navigator.language || "zh-CN";
    this.theme = "auto";
    this.conversation = null;
    this.state = nothing;
    this.back = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("keydown", this.escaped);
    this.requestUpdate("conversation");
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.escaped);
    this.letGo();
  }

  override focus(options?: FocusOptions): void {
    this.composer?.focus(options);
  }

  private get composer(): HeartComposer | null {
    return this.renderRoot?.querySelector<HeartComposer>("heart-composer") ?? null;
  }

  /** Whether there is anything to be seen of it: what is closed begins nothing, and shows nobody anything. */
  protected get inView(): boolean {
    return true;
  }

  // the conversation

  protected override willUpdate(changed: PropertyValues): void {
    const other = ["conversation", "base", "session", "token"].some((name) => changed.has(name));
    if (other && this.isConnected) this.hold();
    const { status, growing } = this.state;
    this.leavesStop = !this.stoppable && this.shadowRoot?.activeElement?.className.includes("stop") === true;
    const form = this.renderRoot?.querySelector<HeartForm>("heart-form");
    this.leavesForm = !this.state.request.form && form?.hasKeyboard === true;
    this.thinking.set(
      status === "thinking",
      growing.reduce((sum, { content }) => sum + content.length, 0),
    );
  }

  protected hold(): void {
    const wanted = this.conversation ?? this.own();
    if (wanted === this.held && this.unsubscribe) return;
    this.letGo();
    this.held = wanted;
    this.ours = wanted !== this.conversation;
    this.state = wanted?.state ?? nothing;
    this.began = this.begun = false;
    this.seen = 0;
    this.announcing.reset();
    this.reporting.of(wanted);
    if (!wanted) return;
    this.unsubscribe = wanted.subscribe((state) => this.take(state));
    wanted.open();
    this.take(wanted.state);
  }

  protected own(): Conversation | null {
    const { session, token, base, locale, held } = this;
    if (!session || !token) return null;
    if (held?.id === session && held.token === token && held.client.options.base === base) return held;
    return new Client({ base, locale: textsOf(locale).locale }).conversation(session, token);
  }

  private letGo(): void {
    this.unsubscribe?.();
    this.unsubscribe = null;
    if (this.ours) this.held?.leave();
  }

  protected take(state: ConversationState): void {
    this.state = state;
    if (state.session?.status === "created" && state.session.turn === 0 && !this.began && this.inView) {
      this.began = true;
      this.held?.start();
    }
    this.announcing.take(state);
    this.readSurroundings();
    this.dispatchEvent(new CustomEvent("heartrule-state", { detail: state, bubbles: true, composed: true }));
  }

  /** In the language in which the session speaks: the numbers in it and those below it are the same. */
  private readSurroundings(): void {
    const { session } = this.state;
    if (session) void this.surroundings.read(this.held?.client, session.locale, this.mayCall());
  }

  protected async startOver(): Promise<void> {
    const { held } = this;
    if (!held) return;
    const made = await held.client.startOver(held.id, held.token).catch(() => null);
    if (!made) return;
    const detail = { session: made.session.id, token: made.token };
    carryOver(this.state.outbox, held.id, detail.session);
    if (this.composer) this.composer.text = "";
    this.conversation = held.client.conversation(detail.session, detail.token);
    this.dispatchEvent(new CustomEvent("heartrule-moved", { detail, bubbles: true, composed: true }));
  }

  // writing

  protected override updated(changed: PropertyValues): void {
    if (this.leavesStop || this.leavesForm) this.focus();
    if (!changed.has("state")) {
      // A line about the wait may have become longer than it was.
      this.scrolling.stay();
      return;
    }
    const before = (changed.get("state") as ConversationState | undefined) ?? nothing;
    if (this.draftOf !== this.held) this.readDraft();
    const shown = before.messages.at(-1)?.seq ?? 0;
    const { messages, growing } = this.state;
    const fresh = messages.find(({ seq, sender }) => seq > shown && sender !== "person") ?? growing[0];
    const node = fresh && shown > 0 ? this.renderRoot.querySelector<HTMLElement>(`#m${fresh.seq}`) : null;
    this.keepUp(node, before);
    this.look();
  }

  /** What is new is shown from its beginning; under a form that is being filled nothing moves. */
  private keepUp(node: HTMLElement | null, before: ConversationState): void {
    const { form } = this.state.request;
    const had = before.request.form;
    this.scrolling.still = Boolean(form) || this.state.status === "ended";
    this.scrolling.opening = this.isOpening;
    if (form && form.key !== had?.key) {
      const shown = this.renderRoot.querySelector<HeartForm>("heart-form");
      void shown?.updateComplete.then(() => this.scrolling.follow(node ?? this.lastWords() ?? shown));
      return;
    }
    // Whoever has handed it in goes on with what comes of it.
    if (had && !form) this.scrolling.begin();
    // In danger what counts is the question that stands at the end; the rest is a little above it.
    const ends = this.state.inCrisis
      ? this.renderRoot.querySelector<HTMLElement>(".log > .message:last-of-type")
      : null;
    if (!form || node) this.scrolling.follow(node, ends);
  }

  /** All that there is was said at once, and the person has not begun to answer. */
  private get isOpening(): boolean {
    const { messages, growing, outbox, more } = this.state;
    const turns = new Set([...messages, ...growing].map(({ turn }) => turn));
    const answered =
      outbox.some(({ input }) => input.type !== "start") || messages.some(({ sender }) => sender === "person");
    return !more && turns.size <= 1 && !answered && !this.begun;
  }

  /** The first of the words that nobody has answered yet. */
  private lastWords(): HTMLElement | null {
    const { messages } = this.state;
    const said = messages.findLastIndex(({ sender }) => sender === "person");
    const first = messages[said + 1];
    return first ? this.renderRoot.querySelector<HTMLElement>(`#m${first.seq}`) : null;
  }

  /** What stands behind the last words does not push them away. */
  private readonly followed = () => {
    const { messages } = this.state;
    const last = messages.findLast(({ sender, recalled }) => sender !== "person" && !recalled);
    const first = messages.find(({ turn, sender }) => turn === last?.turn && sender !== "person");
    const node = first && this.renderRoot.querySelector<HTMLElement>(`#m${first.seq}`);
    if (node) this.scrolling.show(node);
  };

  /** What has come into view has been seen. */
  private look(): void {
    if (!this.inView) return;
    this.seen = Math.max(this.seen, Number(this.scrolling.lastInView?.id.slice(1) ?? 0));
    if (this.unread !== this.hasUnread()) this.requestUpdate();
  }

  private hasUnread(): boolean {
    const { messages, growing } = this.state;
    return !this.scrolling.atEnd && (growing.length > 0 || (messages.at(-1)?.seq ?? 0) > this.seen);
  }

  /** At once, before the server has answered: what is typed until then would take its place. */
  private readDraft(): void {
    this.draftOf = this.held;
    const draft = this.drafts.read(this.held?.id ?? "");
    if (!draft || !this.composer || this.composer.text !== "") return;
    this.composer.text = draft.text;
    this.typedAfter = draft.after;
  }

  /** Who turns to where they write sees what they are to answer, as far as there is room. */
  private readonly entered = () => {
    if (this.state.messages.length === 0) return;
    this.begun = true;
    this.scrolling.opening = false;
  };

  private readonly typed = () => {
    this.begun = true;
    const text = this.composer?.text ?? "";
    this.typedAfter = text === "" ? null : this.seen;
    if (this.held) this.drafts.write(this.held.id, { text, after: this.typedAfter });
  };

  private readonly say = (event: CustomEvent<string>) => {
    const after = this.typedAfter ?? this.seen;
    const key = this.held?.send(event.detail, this.state.session ? { after } : {});
    if (key) this.composer?.take();
    this.scrolling.toEnd();
  };

  private choose(value: string, event: Event): void {
    this.held?.choose(value);
    this.scrolling.toEnd();
    // A press with the keyboard has the focus on a button that is about to go.
    if ((event as MouseEvent).detail === 0) this.focus();
  }

  private putBack(entry: Entry): void {
    const text = this.held?.discard(entry.key);
    if (text) this.composer?.put(text);
    this.focus();
  }

  private async earlier(): Promise<void> {
    await this.scrolling.keepPlace(async () => {
      await this.held?.earlier().catch(() => {});
      await this.updateComplete;
    });
  }

  // showing

  protected override render() {
    const { locale, texts } = textsOf(this.locale);
    const { state } = this;
    const language = state.session?.locale ?? locale;
    return html`<div class="scroll" lang=${locale}>
        <div class="column">
          <slot name="about"><p class="about" role="status">${this.surroundings.whereWordsGo(state, texts)}</p></slot>
          ${state.more ? html`<p class="row"><button class="small" @click=${this.earlier}>${texts.earlier}</button></p>` : blank}
          <div class="log" role="log" aria-live="off" aria-label=${texts.transcript} tabindex="0" lang=${language}>
            ${this.lines(locale, texts)}
          </div>
          ${receptionOf(state, texts)} ${this.form(texts, language)} ${this.thinkingLine(texts)}
          <slot name="after" @slotchange=${this.followed}></slot>
        </div>
      </div>
      ${this.announcement(language)} ${this.asked(texts, locale)} ${this.edge(texts)} ${this.crisis(texts)} ${this.foot(locale, texts)}`;
  }

  private lines(locale: string, texts: Texts) {
    const { state } = this;
    const lines = linesOf(state);
    const last = state.messages.findLast(({ sender, recalled }) => sender === "ai" && !recalled)?.seq;
    return repeat(
      lines,
      ({ key }) => key,
      (line, at) =>
        "spoken" in line
          ? [
              messageOf(
                line.spoken,
                lines[at - 1]?.at ?? null,
                locale,
                this.showing(line.spoken.seq, texts),
                this.takingBack(line.spoken.seq),
                faceAt(lines, at, state.session),
              ),
              this.reporting.below(line.spoken, line.spoken.seq === last && !state.inCrisis, texts),
            ]
          : entryOf(line.entry, isDisturbed(state.status), texts, {
              edit: () => this.putBack(line.entry),
              drop: () => this.held?.discard(line.entry.key),
            }),
    );
  }

  /** The last thing the person said can be taken back while nothing is on its way. */
  private takingBack(seq: number): TakingBack | null {
    const { messages, status, outbox, human } = this.state;
    const last = messages.findLast(({ sender, recalled }) => sender === "person" && !recalled);
    const still = status === "ready" || status === "paused" || status === "ended";
    if (last?.seq !== seq || (!still && this.back?.seq !== seq) || outbox.length > 0) return null;
    const recent = Date.now() - Date.parse(last.at) < this.surroundings.recallSeconds * 1000;
    const set = (stage: TakingBack["stage"] | null) => {
      this.back = stage ? { seq, stage } : null;
    };
    return {
      stage: this.back?.seq === seq ? this.back.stage : "offered",
      rewinds: recent && status !== "ended" && human === null,
      ask: () => {
        set("asked");
        void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("#take-back")?.focus());
      },
      keep: () => {
        set(null);
        this.focus();
      },
      take: () => {
        set("under-way");
        const taken = this.held?.recall(seq) ?? Promise.resolve();
        taken.then(
          () => {
            set(null);
            this.focus();
          },
          () => set("failed"),
        );
      },
    };
  }

  private showing(seq: number, texts: Texts): Showing {
    const paced = this.state.messages.findLast(({ media = [] }) => media.some(({ kind }) => kind === "pacer"));
    const active = this.exercising && paced?.seq === seq && !this.state.messages.some((each) => answers(each, seq));
    return {
      base: this.held?.client.options.base ?? this.base,
      texts,
      active,
      grown: this.grown,
      dialled: this.surroundings.numbers,
    };
  }

  /** A picture has come: who was at the end stays there. */
  private readonly grown = () => {
    if (this.scrolling.atEnd) this.scrolling.toEnd();
  };

  /** A step of an exercise waits, and can be stopped. */
  private get exercising(): boolean {
    const { position, request, status } = this.state;
    const open = status === "ready" || status === "offline";
    return open && position?.action_type === EXERCISE && request.choices.some(({ value }) => value === STOP);
  }

  /** Escape stops an exercise, unless the focus is somewhere that may have something of its own to close. */
  private readonly escaped = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || !this.exercising) return;
    if (event.target !== document.body && !event.composedPath().includes(this)) return;
    if (this.state.outbox.some(({ state }) => state !== "refused")) return;
    event.preventDefault();
    this.held?.choose(STOP);
    this.scrolling.toEnd();
  };

  /** While words come, they say enough. */
  private thinkingLine(texts: Texts) {
    const { stage } = this.thinking;
    const usual = this.state.growing.length > 0 ? "" : texts.thinking;
    const line = stage === "long" || stage === "longer" ? this.waitLine(texts) : usual;
    return html`<p class="dots" aria-hidden=${stage === "none" || stage === "shown" ? "true" : "false"} role="status">
      ${stage === "none" ? blank : html`<span>${line}</span>`}
    </p>`;
  }

  /** How long it may still take: as long as the server lets a turn wait, less what has passed. */
  private waitLine(texts: Texts): string {
    const most = this.surroundings.waitSeconds;
    const count = Math.ceil(most - this.thinking.seconds);
    if (most > 0 && count > 0) return fill(texts.thinkingWait, { count });
    return this.thinking.stage === "long" ? texts.thinkingLong : texts.thinkingLonger;
  }

  /** The transcript itself stays silent, or all would be said twice. */
  private announcement(language: string) {
    return html`<div class="unseen" id="announced" aria-live="polite" aria-relevant="additions" lang=${language}>
      ${repeat(
        this.announcing.pieces,
        ([key]) => key,
        ([, piece]) => html`<p>${piece}</p>`,
      )}
    </div>`;
  }

  /** Who only listens is told that there is a form now. */
  private asked(texts: Texts, locale: string) {
    const { form } = this.state.request;
    return html`<p class="unseen" role="status" lang=${locale}>${form ? fill(texts.formHere, { name: form.name }) : blank}</p>`;
  }

  private crisis(texts: Texts) {
    return this.mayCall()
      ? html`<slot name="crisis">${contactsOf(this.surroundings.contacts, texts, this.state.session?.locale)}</slot>`
      : blank;
  }

  /** In a crisis; and while something that somebody said is not heard: nobody knows what it was. */
  private mayCall(): boolean {
    const { inCrisis, status, outbox } = this.state;
    const unheard = outbox.some(
      ({ state, input }) => state === "refused" || (input.type === "message" && isDisturbed(status)),
    );
    return inCrisis || unheard || status === "failed";
  }

  /** The way to what came while the reader was further up, and the one to end what is coming. They lie over the
   * transcript, so that nothing moves when they come and go. */
  private edge(texts: Texts) {
    this.unread = this.hasUnread();
    const down = () => this.scrolling.toEnd();
    return html`<div class="edge">
      <div class="over column">
        ${this.unread ? html`<button class="fresh small" @mousedown=${stay} @click=${down}>${texts.newWords} ↓</button>` : blank}
        ${this.stopButton(texts)}
      </div>
    </div>`;
  }

  private get stoppable(): boolean {
    return this.state.status === "thinking" && this.state.reply !== "none";
  }

  private stopButton(texts: Texts) {
    if (!this.stoppable) return blank;
    const stopping = this.state.reply === "stopping";
    return html`<button
      class="stop small"
      aria-label=${stopping ? texts.stopping : texts.stopReply}
      aria-disabled=${stopping ? "true" : "false"}
      @mousedown=${stay}
      @click=${() => stopping || void this.held?.stop()}
    >
      ${stopping ? `${texts.stopping}…` : texts.stop}
    </button>`;
  }

  private foot(locale: string, texts: Texts) {
    const { state } = this;
    return html`<div class="foot" lang=${locale}>
      <div class="column">${this.notice(texts)} ${this.options(texts)}</div>
      <heart-composer
        class="column"
        .texts=${texts}
        .blocked=${state.status === "loading" || state.status === "failed"}
        .closed=${state.status === "ended"}
        @focusin=${this.entered}
        @typed=${this.typed}
        @say=${this.say}
      ></heart-composer>
    </div>`;
  }

  protected retry(): void {
    this.held?.retry();
  }

  /** What there is to do where nothing has to be mended. */
  protected onward(_texts: Texts): { name: string; act: () => void } | null {
    return null;
  }

  private notice(texts: Texts) {
    const { line, action } = noticeOf(this.state, texts);
    const actions = {
      retry: { name: texts.retry, act: () => this.retry() },
      resume: { name: texts.resume, act: () => this.held?.resume() },
      "start-over": { name: texts.startOver, act: () => void this.startOver() },
    };
    const offered = action ? actions[action] : this.onward(texts);
    return html`<div class="row quiet">
      <span role="status">${line ?? blank}</span>
      ${offered ? html`<button class="small" @mousedown=${stay} @click=${offered.act}>${offered.name}</button>` : blank}
    </div>`;
  }

  /** Below what was said, like a paper that is handed over. */
  private form(texts: Texts, language: string) {
    const { request, status, filling } = this.state;
    if (!request.form || status === "loading" || status === "failed" || status === "ended") return blank;
    const told = (event: CustomEvent<FormAnswers>) => event.detail;
    return html`<heart-form
      lang=${language}
      .form=${request.form}
      .filling=${filling}
      .texts=${texts}
      .unsaved=${isDisturbed(status)}
      @answered=${(event: CustomEvent<FormAnswers>) => this.held?.fill(told(event))}
      @submitted=${(event: CustomEvent<FormAnswers>) => this.held?.submit(told(event))}
      @cancelled=${(event: CustomEvent<FormAnswers>) => this.held?.cancel(told(event))}
    ></heart-form>`;
  }

  private options(texts: Texts) {
    const { request, status, outbox, human } = this.state;
    const open = status === "ready" || status === "paused" || status === "offline";
    if (!open || outbox.some(({ state }) => state !== "refused")) return blank;
    const choose = (value: string) => (event: Event) => this.choose(value, event);
    const say = (words: string) => (event: Event) => this.tap(words, event);
    if (request.choices.length > 0) return tapped(request.choices, choose, texts);
    if (human) return blank;
    if (request.scale) return scaleOf(request.scale, say, texts);
    return tapped(
      (request.offers ?? []).map((words) => ({ value: words, label: words })),
      say,
      texts,
    );
  }

  /** Says what is offered, as if it had been typed. What stands where one types stays there. */
  private tap(words: string, event: Event): void {
    this.held?.send(words);
    this.scrolling.toEnd();
    if ((event as MouseEvent).detail === 0) this.focus();
  }
}

/** A later message of the program's: the step has been left. */
function answers({ sender, seq, media = [] }: Message, than: number): boolean {
  return sender === "ai" && seq > than && media.length === 0;
}
