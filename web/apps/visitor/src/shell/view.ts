import { LitElement } from "lit";
import { language, type Words } from "../i18n/language.js";

/** What every part of the page is made of. It renders into the page itself, not into a shadow: one sheet of styles for
 * screen and print, and labels that can point at what they name. */
export class View extends LitElement {
  protected readonly language = language;
  private readonly repaint = () => this.requestUpdate();

  protected get words(): Words {
    return language.words;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    language.addEventListener("change", this.repaint);
  }

  override disconnectedCallback(): void {
    language.removeEventListener("change", this.repaint);
    super.disconnectedCallback();
  }
}
