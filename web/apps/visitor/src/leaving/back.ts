import { Problem } from "@heartrule/sdk";
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { go } from "../shell/go.js";
import { message } from "../shell/message.js";
import { server } from "../shell/server.js";
import { top } from "../shell/top.js";
import { View } from "../shell/view.js";
import { keepReturned } from "./kept.js";
import { claims } from "./token.js";

/** Somebody comes back with a link. The token came out of the address before this was shown. */
export class VisitorBack extends View {
  static override properties: PropertyDeclarations = { token: { attribute: false }, trouble: { state: true } };
  declare token: string;
  declare trouble: "refused" | "closed" | null;

  constructor() {
    super();
    this.token = "";
    this.trouble = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.look();
  }

  protected override render(): TemplateResult {
    const { words } = this;
    const { returning } = words;
    const home = { label: words.home, act: () => go({ at: "arrive" }) };
    const again = { label: words.again, act: () => void this.look() };
    const page =
      this.trouble === "refused"
        ? message({ title: returning.title, text: returning.text, acts: [home] })
        : this.trouble === "closed"
          ? message({ title: returning.failed, text: returning.failedText, acts: [again, home] })
          : message({ title: returning.opening });
    return html`${top(words, { back: { label: words.back } })}${page}`;
  }

  private async look(): Promise<void> {
    this.trouble = null;
    const found = claims(this.token);
    if (!found) {
      this.trouble = "refused";
      return;
    }
    try {
      keepReturned(await server().session(found.session, this.token), this.token);
      location.replace(`#/session/${found.session}`);
    } catch (error) {
      this.trouble = error instanceof Problem && !error.passing ? "refused" : "closed";
    }
  }
}

customElements.define("visitor-back", VisitorBack);
