import { Problem } from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { allKept, forget, hasUnsaid, type Kept, markGone, opener, update, whenForgotten } from "../leaving/kept.js";
import { format } from "../shell/route.js";
import { server } from "../shell/server.js";
import { View } from "../shell/view.js";

const SHOWN = 3;
/** Milliseconds between two looks at whether a human speaks in one of them, while the page is in sight. */
const AGAIN = 20_000;

/** The sessions that were begun on this device. */
export class VisitorOnward extends View {
  static override properties: PropertyDeclarations = { entries: { state: true }, asking: { state: true } };
  declare entries: readonly Kept[];
  /** The one that is about to be forgotten, if that is confirmed. */
  declare asking: string;
  /** The name of the human who is in a session now, by its id. Kept nowhere. */
  declare humans: ReadonlyMap<string, string>;
  private watching = new AbortController();

  constructor() {
    super();
    this.entries = allKept();
    this.asking = "";
    this.humans = new Map();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.watching = new AbortController();
    const again = () => {
      this.entries = allKept();
    };
    whenForgotten(null, again, this.watching.signal);
    again();
    void this.refresh();
    const timer = setInterval(() => void (document.hidden || this.refresh()), AGAIN);
    const look = () => void (document.hidden || this.refresh());
    document.addEventListener("visibilitychange", look, { signal: this.watching.signal });
    this.watching.signal.addEventListener("abort", () => clearInterval(timer));
  }

  override disconnectedCallback(): void {
    this.watching.abort();
    super.disconnectedCallback();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.entries.length === 0) return nothing;
    const { arrive } = this.words;
    const older = this.entries.slice(SHOWN);
    return html`<section aria-labelledby="onward">
      <h2 id="onward">${arrive.onward}</h2>
      <p class="soft">${arrive.onwardNote}</p>
      <p class="human" role="status">
        ${[...this.humans].map(([id, name]) => html`<a href=${format({ at: "session", id })}>${arrive.human(name)}</a>`)}
      </p>
      <ul class="onward">
        ${this.entries.slice(0, SHOWN).map((entry) => this.entry(entry))}
      </ul>
      ${
        older.length > 0
          ? html`<details>
              <summary>${arrive.older(older.length)}</summary>
              <ul class="onward">
                ${older.map((entry) => this.entry(entry))}
              </ul>
            </details>`
          : nothing
      }
    </section>`;
  }

  private entry({ id, name, locale, status, last }: Kept): TemplateResult {
    const { arrive } = this.words;
    const when = new Date(last);
    return html`<li>
      <a href=${format({ at: "session", id })}>
        <span class="name" lang=${locale}>${name}</span>
        <span class="soft">
          ${arrive.state[status]}${Number.isNaN(when.getTime()) ? nothing : ` · ${this.language.moment(when)}`}
          ${hasUnsaid(id) ? html`<span class="unsaid">· ${arrive.unsaid}</span>` : nothing}
        </span>
      </a>
      ${this.asking === id ? this.sure(id) : this.remover(id, name)}
    </li>`;
  }

  private remover(id: string, name: string): TemplateResult {
    const { arrive } = this.words;
    return html`<button
      class="quiet"
      type="button"
      aria-label=${arrive.forget(name)}
      @click=${() => {
        this.asking = id;
        void this.updateComplete.then(() => this.querySelector<HTMLElement>(".sure button")?.focus());
      }}
    >
      ${arrive.forgetShort}
    </button>`;
  }

  private sure(id: string): TemplateResult {
    const { leaving, cancel } = this.words;
    return html`<div class="sure">
      <p>${leaving.forget}</p>
      <button
        class="second"
        type="button"
        @click=${() => {
          forget(id);
          this.asking = "";
          this.entries = allKept();
        }}
      >
        ${leaving.forgetSure}
      </button>
      <button
        class="quiet"
        type="button"
        @click=${() => {
          this.asking = "";
        }}
      >
        ${cancel}
      </button>
    </div>`;
  }

  /** One after the other, and only those that are shown: nobody waits for it. */
  private async refresh(): Promise<void> {
    const humans = new Map<string, string>();
    for (const entry of this.entries.slice(0, SHOWN)) {
      try {
        const session = await server().session(entry.id, opener(entry));
        if (session.human) humans.set(entry.id, session.human.name);
        update(session);
      } catch (error) {
        if (error instanceof Problem && error.code === "not-found") markGone(entry.id);
      }
    }
    if (!this.isConnected) return;
    this.entries = allKept();
    this.humans = humans;
  }
}

customElements.define("visitor-onward", VisitorOnward);
