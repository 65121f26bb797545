import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { contactLine } from "../help/help.js";
import { type Locale, language } from "../i18n/language.js";
import { go } from "../shell/go.js";
import { actRow } from "../shell/message.js";
import { View } from "../shell/view.js";

/** Where a session rests: paused in the middle, at its end, or put away for good. */
export class SessionRest extends View {
  static override properties: PropertyDeclarations = {
    standing: { attribute: false },
    session: { attribute: false },
    inCrisis: { attribute: false },
    speaks: { attribute: false },
  };
  declare standing: "paused" | "ended" | "archived";
  declare session: string;
  declare inCrisis: boolean;
  /** The language of the session, and of the numbers in it. */
  declare speaks: Locale;

  constructor() {
    super();
    this.standing = "paused";
    this.session = "";
    this.inCrisis = false;
    this.speaks = language.locale;
  }

  protected override render(): TemplateResult {
    const { session } = this.words;
    const keep = { label: session.keep, act: () => go({ at: "summary", id: this.session }) };
    const read = { label: session.read, act: () => go({ at: "read", id: this.session }) };
    const another = { label: session.another, act: () => go({ at: "arrive" }) };
    const leave = { label: session.leave, act: () => this.say("leave") };
    const link = { label: session.link, act: () => this.say("leave") };
    const clear = { label: this.words.leaving.forgetDo, act: () => this.say("leave") };
    switch (this.standing) {
      case "paused":
        return this.page(session.pausedTitle, session.pausedText, [
          { label: session.pausedOn, act: () => this.say("go-on") },
          leave,
          { ...read, label: session.look },
        ]);
      case "ended":
        return this.page(session.endedTitle, session.endedText, [keep, read, link, another, clear]);
      case "archived":
        return this.page(session.archivedTitle, session.archivedText, [keep, read, another]);
    }
  }

  private page(title: string, text: string, acts: Parameters<typeof actRow>[0]): TemplateResult {
    const { leaving, session } = this.words;
    return html`<section class="rest ${this.standing}">
      <h2 tabindex="-1">${title}</h2>
      <p>${text}</p>
      ${
        this.inCrisis
          ? this.standing === "paused"
            ? html`<p class="care">${leaving.crisis} ${contactLine(this.speaks)}</p>`
            : html`<p class="care">${session.crisisEnd}</p>`
          : nothing
      }
      ${actRow(acts, "quiet")}
    </section>`;
  }

  private say(what: string): void {
    this.dispatchEvent(new CustomEvent(what));
  }
}

customElements.define("session-rest", SessionRest);
