import type { Script } from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { autonym } from "../i18n/autonym.js";
import { same } from "../i18n/language.js";
import { person } from "../leaving/kept.js";
import { arrivalLine } from "../shell/go.js";
import { chevron } from "../shell/icon.js";
import { format } from "../shell/route.js";
import { top } from "../shell/top.js";
import { View } from "../shell/view.js";
import { minutes } from "./duration.js";
import { byLanguage, scripts } from "./scripts.js";
import "./onward.js";

/** The first page: go on with what was begun here, or choose something. */
export class VisitorArrive extends View {
  static override properties: PropertyDeclarations = {
    lost: { type: Boolean },
    all: { state: true },
    failed: { state: true },
    line: { state: true },
  };
  /** Whether somebody came with an address that leads nowhere. */
  declare lost: boolean;
  declare all: readonly Script[] | null;
  declare failed: boolean;
  declare line: string;

  constructor() {
    super();
    this.lost = false;
    this.all = null;
    this.failed = false;
    this.line = arrivalLine();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.look();
  }

  protected override render(): TemplateResult {
    const { words } = this;
    const line = this.line || (this.lost ? words.nowhere : "");
    return html`
      ${top(words)}
      <main class="column arrive">
        <p class="line" role="status">${line}</p>
        <div class="welcome">
          <h1 tabindex="-1">${words.arrive.title}</h1>
          <p>${words.arrive.lead}</p>
          <p><a href=${format({ at: "what" })}>${words.arrive.what}</a></p>
        </div>
        <visitor-onward></visitor-onward>
        ${this.choices()}
        ${person() ? html`<p class="mine"><a href=${format({ at: "space" })}>${words.space.link}</a></p>` : nothing}
      </main>
    `;
  }

  private choices(): TemplateResult {
    const { arrive, again, loading } = this.words;
    if (this.failed) {
      return html`<section class="mend" role="status">
        <h2>${arrive.failed}</h2>
        <p>${arrive.failedMend}</p>
        <button class="second" type="button" @click=${() => this.look(true)}>${again}</button>
      </section>`;
    }
    if (this.all === null) return html`<p class="soft" role="status">${loading}</p>`;
    if (this.all.length === 0) {
      return html`<section class="mend">
        <h2>${arrive.empty}</h2>
        <p>${arrive.emptyMend}</p>
        <button class="second" type="button" @click=${() => this.look(true)}>${again}</button>
      </section>`;
    }
    const { own, others } = byLanguage(this.all, this.language.locale);
    return html`
      ${own.length > 0 ? this.group("choose", arrive.choose, own) : nothing}
      ${others.length > 0 ? this.group("others", own.length > 0 ? arrive.others : arrive.choose, others) : nothing}
    `;
  }

  private group(id: string, title: string, some: readonly Script[]): TemplateResult {
    return html`<section aria-labelledby=${id}>
      <h2 id=${id}>${title}</h2>
      <ul class="scripts">
        ${some.map((script) => this.script(script))}
      </ul>
    </section>`;
  }

  private script({ id, name, goal, audience, duration, locale }: Script): TemplateResult {
    const { arrive } = this.words;
    const length = minutes(duration);
    const own = same(locale, this.language.locale);
    // What it is for says nothing to those who cannot read it, and takes room.
    return html`<li>
      <a href=${format({ at: "begin", script: id })}>
        <span class="name" lang=${locale}>${name}</span>
        ${own && length === null ? nothing : html`<span class="length">${own ? nothing : html`<span lang=${locale}>${autonym(locale)}</span>`}${!own && length !== null ? " · " : nothing}${length === null ? nothing : arrive.minutes(length)}</span>`}
        ${goal && own ? html`<span class="goal" lang=${locale}>${goal}</span>` : nothing}
        ${audience && own ? html`<span class="audience">${arrive.audience} <span lang=${locale}>${audience}</span></span>` : nothing}
        <span class="onto">${chevron}</span>
      </a>
    </li>`;
  }

  private async look(anew = false): Promise<void> {
    this.failed = false;
    if (anew) this.all = null;
    try {
      this.all = await scripts(anew);
    } catch {
      this.failed = true;
    }
  }
}

customElements.define("visitor-arrive", VisitorArrive);
