import { noticeAnswers, textsOf } from "@heartrule/sdk/chat";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { contactLine } from "../help/help.js";
import { place } from "../shell/about.js";
import { View } from "../shell/view.js";

/** What somebody must know before the first word: short answers, and a way to say yes or not now. */
export class VisitorNotice extends View {
  static override properties: PropertyDeclarations = {
    heading: { attribute: false },
    name: { attribute: false },
    audience: { attribute: false },
    tongue: { attribute: false },
    mode: { attribute: false },
    accept: { attribute: false },
    decline: { attribute: false },
    busy: { type: Boolean },
    lent: { type: Boolean },
    line: { attribute: false },
  };
  /** When it is read for its own sake. */
  declare heading: string;
  /** The session that is about to begin, with how long it takes; "" when somebody only reads. */
  declare name: string;
  /** Whom that session is for, in its own words; "" when it does not say. */
  declare audience: string;
  /** The language of those words. */
  declare tongue: string;
  /** Of a session that was made before; else what the server uses now. */
  declare mode: "script" | "model" | null;
  declare accept: string;
  declare decline: string;
  declare busy: boolean;
  /** The session was opened with a link that somebody made. */
  declare lent: boolean;
  declare line: string;
  private readonly onAbout = () => this.requestUpdate();

  constructor() {
    super();
    this.heading = "";
    this.name = "";
    this.audience = "";
    this.tongue = "";
    this.mode = null;
    this.accept = "";
    this.decline = "";
    this.busy = false;
    this.lent = false;
    this.line = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    place.addEventListener("change", this.onAbout);
    place.ask().catch(this.onAbout);
  }

  override disconnectedCallback(): void {
    place.removeEventListener("change", this.onAbout);
    super.disconnectedCallback();
  }

  protected override render(): TemplateResult {
    const { notice } = this.words;
    return html`
      <main class="column notice">
        <h1 tabindex="-1">${this.heading || notice.title}</h1>
        ${this.name ? html`<p class="under">${this.name}</p>` : nothing}
        ${this.audience ? html`<p class="under for">${this.words.arrive.audience} <span lang=${this.tongue || nothing}>${this.audience}</span></p>` : nothing}
        ${this.lent ? html`<p class="care">${notice.lent}</p>` : nothing}
        <dl class="answers">
          ${noticeAnswers(place.now, textsOf(this.language.locale).texts, this.mode).map(
            ({ question, lines, numbers }) => html`<div>
              <dt>${question}</dt>
              <dd>
                ${lines.map((line) => html`<p>${line}</p>`)}
                ${numbers ? html`<p>${contactLine(this.language.locale)}</p>` : nothing}
              </dd>
            </div>`,
          )}
        </dl>
        <p class="line" role="status">${this.line}</p>
        <div class="acts">
          <button class="main" type="button" ?disabled=${this.busy} @click=${() => this.say("accept")}>
            ${this.busy ? notice.beginning : this.accept}
          </button>
          ${
            this.decline
              ? html`<button class="second" type="button" @click=${() => this.say("decline")}>${this.decline}</button>`
              : nothing
          }
        </div>
        </main>
    `;
  }

  private say(what: "accept" | "decline"): void {
    this.dispatchEvent(new CustomEvent(what));
  }
}

customElements.define("visitor-notice", VisitorNotice);
