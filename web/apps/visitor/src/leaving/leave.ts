import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { contactLine } from "../help/help.js";
import { preferred } from "../i18n/language.js";
import { go } from "../shell/go.js";
import { format } from "../shell/route.js";
import { server } from "../shell/server.js";
import { Sheet } from "../shell/sheet.js";
import { lasts, store } from "../shell/storage.js";
import { forget, type Kept, opener } from "./kept.js";

/** A way back, before somebody goes: kept here, a link for elsewhere, or no trace on this device. */
export class LeaveSheet extends Sheet {
  static override properties: PropertyDeclarations = {
    entry: { attribute: false },
    inCrisis: { attribute: false },
    unsent: { attribute: false },
    link: { state: true },
    making: { state: true },
    line: { state: true },
    sure: { state: true },
  };
  declare entry: Kept | null;
  declare inCrisis: boolean;
  declare unsent: boolean;
  /** Shown once: it goes when the sheet closes. */
  declare link: { address: string; until: Date } | null;
  declare making: boolean;
  declare line: "failed" | "copied" | "byHand" | null;
  declare sure: boolean;

  constructor() {
    super();
    this.entry = null;
    this.inCrisis = false;
    this.unsent = false;
    this.link = null;
    this.making = false;
    this.line = null;
    this.sure = false;
  }

  protected heading(): string {
    return this.words.leaving.title;
  }

  protected body(): TemplateResult {
    const { leaving } = this.words;
    return html`
      ${
        this.inCrisis
          ? html`<p class="care">${leaving.crisis} ${contactLine(preferred([this.entry?.locale ?? "", this.language.locale]))}</p>`
          : nothing
      }
      ${this.unsent ? html`<p class="care">${leaving.unsent}</p>` : nothing}
      <section class="way">
        <h3>${leaving.keepTitle}</h3>
        <p>${this.keeping()}</p>
        <button class="main" type="button" @click=${() => go({ at: "arrive" })}>${leaving.keepDo}</button>
      </section>
      <section class="way">
        <h3>${leaving.linkTitle}</h3>
        ${this.link ? this.made(this.link) : this.offer()}
      </section>
      <section class="way">
        <h3>${leaving.forgetTitle}</h3>
        <p>${leaving.forget}</p>
        <button class="second" type="button" @click=${this.onForget}>${this.sure ? leaving.forgetSure : leaving.forgetDo}</button>
      </section>
    `;
  }

  private keeping(): string {
    const { leaving } = this.words;
    if (store.now === "none") return leaving.keepNone;
    if (store.now === "session") return leaving.keepTab;
    return lasts() ? leaving.keep : leaving.keepNot;
  }

  private offer(): TemplateResult {
    const { leaving } = this.words;
    return html`
      <p>${leaving.link}</p>
      <button class="second" type="button" ?disabled=${this.making} @click=${this.make}>
        ${this.making ? leaving.linkMaking : leaving.linkDo}
      </button>
      <p class="line" role="status">${this.line === "failed" ? leaving.linkFailed : ""}</p>
    `;
  }

  private made({ address, until }: { address: string; until: Date }): TemplateResult {
    const { leaving } = this.words;
    const line = { copied: leaving.copied, byHand: leaving.copyByHand, failed: leaving.linkFailed };
    return html`
      <p>${leaving.linkOnce(this.language.moment(until))}</p>
      <div class="link-row">
        <input
          class="link"
          readonly
          .value=${address}
          aria-label=${leaving.linkLabel}
          @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
        />
        <button class="second" type="button" @click=${this.copy}>${leaving.copy}</button>
      </div>
      <p class="line" role="status">${this.line ? line[this.line] : ""}</p>
    `;
  }

  private async make(): Promise<void> {
    if (!this.entry || this.making) return;
    this.making = true;
    this.line = null;
    try {
      const { token, expires_at } = await server().recovery(this.entry.id, opener(this.entry));
      const here = location.href.split("#")[0] ?? "";
      this.link = { address: here + format({ at: "back", token }), until: new Date(expires_at) };
      await this.updateComplete;
      this.querySelector<HTMLInputElement>("input.link")?.focus();
    } catch {
      this.line = "failed";
    } finally {
      this.making = false;
    }
  }

  private async copy(): Promise<void> {
    if (!this.link) return;
    try {
      await navigator.clipboard.writeText(this.link.address);
      this.line = "copied";
    } catch {
      // Not allowed here; the hand can.
      this.querySelector<HTMLInputElement>("input.link")?.focus();
      this.line = "byHand";
    }
  }

  /** Twice, because without a link there is no way back. */
  private onForget(): void {
    if (!this.sure) {
      this.sure = true;
      return;
    }
    if (!this.entry) return;
    this.dispatchEvent(new CustomEvent("forgetting"));
    forget(this.entry.id);
    go({ at: "arrive" }, this.words.leaving.forgotten);
  }
}

customElements.define("leave-sheet", LeaveSheet);
