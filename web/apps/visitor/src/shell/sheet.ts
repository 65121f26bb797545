import { html, type TemplateResult } from "lit";
import { closes } from "../leaving/exit.js";
import { View } from "./view.js";

/** A leaf laid over the page: asks one thing, closes with Escape. Not the browser's modal dialog, which would lie over the
 * help button and shut it off; the page behind is made inert by the shell instead. */
export abstract class Sheet extends View {
  private came: HTMLElement | null = null;
  private readonly onKey = (event: KeyboardEvent) => {
    // The one on top closes first.
    if (event.key === "Escape" && !event.defaultPrevented && !this.closest("[inert]")) {
      closes(event);
      this.close();
    }
  };

  /** Its heading, and what stands below it. */
  protected abstract heading(): string;
  protected abstract body(): TemplateResult;

  close(): void {
    this.dispatchEvent(new CustomEvent("close", { bubbles: true }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.came = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    document.addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    document.removeEventListener("keydown", this.onKey);
    super.disconnectedCallback();
    // The page behind is freed in the same moment; one turn later it takes focus again.
    const { came } = this;
    setTimeout(() => {
      if (came?.isConnected && (document.activeElement === document.body || !document.activeElement)) came.focus();
    });
  }

  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>("h2")?.focus();
  }

  protected override render(): TemplateResult {
    const id = `${this.localName}-heading`;
    return html`
      <div class="veil" @click=${() => this.close()}></div>
      <section class="sheet" role="dialog" aria-labelledby=${id}>
        <header class="sheet-head">
          <h2 id=${id} tabindex="-1">${this.heading()}</h2>
          <button class="quiet" type="button" @click=${() => this.close()}>${this.words.close}</button>
        </header>
        ${this.body()}
      </section>
    `;
  }
}
