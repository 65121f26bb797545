import type { Conversation, ConversationState, Script } from "@heartrule/sdk";
import { carryOver, wordsOf } from "@heartrule/sdk/chat";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { scripts } from "../arrive/scripts.js";
import { quickExit } from "../leaving/exit.js";
import {
  forget,
  isNamed,
  type Kept,
  keep,
  kept,
  markGone,
  markNoticed,
  opener,
  update,
  whenForgotten,
} from "../leaving/kept.js";
import { claims } from "../leaving/token.js";
import "../leaving/leave.js";
import "../notice/notice.js";
import { contactLine } from "../help/help.js";
import { type Locale, preferred } from "../i18n/language.js";
import { place } from "../shell/about.js";
import { debugging } from "../shell/debugging.js";
import { go } from "../shell/go.js";
import type { MenuItem } from "../shell/menu.js";
import { message } from "../shell/message.js";
import { preference } from "../shell/preference.js";
import { server } from "../shell/server.js";
import { store } from "../shell/storage.js";
import { top } from "../shell/top.js";
import { View } from "../shell/view.js";
import "./end.js";
import "./progress.js";
import "./rest.js";
import { standing, unsent } from "./standing.js";
import { Stay } from "./stay.js";

/** After so long nobody remembers what was said about this. */
const AGAIN = 30 * 24 * 3_600_000;

/** A session being held, and every way in which it may not be. */
export class VisitorSession extends View {
  static override properties: PropertyDeclarations = {
    session: { attribute: false },
    entry: { state: true },
    reminding: { state: true },
    state: { state: true },
    sheet: { state: true },
    trouble: { state: true },
    listed: { state: true },
    pausing: { state: true },
    long: { state: true },
  };
  declare session: string;
  /** What this device knows of it; null when it was never here, or was forgotten. */
  declare entry: Kept | null;
  /** Whether the notice comes first: on a new device, and after a long while. */
  declare reminding: boolean;
  declare state: ConversationState | null;
  declare sheet: "leave" | "end" | null;
  declare trouble: "pause" | "end" | "on" | null;
  /** The scripts, once they had to be asked for. */
  declare listed: readonly Script[] | null;
  /** A pause was asked for; the turn under way is finished first. */
  declare pausing: boolean;
  /** It has been on screen for long, and nobody has said that they know. */
  declare long: boolean;
  private conversation: Conversation | null = null;
  private readonly stay = new Stay(() => {
    this.long = true;
  });
  private stop: () => void = () => {};
  private watching = new AbortController();

  /** Somebody came back to it after a while, and has said nothing yet. */
  private returned = false;

  private readonly onUnload = (event: BeforeUnloadEvent) => {
    const open = this.state !== null && ["open", "paused"].includes(standing(this.state));
    if (this.state && (unsent(this.state) || (open && store.now === "none"))) event.preventDefault();
  };
  private readonly onLook = () => {
    const open = this.state !== null && standing(this.state) === "open";
    this.stay.set(open && this.isConnected && document.visibilityState === "visible");
  };
  private readonly onPreference = () => this.requestUpdate();

  constructor() {
    super();
    this.session = "";
    this.entry = null;
    this.reminding = false;
    this.state = null;
    this.sheet = null;
    this.trouble = null;
    this.listed = null;
    this.pausing = false;
    this.long = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.onLook);
    addEventListener("beforeunload", this.onUnload);
    preference.addEventListener("change", this.onPreference);
    place.addEventListener("change", this.onPreference);
    store.addEventListener("change", this.onPreference);
    place.ask().catch(() => {});
  }

  override disconnectedCallback(): void {
    document.removeEventListener("visibilitychange", this.onLook);
    this.stay.set(false);
    removeEventListener("beforeunload", this.onUnload);
    preference.removeEventListener("change", this.onPreference);
    place.removeEventListener("change", this.onPreference);
    store.removeEventListener("change", this.onPreference);
    this.watching.abort();
    this.release();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("session")) return;
    this.release();
    this.sheet = null;
    this.trouble = null;
    this.entry = kept(this.session);
    this.watching.abort();
    this.watching = new AbortController();
    whenForgotten(this.session, () => this.forgotten(), this.watching.signal);

    this.reminding = this.entry !== null && Date.now() - this.entry.noticed > AGAIN;
    if (this.entry && !this.reminding) this.hold(this.entry);
  }

  protected override render(): TemplateResult {
    const { words } = this;
    if (!this.entry) return this.gone();
    if (this.reminding) {
      return html`${top(words, { back: { label: words.back } })}
        <visitor-notice
          .name=${this.entry.name}
          .accept=${words.notice.understood}
          .lent=${claims(this.entry?.token ?? "")?.lent ?? false}
          @accept=${this.noticed}
        ></visitor-notice>`;
    }
    const now = this.state ? standing(this.state) : "open";
    return html`
      <div class="page session-page ${this.state?.inCrisis ? "in-crisis" : ""}" ?inert=${this.sheet !== null}>${now === "gone" ? this.gone() : this.page(now)}</div>
      ${
        this.sheet === "leave"
          ? html`<leave-sheet
              .entry=${this.entry}
              .inCrisis=${this.state?.inCrisis ?? false}
              .unsent=${this.state ? unsent(this.state) : false}
              @close=${this.closeSheet}
              @forgetting=${this.forgetting}
            ></leave-sheet>`
          : nothing
      }
      ${
        this.sheet === "end"
          ? html`<end-sheet
              ?paused=${this.state?.status === "paused"}
              .inCrisis=${this.state?.inCrisis ?? false}
              .speaks=${this.speaks}
              @close=${this.closeSheet}
              @end=${this.end}
              @pause=${() => {
                this.closeSheet();
                void this.pause();
              }}
            ></end-sheet>`
          : nothing
      }
      ${this.debug()}
    `;
  }

  /** The numbers at the edge are those that the session names. */
  private get speaks(): Locale {
    return preferred([this.state?.session?.locale ?? this.entry?.locale ?? "", this.language.locale]);
  }

  /** For those who work on a script, and not loaded for anybody else. */
  private debug(): TemplateResult | typeof nothing {
    const { entry, state } = this;
    if (!entry || !debugging() || (state?.session?.debug ?? "none") === "none") return nothing;
    void import("../debug/drawer.js");
    const latest = Math.max(state?.session?.turn ?? 0, state?.messages.at(-1)?.turn ?? 0);
    return html`<debug-drawer .session=${entry.id} .token=${opener(entry)} .latest=${latest} ?inert=${this.sheet !== null}></debug-drawer>`;
  }

  /** Where the session itself has lost it, the list of scripts knows it. */
  private name(): string {
    const named = [this.state?.session, this.entry].find((one) => one && isNamed(one));
    if (named) return named.name;
    const script = this.state?.session?.script ?? this.entry?.script ?? "";
    if (!this.listed && script) {
      this.listed = [];
      scripts().then(
        (all) => {
          this.listed = all;
        },
        () => {},
      );
    }
    return this.listed?.find(({ id }) => id === script)?.name ?? this.entry?.name ?? script;
  }

  private page(now: ReturnType<typeof standing>): TemplateResult {
    const { words } = this;
    const head = top(words, {
      back: { label: words.session.leave, act: () => this.open("leave") },
      title: this.name(),
      items: this.items(now),
    });
    if (now === "closed" || now === "lost") return html`${head}${this.shut(now)}`;
    const progress = this.state?.progress;
    return html`
      ${head}
      <div class="quiet-row">
        ${this.quiet()}
        <button class="quiet quick-exit" type="button" title=${words.menu.exitKeys} @click=${() => quickExit()}>
          ${words.menu.exit}
        </button>
      </div>
      ${progress && (now === "open" || now === "paused") ? html`<session-progress .progress=${progress}></session-progress>` : nothing}
      <main class="talk" aria-label=${words.session.page}>
        ${this.long && now === "open" && !this.state?.inCrisis ? this.rest() : nothing}
        <heart-chat
          ?hidden=${now === "paused"}
          .conversation=${this.conversation}
          .locale=${this.language.locale}
          .persistence=${store.now}
          .theme=${preference.theme === "system" ? "auto" : preference.theme}
        >
          <span slot="about" hidden></span>
          <p slot="crisis" class="crisis"><span class="crisis-label">${words.session.crisis}</span> ${contactLine(this.speaks)}</p>
          ${now === "ended" || now === "archived" ? this.resting(now) : nothing}
        </heart-chat>
        ${now === "paused" ? this.resting(now) : nothing}
      </main>
    `;
  }

  /** Paused, it stands in the conversation's place. At its end it follows the last words: they are read first. */
  private resting(now: "paused" | "ended" | "archived"): TemplateResult {
    return html`<session-rest
      slot="after"
      .standing=${now}
      .session=${this.session}
      .inCrisis=${this.state?.inCrisis ?? false}
      .speaks=${this.speaks}
      @go-on=${this.goOn}
      @leave=${() => this.open("leave")}
    ></session-rest>`;
  }

  /** One line at most: what is the matter, else what this is. The connection is the chat's to speak of. */
  private quiet(): TemplateResult {
    const { session } = this.words;

    const troubles = { pause: session.pauseFailed, end: session.endFailed, on: session.onFailed };
    const away = this.returned && this.state?.status === "ready";
    const held = away ? session.awayText : "";
    const matter = this.pausing ? session.pausing : this.trouble ? troubles[this.trouble] : held;
    const mode = this.state?.session?.mode;
    const model = place.now?.model?.name;
    const program = mode === "script" ? session.script : mode === "model" && model ? session.model(model) : "";
    const what = this.state?.human ? session.human : program;
    return html`<p class="quiet-line ${matter ? "matter" : ""}">
      <span role="status">${matter}</span>${matter ? nothing : what}
    </p>`;
  }

  /** Once; in a crisis nobody is sent to take a walk. */
  private rest(): TemplateResult {
    const { session, menu } = this.words;
    const known = () => {
      this.long = false;
    };
    const pause = () => {
      known();
      void this.pause();
    };
    return html`<div class="long-stay">
      <p role="status">${session.longStay}</p>
      <button class="quiet" type="button" @click=${pause}>${menu.pause}</button>
      <button class="quiet" type="button" @click=${known}>${session.longKnown}</button>
    </div>`;
  }

  private shut(now: "closed" | "lost"): TemplateResult {
    const { session, again } = this.words;
    const read = { label: session.read, act: () => go({ at: "read", id: this.session }) };
    if (now === "lost") {
      const over = { label: session.lostOn, act: () => void this.startOver() };
      return message({
        title: session.lostTitle,
        text: session.lostText,
        more: this.unheard(),
        acts: [over, { ...read, label: session.look }],
        after: html`<p class="line" role="status">${this.trouble ? session.onFailed : ""}</p>`,
      });
    }
    const retry = { label: again, act: () => this.entry && this.hold(this.entry) };
    return message({ title: session.closedTitle, text: session.closedText, acts: [retry] });
  }

  /** What never arrived, word for word, and that it is taken along. */
  private unheard(): TemplateResult | typeof nothing {
    const words = wordsOf(this.state?.outbox ?? []);
    if (words.length === 0) return nothing;
    return html`<p>${this.words.session.lostUnsent}</p>
      <ul class="unheard">${words.map((each) => html`<li>${each}</li>`)}</ul>`;
  }

  private gone(): TemplateResult {
    const { words, entry } = this;
    const home = { label: words.home, act: () => go({ at: "arrive" }) };
    const forgetting = {
      label: words.leaving.forgetDo,
      act: () => {
        this.forgetting();
        forget(this.session);
        go({ at: "arrive" }, words.leaving.forgotten);
      },
    };
    return html`${top(words, { back: { label: words.back } })}
    ${message({
      title: words.session.goneTitle,
      text: words.session.goneText,
      acts: entry ? [home, forgetting] : [home],
    })}`;
  }

  private items(now: ReturnType<typeof standing>): MenuItem[] {
    const { menu } = this.words;
    const all: MenuItem[] = [];
    if (now === "open" && !this.pausing) all.push({ label: menu.pause, act: () => void this.pause() });
    if (now === "open" || now === "paused") all.push({ label: menu.end, act: () => this.open("end") });
    all.push({ label: menu.leave, act: () => this.open("leave") });
    all.push({ label: menu.print, act: () => go({ at: "read", id: this.session }) });
    return all;
  }

  private hold(entry: Kept): void {
    this.release();
    this.returned = Date.now() - Date.parse(entry.last) > 3_600_000;
    const conversation = server().conversation(entry.id, opener(entry));
    this.conversation = conversation;
    this.stop = conversation.subscribe((state) => this.look(state));
    this.look(conversation.state);
  }

  private look(state: ConversationState): void {
    const before = this.state;
    this.state = state;
    this.onLook();
    if (state.session && state.session !== before?.session) update(state.session);
    if (state.session?.locale !== before?.session?.locale) place.ask(this.speaks).catch(() => {});
    if (state.outbox.length > 0) this.returned = false;
    if (state.status !== before?.status) this.trouble = null;
    if (standing(state) === "gone" && state.problem?.code === "not-found") markGone(this.session);
  }

  private release(): void {
    this.pausing = false;
    this.stop();
    this.stop = () => {};
    this.conversation?.leave();
    this.conversation = null;
    this.state = null;
  }

  private noticed(): void {
    markNoticed(this.session);
    this.entry = kept(this.session);
    this.reminding = false;
    if (this.entry) this.hold(this.entry);
  }

  private async pause(): Promise<void> {
    const { conversation } = this;
    if (!conversation || this.pausing) return;
    this.trouble = null;
    this.pausing = true;
    let failed = false;
    try {
      await conversation.pause();
    } catch {
      failed = true;
    }
    if (conversation !== this.conversation) return;
    this.pausing = false;
    if (failed) this.trouble = "pause";
  }

  private goOn(): void {
    this.trouble = null;
    this.conversation?.resume();
  }

  private end(): void {
    this.closeSheet();
    this.conversation?.end();
  }

  private async startOver(): Promise<void> {
    if (!this.entry) return;
    this.trouble = null;
    try {
      const created = await server().startOver(this.session, opener(this.entry));
      keep(created);
      carryOver(this.state?.outbox ?? [], this.session, created.session.id);
      location.replace(`#/session/${created.session.id}`);
    } catch {
      this.trouble = "on";
    }
  }

  private open(sheet: "leave" | "end"): void {
    this.sheet = sheet;
  }

  private closeSheet(): void {
    this.sheet = null;
  }

  /** Nothing may be written any more by the time the device forgets. */
  private forgetting(): void {
    for (const entry of this.state?.outbox ?? []) this.conversation?.discard(entry.key);
    this.release();
  }

  /** Forgotten in another tab: then nothing may be shown or written here either; the rest is cleared for us. */
  private forgotten(): void {
    this.forgetting();
    this.sheet = null;
    this.entry = null;
  }
}

customElements.define("visitor-session", VisitorSession);
