import { LitElement } from "lit";
import { language, type Words } from "./language.js";

/** What every part of the page is made of: rendered into the page itself, and again when the language changes. */
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
