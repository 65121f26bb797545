import { type OnDuty, Problem } from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { preference, THEMES, type Theme } from "../../visitor/src/shell/preference.js";
import { client, duty, tokenOf } from "./duty.js";
import type { Locale } from "./language.js";
import "./list.js";
import { addressOf, type DeskReplies } from "./replies.js";
import "./reply.js";
import "./session.js";
import { View } from "./view.js";

/** The page: who is on duty, which sessions there are, and the one that is open. */
export class HeartDesk extends View {
  static override properties: PropertyDeclarations = {
    me: { state: true },
    trouble: { state: true },
    open: { state: true },
    place: { state: true },
    reply: { state: true },
    onward: { state: true },
  };
  declare me: OnDuty | null;
  declare trouble: boolean;
  declare open: string | null;
  /** What the list shows. */
  declare place: "sessions" | "replies";
  /** `session.message` of the reply that is being judged. */
  declare reply: string | null;
  declare onward: string | null;

  private readonly onHash = () => {
    const token = tokenOf(location.hash);
    if (token !== null) {
      history.replaceState(null, "", location.pathname);
      void this.enter(token);
    }
    this.open = /^#s=([0-9a-f]+)$/.exec(location.hash)?.[1] ?? null;
    this.reply = /^#r=([0-9a-f]+\.\d+)$/.exec(location.hash)?.[1] ?? null;
    this.place = this.reply || location.hash === "#reviews" ? "replies" : "sessions";
  };

  constructor() {
    super();
    this.me = null;
    this.trouble = false;
    this.open = null;
    this.place = "sessions";
    this.reply = null;
    this.onward = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.onHash);
    preference.apply();
    this.onHash();
    const { token } = duty;
    if (token !== null && !this.me) void this.enter(token);
  }

  override disconnectedCallback(): void {
    removeEventListener("hashchange", this.onHash);
    super.disconnectedCallback();
  }

  protected override willUpdate(): void {
    document.documentElement.lang = this.language.locale;
    document.title = `${this.words.name} · HeartRule`;
  }

  protected override render(): TemplateResult {
    return html`<a class="skip-link" href="#main" @click=${this.skip}>${this.words.skip}</a>
      ${this.head()} ${this.me ? this.desk(this.me) : this.door()}`;
  }

  private head(): TemplateResult {
    const { words, me } = this;
    return html`<header class="desk-head">
      <strong class="desk-name">${words.name}</strong>
      ${me ? html`<span class="me">${words.onDuty(me.name)}</span>${this.places()}` : nothing}
      <span class="settings">
        <label
          ><span class="hidden">${words.language}</span
          ><select name="locale" @change=${(event: Event) => this.language.choose(value(event) as Locale)}>
            ${(["zh-CN", "en"] as const).map(
              (each) =>
                html`<option value=${each} lang=${each} ?selected=${each === this.language.locale}>
                  ${each === "en" ? "English" : "中文"}
                </option>`,
            )}
          </select></label
        >
        <label
          ><span class="hidden">${words.theme}</span
          ><select
            name="theme"
            @change=${(event: Event) => {
              preference.theme = value(event) as Theme;
            }}
          >
            ${THEMES.map(
              (each) =>
                html`<option value=${each} ?selected=${each === preference.theme}>${words.themes[each]}</option>`,
            )}
          </select></label
        >
        ${me ? html`<button class="quiet" type="button" @click=${this.leave}>${words.signOut}</button>` : nothing}
      </span>
    </header>`;
  }

  private places(): TemplateResult {
    const { words, place } = this;
    const link = (where: string, name: string, current: boolean) =>
      html`<a href=${where} aria-current=${current ? "page" : nothing}>${name}</a>`;
    return html`<nav class="places" aria-label=${words.places}>
      ${link("#", words.sessions, place === "sessions")} ${link("#reviews", words.replies, place === "replies")}
    </nav>`;
  }

  private door(): TemplateResult {
    const { words } = this;
    return html`<main id="main" class="door" tabindex="-1">
      <h1>${words.signIn}</h1>
      <p>${words.signInText}</p>
      <form @submit=${this.signIn}>
        <label for="token">${words.token}</label>
        <input id="token" name="token" type="password" autocomplete="off" required />
        <button class="main" type="submit">${words.enter}</button>
      </form>
      <p class="line" role="alert">${this.trouble ? words.refused : ""}</p>
    </main>`;
  }

  private desk(me: OnDuty): TemplateResult {
    if (this.place === "replies") return this.replies();
    return html`<div class="desk ${this.open ? "one" : "all"}">
      <desk-list .open=${this.open} @refused=${this.leave}></desk-list>
      <main id="main" tabindex="-1">
        ${
          this.open
            ? html`<desk-session .session=${this.open} .me=${me}></desk-session>`
            : html`<h1 class="hidden">${this.words.sessions}</h1><p class="nothing-open">${this.words.choose}</p>`
        }
      </main>
    </div>`;
  }

  private replies(): TemplateResult {
    return html`<div class="desk ${this.reply ? "one" : "all"}">
      <desk-replies .open=${this.reply} @refused=${this.leave}></desk-replies>
      <main id="main" tabindex="-1">
        ${
          this.reply
            ? html`<desk-reply .reply=${this.reply} .onward=${this.onward} @judged=${this.judged}></desk-reply>`
            : html`<h1 class="hidden">${this.words.replies}</h1><p class="nothing-open">${this.words.chooseReply}</p>`
        }
      </main>
    </div>`;
  }

  /** The list is read again, so that it is known which one comes next. */
  private readonly judged = async () => {
    const list = this.querySelector<DeskReplies>("desk-replies");
    await list?.look();
    const next = list?.next ?? null;
    this.onward = next ? addressOf(next) : null;
  };

  private readonly skip = (event: Event) => {
    event.preventDefault();
    this.querySelector<HTMLElement>("main")?.focus();
  };

  private readonly signIn = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement).get("token");
    void this.enter(String(given ?? "").trim());
  };

  private async enter(token: string): Promise<void> {
    this.trouble = false;
    try {
      this.me = await client().me(token);
      duty.begin(token);
    } catch (error) {
      this.trouble = true;
      if (error instanceof Problem && !error.passing) duty.end();
    }
  }

  private readonly leave = () => {
    duty.end();
    this.me = null;
    history.replaceState(null, "", location.pathname);
    this.open = null;
  };
}

function value(event: Event): string {
  return (event.target as HTMLSelectElement).value;
}

customElements.define("heart-desk", HeartDesk);
