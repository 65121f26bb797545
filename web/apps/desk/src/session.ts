import {
  type Conversation,
  type ConversationState,
  newKey,
  type OnDuty,
  type DeskSession as Opened,
  type OpenedEscalation,
  Problem,
} from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { client, duty } from "./duty.js";
import "./left-forms.js";
import { spokenOf } from "./spoken.js";
import { View } from "./view.js";

/** Milliseconds between two signs that something is being written. */
const SIGN = 3_000;
/** Pixels from the end at which a reader is still there. */
const NEAR = 80;

/** One session: what was said, live, and what a counsellor can do about it. */
export class DeskSession extends View {
  static override properties: PropertyDeclarations = {
    session: { attribute: false },
    me: { attribute: false },
    state: { state: true },
    asking: { state: true },
    busy: { state: true },
    trouble: { state: true },
  };
  declare session: string;
  declare me: OnDuty;
  declare state: ConversationState | null;
  /** What has to be confirmed. */
  declare asking: "takeover" | "hand-back" | null;
  declare busy: boolean;
  declare trouble: string;
  private conversation: Conversation | null = null;
  private stop: () => void = () => {};
  private signed = 0;
  /** They have taken over, and are about to write. */
  private begins = false;
  /** The reader is at the end of what was said. */
  private atEnd = true;
  /** Since when that human holds it about whom the session was read again. */
  private asked: string | undefined;
  /** Of what is being sent, so that sending it again is no second time. */
  private key = { text: "", key: "" };

  constructor() {
    super();
    this.session = "";
    this.state = null;
    this.asking = null;
    this.busy = false;
    this.trouble = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.session && !this.conversation) this.hold();
  }

  override disconnectedCallback(): void {
    this.release();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("session") && this.isConnected) this.hold();
    const log = this.querySelector(".said-log");
    this.atEnd = !log || log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
    // Whose it is now is only told by the session itself.
    const { holder } = this;
    if (holder?.id === null && this.state?.human?.since !== this.asked) {
      this.asked = this.state?.human?.since;
      this.conversation?.retry();
    }
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("asking") && this.asking) this.querySelector<HTMLElement>(".confirm .main")?.focus();
    const field = this.querySelector<HTMLElement>("#words");
    if (this.begins && field) {
      this.begins = false;
      field.focus();
    }
    const log = this.querySelector(".said-log");
    if (log && this.atEnd) log.scrollTop = log.scrollHeight;
  }

  private hold(): void {
    this.release();
    this.state = null;
    this.asking = null;
    this.trouble = "";
    const held = client().conversation(this.session, duty.token ?? "");
    this.conversation = held;
    this.stop = held.subscribe((state) => {
      this.state = state;
    });
    held.open();
  }

  private release(): void {
    this.stop();
    this.conversation?.leave();
    this.conversation = null;
  }

  /** The session with what only the desk is told. */
  private get opened(): Opened | null {
    return (this.state?.session as Opened | null | undefined) ?? null;
  }

  /** Who holds it: the session as it was last read knows whose it is, later turns know by which name. */
  private get holder(): { name: string; me: boolean; id: string | null } | null {
    const { human } = this.state ?? {};
    if (!human) return null;
    const known = this.opened?.holder;
    if (known && known.since === human.since) return known;
    return { name: human.name, me: human.name === this.me.name, id: null };
  }

  // showing

  protected override render(): TemplateResult {
    const { words, state, opened } = this;
    const back = html`<a class="quiet back" href="#">${words.back}</a>`;
    if (!state || !opened) {
      const failed = state?.status === "failed";
      return html`<section class="opened">${back}<p role="status">${failed ? words.failed : words.opening}</p></section>`;
    }
    return html`<section class="opened" aria-label=${opened.name}>
      <header>
        ${back}
        <h1 lang=${opened.locale}>${opened.name}</h1>
        ${opened.crisis || state.inCrisis ? html`<b class="tag">${words.reasons.crisis}</b>` : nothing}
      </header>
      ${this.calls(opened.escalations)}
      <desk-forms .session=${this.session} .step=${stepOf(state)}></desk-forms>
      ${this.log(state, opened.locale)} ${this.foot(state)}
    </section>`;
  }

  private calls(all: readonly OpenedEscalation[]): TemplateResult | typeof nothing {
    const { words } = this;
    if (all.length === 0) return nothing;
    return html`<section class="calls" aria-label=${words.calls}>
      <ul>
        ${all.map(
          (each) => html`<li>
            <span><b>${each.level ?? ""}</b> ${each.note ?? each.cause}</span>
            ${
              each.acknowledged_by
                ? html`<span class="soft">${words.acknowledged(each.acknowledged_by)}</span>`
                : html`<button class="second" type="button" @click=${() => this.acknowledge(each)}>
                    ${words.acknowledge}
                  </button>`
            }
          </li>`,
        )}
      </ul>
    </section>`;
  }

  private log(state: ConversationState, locale: string): TemplateResult {
    const { words } = this;
    return html`<div class="said-log" role="log" tabindex="0" aria-label=${words.transcript}>
      ${
        state.more
          ? html`<p><button class="second" type="button" @click=${() => this.conversation?.earlier()}>${words.earlier}</button></p>`
          : nothing
      }
      ${repeat(
        state.messages,
        ({ seq }) => seq,
        (message) => spokenOf(message, locale, this.language),
      )}
      ${state.growing.map(
        ({ content }) =>
          html`<article class="spoken ai"><p class="who">${words.speakers.ai}</p><p class="words" lang=${locale}>${content}</p></article>`,
      )}
      ${state.reply === "coming" && state.growing.length === 0 && !state.human ? html`<p class="soft">${words.coming}…</p>` : nothing}
    </div>`;
  }

  private foot(state: ConversationState): TemplateResult {
    const { words, holder } = this;
    const over = state.status === "ended";
    const stands = over ? words.closed : !holder ? words.program : holder.me ? words.mine : words.theirs(holder.name);
    return html`<footer class="foot">
      <p class="stands ${holder?.me ? "mine" : ""}" role="status">${stands}${state.status === "offline" ? ` ${words.offline}` : ""}</p>
      <p class="line" role="alert">${this.trouble}</p>
      ${over ? nothing : this.asking ? this.confirm() : holder?.me ? this.composer() : this.offer()}
    </footer>`;
  }

  private offer(): TemplateResult {
    const { words, holder } = this;
    const label = holder ? words.relieve(holder.name) : words.takeOver;
    return html`<div class="acts">
      <button class=${holder ? "second" : "main"} type="button" ?disabled=${this.busy} @click=${() => this.ask("takeover")}>${label}</button>
    </div>`;
  }

  private confirm(): TemplateResult {
    const { words, holder, me } = this;
    const back = this.asking === "hand-back";
    const question = back
      ? words.handBackAsk
      : holder
        ? words.relieveAsk(holder.name, me.name)
        : words.takeOverAsk(me.name);
    return html`<div class="confirm" role="group" aria-labelledby="question" @keydown=${this.escape}>
      <p id="question">${question}</p>
      <div class="acts">
        <button class="main" type="button" ?disabled=${this.busy} @click=${back ? this.handBack : this.takeOver}>
          ${back ? words.handBackYes : words.yes}
        </button>
        ${
          back
            ? html`<button class="second" type="button" ?disabled=${this.busy} @click=${this.handBackCleared}>
                ${words.handBackCleared}
              </button>`
            : nothing
        }
        <button class="second" type="button" @click=${() => this.ask(null)}>${words.no}</button>
      </div>
    </div>`;
  }

  private composer(): TemplateResult {
    const { words } = this;
    return html`<form class="write" @submit=${this.send}>
      <label class="hidden" for="words">${words.write}</label>
      <textarea id="words" rows="3" maxlength="20000" placeholder=${words.write} aria-describedby="keys" @input=${this.typed} @keydown=${this.onKey}></textarea>
      <p class="soft" id="keys">${words.keys}</p>
      <div class="acts">
        <button class="main" type="submit" ?disabled=${this.busy}>${this.busy ? words.sending : words.send}</button>
        <button class="second" type="button" @click=${() => this.ask("hand-back")}>${words.handBack}</button>
      </div>
    </form>`;
  }

  // doing

  private ask(what: "takeover" | "hand-back" | null): void {
    this.trouble = "";
    this.asking = what;
  }

  private readonly escape = (event: KeyboardEvent) => {
    if (event.key === "Escape") this.ask(null);
  };

  private readonly onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    (event.target as HTMLTextAreaElement).form?.requestSubmit();
  };

  private readonly typed = () => {
    if (Date.now() - this.signed < SIGN) return;
    this.signed = Date.now();
    void client().typing(this.session, duty.token ?? "");
  };

  private readonly send = async (event: SubmitEvent) => {
    event.preventDefault();
    const field = this.querySelector<HTMLTextAreaElement>("#words");
    const text = field?.value.trim() ?? "";
    if (!field || text === "" || this.busy) return;
    if (this.key.text !== text) this.key = { text, key: newKey() };
    const { key } = this.key;
    if (await this.does((token) => client().say(this.session, token, key, text))) {
      field.value = "";
      this.signed = 0;
      this.key = { text: "", key: "" };
    }
    field.focus();
  };

  private readonly takeOver = async () => {
    const instead = this.holder?.me ? undefined : (this.holder?.id ?? undefined);
    this.begins = await this.does((token) => client().takeOver(this.session, token, newKey(), instead));
    this.asking = null;
    this.conversation?.retry();
  };

  private readonly handBack = () => this.handsBack(false);

  private readonly handBackCleared = () => this.handsBack(true);

  private async handsBack(closed: boolean): Promise<void> {
    await this.does((token) => client().handBack(this.session, token, newKey(), closed));
    this.asking = null;
    this.conversation?.retry();
  }

  private async acknowledge(escalation: OpenedEscalation): Promise<void> {
    await this.does((token) => client().acknowledge(escalation, token));
    this.conversation?.retry();
  }

  /** Whether it was done. */
  private async does(deed: (token: string) => Promise<unknown>): Promise<boolean> {
    this.busy = true;
    this.trouble = "";
    try {
      await deed(duty.token ?? "");
      return true;
    } catch (error) {
      this.trouble =
        error instanceof Problem && !error.passing ? (error.title ?? this.words.unsent) : this.words.unsent;
      this.conversation?.retry();
      return false;
    } finally {
      this.busy = false;
    }
  }
}

/** Where the session stands, as far as forms may have come since. */
function stepOf({ position, status }: ConversationState): string {
  return [position?.topic?.id, position?.action?.id, position?.action?.index, status === "ended"].join(" ");
}

customElements.define("desk-session", DeskSession);
