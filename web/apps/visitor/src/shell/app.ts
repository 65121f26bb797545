import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import "../arrive/arrive.js";
import "../help/help.js";
import "../leaving/back.js";
import "../notice/begin.js";
import "../session/read.js";
import "../session/session.js";
import "../space/space.js";
import "../summary/summary.js";
import { place } from "./about.js";
import { go } from "./go.js";
import { preference } from "./preference.js";
import { hide, parse, type Route } from "./route.js";
import { top } from "./top.js";
import { View } from "./view.js";

/** The page: where somebody is, and the help button above everything. */
export class HeartRule extends View {
  static override properties: PropertyDeclarations = { route: { state: true }, help: { state: true } };
  declare route: Route;
  declare help: boolean;

  private readonly onHash = () => {
    const route = parse(location.hash);
    if (route.at === "back") hide();
    this.route = route;
    this.help = false;
  };

  constructor() {
    super();
    this.route = { at: "arrive" };
    this.help = false;
    this.onHash();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // What stood here while the page was loading.
    this.replaceChildren();
    addEventListener("hashchange", this.onHash);
    preference.apply();
  }

  override disconnectedCallback(): void {
    removeEventListener("hashchange", this.onHash);
    super.disconnectedCallback();
  }

  protected override willUpdate(): void {
    document.documentElement.lang = this.language.locale;
    document.title = this.words.tab(this.pageName());
    const manifest = document.querySelector<HTMLLinkElement>("link[rel=manifest]");
    if (manifest) manifest.href = `/app.${this.language.locale}.webmanifest`;
    // Failing is no matter here: the numbers of last time, or of last resort, are there.
    place.ask().catch(() => {});
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get("route");
    if (before !== undefined && before !== this.route) void this.arrive();
  }

  protected override render(): TemplateResult {
    return html`
      <help-corner
        ?open=${this.help}
        @help=${() => {
          this.help = true;
        }}
        @close=${() => {
          this.help = false;
        }}
      ></help-corner>
      <div class="view" ?inert=${this.help}>
        <button class="skip" type="button" @click=${() => this.focusOn("main, h1")}>${this.words.skip}</button>
        ${this.view()}
      </div>
    `;
  }

  private view(): TemplateResult {
    const { route } = this;
    switch (route.at) {
      case "arrive":
        return html`<visitor-arrive></visitor-arrive>`;
      case "nowhere":
        return html`<visitor-arrive lost></visitor-arrive>`;
      case "what":
        return html`${top(this.words, { back: { label: this.words.back } })}
          <visitor-notice
            .heading=${this.words.menu.what}
            .accept=${this.words.notice.understood}
            @accept=${() => go({ at: "arrive" })}
          ></visitor-notice>`;
      case "space":
        return html`<visitor-space></visitor-space>`;
      case "begin":
        return html`<visitor-begin .script=${route.script}></visitor-begin>`;
      case "session":
        return html`<visitor-session .session=${route.id}></visitor-session>`;
      case "read":
        return html`<visitor-read .session=${route.id}></visitor-read>`;
      case "summary":
        return html`<visitor-summary .session=${route.id}></visitor-summary>`;
      case "record":
        return html`<visitor-summary></visitor-summary>`;
      case "back":
        return html`<visitor-back .token=${route.token}></visitor-back>`;
    }
  }

  private pageName(): string {
    const { words } = this;
    switch (this.route.at) {
      case "begin":
        return words.notice.page;
      case "what":
        return words.menu.what;
      case "space":
        return words.space.title;
      case "session":
        return words.session.page;
      case "read":
        return words.session.readPage;
      case "summary":
        return words.summary.title;
      case "record":
        return words.summary.all;
      case "back":
        return words.returning.page;
      default:
        return words.arrive.page;
    }
  }

  /** A new page is read from its heading, as it would be if it had been loaded. */
  private async arrive(): Promise<void> {
    await new Promise((resume) => setTimeout(resume));
    scrollTo(0, 0);
    this.focusOn("h1");
    // Who has a keyboard before them types; what is said is read out from where it stands.
    if (this.route.at === "session" && matchMedia("(hover: hover) and (pointer: fine)").matches) {
      this.querySelector<HTMLElement>("heart-chat:not([hidden])")?.focus({ preventScroll: true });
    }
  }

  private focusOn(what: string): void {
    const found = this.querySelector<HTMLElement>(`.view :is(${what})`);
    if (!found) return;
    if (found.tabIndex < 0) found.tabIndex = -1;
    found.focus({ preventScroll: true });
  }
}

customElements.define("heart-rule", HeartRule);
