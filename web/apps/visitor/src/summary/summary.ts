import { Problem } from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { kept, opener, person, whenForgotten } from "../leaving/kept.js";
import { place } from "../shell/about.js";
import { go } from "../shell/go.js";
import { message } from "../shell/message.js";
import { server } from "../shell/server.js";
import { top } from "../shell/top.js";
import { View } from "../shell/view.js";
import "./paper.js";
import type { SummaryPaper } from "./paper.js";

type Format = "html" | "pdf";

/** What a session came to, or all of a person's sessions: to read, print, save or copy. It is made anew each time it is
 * looked at, and kept nowhere by us. */
export class VisitorSummary extends View {
  static override properties: PropertyDeclarations = {
    session: { attribute: false },
    page: { state: true },
    trouble: { state: true },
    line: { state: true },
    busy: { state: true },
  };
  /** "" for all of a person's. */
  declare session: string;
  declare page: Blob | null;
  declare trouble: "gone" | "closed" | null;
  declare line: string;
  declare busy: boolean;
  private watching = new AbortController();
  private readonly onAbout = () => this.requestUpdate();

  constructor() {
    super();
    this.session = "";
    this.page = null;
    this.trouble = null;
    this.line = "";
    this.busy = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    place.addEventListener("change", this.onAbout);
    place.ask().catch(() => {});
  }

  override disconnectedCallback(): void {
    place.removeEventListener("change", this.onAbout);
    this.watching.abort();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("session")) return;
    this.watching.abort();
    this.watching = new AbortController();
    if (this.session) whenForgotten(this.session, () => this.lose("gone"), this.watching.signal);
    this.page = null;
    void this.look();
  }

  protected override render(): TemplateResult {
    const { words, trouble } = this;
    const back = () =>
      this.session && kept(this.session) ? go({ at: "session", id: this.session }) : go({ at: "space" });
    const head = top(words, { back: { label: words.back, act: back } });
    if (trouble) {
      const gone = trouble === "gone";
      return html`${head}
      ${message({
        title: gone ? words.session.goneTitle : words.summary.closed,
        text: gone ? words.session.goneText : words.summary.closedText,
        acts: gone
          ? [{ label: words.home, act: () => go({ at: "arrive" }) }]
          : [{ label: words.again, act: () => void this.look() }],
      })}`;
    }
    return html`${head}
      <main class="column summary">
        <h1 class="on-screen" tabindex="-1">${this.session ? words.summary.title : words.summary.all}</h1>
        <p class="soft on-screen">${words.summary.note}</p>
        ${this.page ? this.acts() : html`<p class="soft" role="status">${words.loading}</p>`}
        <p class="line" role="status">${this.line}</p>
        ${this.page ? html`<summary-paper></summary-paper>` : nothing}
      </main>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("page") && this.page) void this.show(this.page);
  }

  private acts(): TemplateResult {
    const { summary, session } = this.words;
    return html`<div class="acts">
      <button class="main" type="button" @click=${() => window.print()}>${session.print}</button>
      <button class="quiet" type="button" ?disabled=${this.busy} @click=${() => this.save("html")}>${summary.save}</button>
      ${
        place.now?.pdf
          ? html`<button class="quiet" type="button" ?disabled=${this.busy} @click=${() => this.save("pdf")}>${summary.pdf}</button>`
          : nothing
      }
      <button class="quiet" type="button" @click=${() => this.copy()}>${summary.copy}</button>
    </div>
    ${place.now && !place.now.pdf ? html`<p class="soft on-screen">${summary.noPdf}</p>` : nothing}`;
  }

  private get paper(): SummaryPaper | null {
    return this.querySelector<SummaryPaper>("summary-paper");
  }

  private async show(page: Blob): Promise<void> {
    const html_ = await page.text();
    if (this.page === page && this.paper) this.paper.page = html_;
  }

  private async save(format: Format): Promise<void> {
    const { summary } = this.words;
    if (this.busy) return;
    this.busy = true;
    this.line = format === "pdf" ? summary.making : "";
    try {
      const file = format === "html" && this.page ? this.page : await this.ask(format);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(file);
      link.download = `${this.session ? summary.title : summary.all}.${format}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      this.line = summary.saved;
    } catch (error) {
      const told = error instanceof Problem && error.status === 501 ? error.title : "";
      this.line = told || summary.failed;
    } finally {
      this.busy = false;
    }
  }

  private async copy(): Promise<void> {
    const { summary } = this.words;
    try {
      await navigator.clipboard.writeText(this.paper?.words ?? "");
      this.line = summary.copied;
    } catch {
      this.line = summary.copyByHand;
    }
  }

  private async ask(format: Format): Promise<Blob> {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const mine = person();
    if (!this.session) {
      if (!mine) throw new Problem("not-found", 404);
      return await server().record(mine, { format, zone });
    }
    const entry = kept(this.session);
    const token = entry ? opener(entry) : mine;
    if (!token) throw new Problem("not-found", 404);
    return await server().summary(this.session, token, { format, zone });
  }

  /** What was forgotten elsewhere is not shown here either. */
  private lose(trouble: "gone" | "closed"): void {
    this.page = null;
    this.trouble = trouble;
  }

  private async look(): Promise<void> {
    const { session } = this;
    this.trouble = null;
    this.line = "";
    try {
      const page = await this.ask("html");
      if (this.session === session && this.isConnected) this.page = page;
    } catch (error) {
      if (this.session === session) this.lose(error instanceof Problem && !error.passing ? "gone" : "closed");
    }
  }
}

customElements.define("visitor-summary", VisitorSummary);
