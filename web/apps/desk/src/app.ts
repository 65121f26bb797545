import { type OnDuty, Problem } from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { preference, THEMES, type Theme } from "../../visitor/src/shell/preference.js";
import { client, duty, tokenOf } from "./duty.js";
import type { Locale } from "./language.js";
import "./list.js";
import "./session.js";
import { View } from "./view.js";

/** The page: who is on duty, which sessions there are, and the one that is open. */
export class HeartDesk extends View {
  static override properties: PropertyDeclarations = {
    me: { state: true },
    trouble: { state: true },
    open: { state: true },
  };
  declare me: OnDuty | null;
  declare trouble: boolean;
  declare open: string | null;

  private readonly onHash = () => {
    const token = tokenOf(location.hash);
    if (token !== null) {
      history.replaceState(null, "", location.pathname);
      void this.enter(token);
    }
    this.open = /^#s=([0-9a-f]+)$/.exec(location.hash)?.[1] ?? null;
  };

  constructor() {
    super();
    this.me = null;
    this.trouble = false;
    this.open = null;
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
      ${me ? html`<span>${words.onDuty(me.name)}</span>` : nothing}
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
    return html`<div class="desk ${this.open ? "one" : "all"}">
      <desk-list .open=${this.open} @refused=${this.leave}></desk-list>
      <main id="main" tabindex="-1">
        ${
          this.open
            ? html`<desk-session .session=${this.open} .me=${me}></desk-session>`
            : html`<p class="nothing-open">${this.words.choose}</p>`
        }
      </main>
    </div>`;
  }

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
