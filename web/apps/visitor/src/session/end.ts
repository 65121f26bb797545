import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { contactLine } from "../help/help.js";
import { type Locale, language } from "../i18n/language.js";
import { Sheet } from "../shell/sheet.js";

/** Asks once before a session ends, because nothing can be added afterwards; and offers what is meant more often. */
export class EndSheet extends Sheet {
  static override properties: PropertyDeclarations = {
    paused: { type: Boolean },
    inCrisis: { attribute: false },
    speaks: { attribute: false },
  };
  declare paused: boolean;
  declare inCrisis: boolean;
  /** The language of the session, and of the numbers in it. */
  declare speaks: Locale;

  constructor() {
    super();
    this.paused = false;
    this.inCrisis = false;
    this.speaks = language.locale;
  }

  protected heading(): string {
    return this.words.end.title;
  }

  protected body(): TemplateResult {
    const { end, leaving, cancel } = this.words;
    return html`
      ${this.inCrisis ? html`<p class="care">${leaving.crisis} ${contactLine(this.speaks)}</p>` : nothing}
      <p>${end.text}</p>
      <div class="acts">
        <button class="main" type="button" @click=${() => this.say("end")}>${end.yes}</button>
        ${
          this.paused
            ? nothing
            : html`<button class="second" type="button" @click=${() => this.say("pause")}>${end.pause}</button>`
        }
        <button class="quiet" type="button" @click=${() => this.close()}>${cancel}</button>
      </div>
    `;
  }

  private say(what: "end" | "pause"): void {
    this.dispatchEvent(new CustomEvent(what));
  }
}

customElements.define("end-sheet", EndSheet);
