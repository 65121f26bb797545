import {
  nothing as blank,
  type CSSResultGroup,
  html,
  type LitElement,
  type PropertyDeclarations,
  type PropertyValues,
} from "lit";
import { Client } from "../../client.js";
import type { Conversation } from "../../conversation.js";
import { type AskToken, Identity } from "../../identity.js";
import type { Problem } from "../../problem.js";
import type { Contact, Created } from "../../shapes.js";
import { type ConversationState, nothing } from "../../state.js";
import { localStore, type Storage } from "../../storage.js";
import { contactsOf } from "../contacts.js";
import { Drafts } from "../draft.js";
import { HeartChat } from "../heart-chat.js";
import { NOTICE } from "../notice.js";
import { sized } from "../sizing.js";
import { fill, type Texts, textsOf } from "../texts/index.js";
import { type Persistence, Place, storeFor } from "./keeping.js";
import { leaveAtOnce } from "./leaving.js";
import { Making } from "./making.js";
import { MeantFor } from "./meant-for.js";
import { closed, type MenuActs, type MenuState, menuOf } from "./menu.js";
import { menuLook } from "./menu-styles.js";
import { noticePage } from "./notice-page.js";
import { panelLook, SMALL } from "./panel-styles.js";
import { type Name, Telling } from "./telling.js";

export type Mode = "inline" | "bubble" | "full";

/**
 * A session in somebody else's page: makes one by itself, opens and closes, says what happens. docs/embedding.md has
 * the attributes, methods, events and what can be styled.
 */
export class HeartWidget extends HeartChat {
  static override properties: PropertyDeclarations = {
    mode: { type: String, reflect: true },
    side: { type: String, reflect: true },
    opened: { type: Boolean, reflect: true },
    label: { type: String },
    script: { type: String },
    variables: { type: Object },
    identity: { type: String },
    getToken: { attribute: false },
    persistence: { type: String },
    agreed: { type: String },
    numbers: { state: true },
    helping: { state: true },
    menu: { state: true },
    noticing: { state: true },
  };
  static override styles: CSSResultGroup = [HeartChat.styles, sized([panelLook, menuLook])];

  declare mode: Mode;
  declare side: "end" | "start";
  declare opened: boolean;
  declare label: string;
  /** Which script to hold, where there is no session yet. */
  declare script: string;
  declare variables: Record<string, unknown>;
  /** A person token that the page's own server has signed. */
  declare identity: string;
  /** Asked for one when there is none, when it runs out and when it is refused. */
  declare getToken: AskToken | null;
  declare persistence: Persistence | "";
  /** The version of the notice that the page says its person has agreed to; empty: it is shown here. */
  declare agreed: string;

  /** Whom to call: asked for when the panel opens, so that they are there when they are wanted. */
  declare private numbers: readonly Contact[];
  declare private helping: boolean;
  declare private menu: MenuState;
  /** The notice is read once more. */
  declare private noticing: boolean;

  private readonly telling = new Telling((name, detail) => this.tell(name, detail));
  private readonly meant = new MeantFor(this);
  private store: Storage = localStore();
  private place: Place | null = null;
  private making: Making | null = null;
  private client: Client | null = null;
  private mine: Conversation | null = null;
  private counted = 0;
  /** Who has opened it goes on in it; who closes it from inside goes back to where they came from. */
  private enters = false;
  private leaves = false;
  /** Said before there was a session to say it in. */
  private readonly early: string[] = [];

  constructor() {
    super();
    this.mode = "inline";
    this.side = "end";
    this.opened = false;
    this.label = "";
    this.script = "";
    this.variables = {};
    this.identity = "";
    this.getToken = null;
    this.persistence = "";
    this.numbers = [];
    this.helping = false;
    this.agreed = "";
    this.menu = closed;
    this.noticing = false;
    this.addEventListener("heartrule-moved", (event) => {
      if (event.target === this && this.script) this.place?.write((event as CustomEvent).detail);
    });
  }

  // what a page can do

  /** Opens the panel of a bubble. */
  open(): void {
    if (this.opened || this.mode !== "bubble") return;
    this.opened = true;
    this.place?.write({ open: true });
    this.enters = true;
    this.hold();
    // What was only followed while it was closed may have to begin.
    if (this.held) this.take(this.held.state);
    this.tell("open", {});
  }

  close(): void {
    if (!this.opened) return;
    this.leaves = this.shadowRoot?.activeElement != null;
    this.opened = false;
    this.place?.write({ open: false });
    this.tell("close", {});
  }

  toggle(): void {
    if (this.opened) this.close();
    else this.open();
  }

  /** A new session of `script`, in place of the one that was. */
  start(): void {
    if (!this.script) return;
    this.making?.leave();
    this.making = this.mine = null;
    this.conversation = null;
    this.place?.forget();
    if (this.mode === "bubble" && !this.opened) this.open();
    this.hold();
  }

  /** Says something in the person's place. */
  send(text: string): void {
    if (this.held) this.held.send(text);
    else this.early.push(text);
    this.open();
  }

  end(): void {
    this.held?.end();
  }

  /** Takes the whole page off the screen, and leads to one that says nothing. A page that knows better where to takes the
   * event `heartrule-exit` and prevents it. */
  exit(): void {
    const event = new CustomEvent("heartrule-exit", { bubbles: true, composed: true, cancelable: true });
    if (this.dispatchEvent(event)) leaveAtOnce(this.surroundings.all?.exit_page ?? "", textsOf(this.locale).locale);
  }

  /** How many messages have come since it was closed. */
  get unreadCount(): number {
    return this.inView ? 0 : this.counted;
  }

  /** Calls `listener` with what an event carries; returns how to stop that. */
  on(name: Name, listener: (detail: unknown) => void): () => void {
    const heard = (event: Event) => {
      if (event.target === this) listener((event as CustomEvent).detail);
    };
    this.addEventListener(`heartrule-${name}`, heard);
    return () => this.removeEventListener(`heartrule-${name}`, heard);
  }

  // holding

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("keydown", this.escape);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.escape);
    this.making?.leave();
    this.making = null;
  }

  protected override get inView(): boolean {
    return this.mode !== "bubble" || this.opened;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!this.place || ["base", "script", "persistence", "identity", "getToken"].some((name) => changed.has(name))) {
      this.settle();
      this.requestHold();
    }
    super.willUpdate(changed);
  }

  private requestHold(): void {
    if (this.isConnected) this.hold();
  }

  /** Where it is kept, and who asks. */
  private settle(): void {
    const { base, script, persistence } = this;
    this.making?.leave();
    this.making = this.mine = null;
    this.store = persistence || script ? storeFor(persistence || "session") : localStore();
    if (persistence === "none") this.drafts = new Drafts(this.store);
    const fresh = !this.place;
    this.place = new Place(this.store, [base, script || this.session, this.id]);
    const signed = this.identity || this.getToken;
    const identity = signed ? new Identity(this.identity || null, this.getToken) : null;
    const { locale } = textsOf(this.locale);
    this.client = new Client({ base, locale, storage: this.store, identity });
    if (fresh && this.mode === "bubble" && this.place.read().open && !this.opened) {
      this.opened = true;
    }
  }

  protected override own(): Conversation | null {
    const { client, place } = this;
    if (!client || !place) return null;
    const kept = this.script ? place.read() : {};
    const id = this.session || kept.session || "";
    const token = this.session ? this.token : (kept.token ?? "");
    if (id && (token || client.options.identity)) return this.conversationOf(client, id, token);
    if (this.script && !this.session && this.inView && this.agreed) this.make(client);
    return null;
  }

  private conversationOf(client: Client, id: string, token: string): Conversation {
    const { mine } = this;
    if (mine?.client === client && mine.id === id && mine.token === token) return mine;
    this.mine = client.conversation(id, token);
    return this.mine;
  }

  private make(client: Client): void {
    const { script, variables, locale, agreed: notice } = this;
    this.making ??= new Making(
      client,
      { script, variables, locale: textsOf(locale).locale, notice },
      {
        made: (created) => this.made(created),
        disturbed: () => this.stand("offline", null),
        refused: (problem) => this.stand("failed", problem),
      },
    );
  }

  private made({ session, token }: Created): void {
    this.making = null;
    this.place?.write({ session: session.id, token, seen: 0 });
    this.tell("started", { session: session.id });
    this.hold();
    for (const text of this.early.splice(0)) this.held?.send(text);
  }

  private stand(status: "offline" | "failed", problem: Problem | null): void {
    this.take({ ...nothing, status, problem });
  }

  protected override retry(): void {
    this.making?.hurry();
    super.retry();
  }

  protected override onward(texts: Texts): { name: string; act: () => void } | null {
    if (!this.script || this.state.status !== "ended") return null;
    return { name: texts.another, act: () => this.start() };
  }

  protected override take(state: ConversationState): void {
    super.take(state);
    this.count(state);
    this.telling.take(state);
    // What was kept is no more, or is another person's: then it is a new one.
    const gone = state.status === "failed" && state.problem?.status === 404;
    if (gone && this.script && !this.session && !this.conversation && this.place?.read().session) {
      this.place.forget();
      this.mine = null;
      queueMicrotask(() => this.requestHold());
    }
  }

  /** What came after the last that was in view, and after the last the person said. */
  private count({ messages }: ConversationState): void {
    const last = messages.at(-1)?.seq ?? 0;
    const kept = this.place?.read().seen ?? 0;
    if (this.inView && last > kept) this.place?.write({ seen: last });
    const said = messages.findLast(({ sender }) => sender === "person")?.seq ?? 0;
    const since = Math.max(kept, said);
    const count = this.inView ? 0 : messages.filter(({ seq }) => seq > since).length;
    if (count === this.counted) return;
    this.counted = count;
    this.tell("unread", { count });
  }

  private tell(name: Name, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(`heartrule-${name}`, { detail, bubbles: true, composed: true }));
  }

  // the panel

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const dock = this.renderRoot.querySelector<HTMLElement>(".dock");
    if (dock?.isConnected) showOver(dock);
    if (!changed.has("opened") && !changed.has("mode")) return;
    if (this.opened && this.numbers.length === 0) void this.readNumbers();
    if (this.opened) this.present();
    else this.putAway();
  }

  /** Whether the person has still to be told what this is: nothing is made before. */
  private get asksFirst(): boolean {
    const { script, session, agreed, conversation } = this;
    return Boolean(script) && !session && !agreed && !conversation && !this.place?.read().session;
  }

  /** Of what we made or opened ourselves; a page that gives us its conversation has a menu of its own. */
  private get hasMenu(): boolean {
    return Boolean(this.script || this.session);
  }

  private readonly act: MenuActs = {
    toggle: () => {
      this.menu = this.menu.open ? closed : { ...closed, open: true };
    },
    notice: () => {
      this.menu = closed;
      this.noticing = true;
    },
    pause: () => void this.attempt(() => this.held?.pause()),
    end: () => {
      if (this.menu.sure !== "end") this.menu = { ...this.menu, sure: "end" };
      else {
        this.menu = closed;
        this.end();
      }
    },
    erase: () => {
      if (this.menu.sure !== "erase") this.menu = { ...this.menu, sure: "erase" };
      else void this.attempt(() => this.erase());
    },
    exit: () => this.exit(),
  };

  private async attempt(what: () => Promise<unknown> | undefined): Promise<void> {
    try {
      await what();
      this.menu = closed;
    } catch {
      this.menu = { ...this.menu, sure: "", failed: true };
    }
  }

  private async erase(): Promise<void> {
    const { held } = this;
    if (!held) return;
    await held.client.remove(held.id, held.token);
    held.leave();
    this.place?.forget();
    this.making?.leave();
    this.making = this.mine = null;
    this.conversation = null;
    this.agreed = "";
    this.state = nothing;
    this.tell("erased", { session: held.id });
    this.hold();
    this.requestUpdate();
  }

  private noticed(): void {
    const told = this.noticing;
    this.noticing = false;
    if (told) return;
    this.agreed = NOTICE;
    this.hold();
  }

  private bar(texts: Texts) {
    if (!this.hasMenu) return blank;
    return menuOf(this.menu, this.state, texts, this.act);
  }

  private talk(texts: Texts) {
    if (!this.asksFirst && !this.noticing) return super.render();
    void this.surroundings.read(this.client ?? undefined, this.locale);
    if (this.asksFirst) void this.meant.read(this.client, this.script);
    const accept = this.noticing ? texts.noticeKnown : texts.noticeBegin;
    const { all, contacts } = this.surroundings;
    const meant = this.asksFirst ? this.meant.told(textsOf(this.locale).locale) : null;
    return noticePage(all, contacts, texts, meant, accept, () => this.noticed());
  }

  private async readNumbers(): Promise<void> {
    const about = await this.client?.about(textsOf(this.locale).locale).catch(() => null);
    if (about) this.numbers = about.contacts;
  }

  private get panel(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  /** Over all of the page where the screen is small, and beside it where there is room. */
  private present(): void {
    const { panel } = this;
    if (!panel) return;
    // What was open before a reload takes nobody's focus.
    if (!matchMedia(SMALL).matches || !this.enters) showOver(panel);
    else if (!panel.open) panel.showModal();
    this.scrolling.toEnd();
    if (this.enters) this.enter(panel);
    this.enters = false;
  }

  /** What is written in comes a moment after the panel. */
  private enter(panel: HTMLElement): void {
    panel.focus();
    void this.renderRoot.querySelector<LitElement>("heart-composer")?.updateComplete.then(() => this.focus());
  }

  private putAway(): void {
    const { panel } = this;
    if (panel?.open) panel.close();
    if (panel?.hidePopover && panel.matches(":popover-open")) panel.hidePopover();
    if (this.leaves) this.renderRoot.querySelector<HTMLElement>(".launcher")?.focus();
    this.leaves = false;
  }

  /** After what lies inside has had it: an exercise stops, a question closes. */
  private readonly escape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || !this.opened) return;
    if (!event.composedPath().includes(this)) return;
    event.preventDefault();
    this.close();
  };

  protected override render() {
    const { texts, locale } = textsOf(this.locale);
    if (this.mode !== "bubble") return html`${this.bar(texts)} ${this.talk(texts)}`;
    return html`${this.opened ? blank : this.dock(texts, locale)} ${this.dialog(texts, locale)}`;
  }

  private dock(texts: Texts, locale: string) {
    const unread = this.unreadCount;
    const news = unread > 0 ? fill(texts.unread, { count: unread }) : "";
    const name = this.label || texts.widget;
    return html`<div class="dock" popover="manual" lang=${locale}>
      <button
        class="launcher"
        part="launcher"
        aria-haspopup="dialog"
        aria-expanded="false"
        aria-label=${news ? `${name}: ${news}` : name}
        @click=${() => this.open()}
      >
        <slot name="launcher"
          ><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">
            <path d="M4 5h16v11H11l-5 4v-4H4z" stroke-linejoin="round" /></svg
        ></slot>
        ${unread > 0 ? html`<span class="count" part="count" aria-hidden="true">${unread > 9 ? "9+" : unread}</span>` : blank}
      </button>
      <span class="unseen" role="status">${news}</span>
    </div>`;
  }

  private help(): void {
    this.helping = !this.helping;
    if (this.numbers.length === 0) void this.readNumbers();
  }

  private whomToCall(texts: Texts) {
    if (this.numbers.length > 0) return contactsOf(this.numbers, texts);
    return html`<p class="quiet" role="status">${texts.opening}</p>`;
  }

  private dialog(texts: Texts, locale: string) {
    return html`<dialog
      part="panel"
      popover="manual"
      tabindex="-1"
      aria-label=${this.label || texts.widget}
      lang=${locale}
      @cancel=${(event: Event) => {
        event.preventDefault();
        this.close();
      }}
    >
      ${
        this.opened
          ? html`<div class="head" part="header">
                <h2>${this.label || texts.widget}</h2>
                <slot name="header"></slot>
                <button
                  part="help"
                  class="help"
                  aria-expanded=${this.helping ? "true" : "false"}
                  @click=${() => this.help()}
                >
                  ${texts.help}
                </button>
                <button part="close" aria-label=${texts.closeWidget} @click=${() => this.close()}>✕</button>
              </div>
              ${this.helping ? this.whomToCall(texts) : blank} ${this.bar(texts)} ${this.talk(texts)}`
          : blank
      }
    </dialog>`;
  }
}

/** In the top layer, where there is one: no part of the page covers it or cuts it off. */
function showOver(node: HTMLElement): void {
  if (node.showPopover && !node.matches(":popover-open")) node.showPopover();
}
