import type { DoneForm, Form, FormAnswers, LeftForm, LeftForms } from "@heartrule/sdk";
import { Problem } from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { client, duty } from "./duty.js";
import { View } from "./view.js";

/** The forms that a session's script left to counsellors: filled here, each handed in once. */
export class DeskForms extends View {
  static override properties: PropertyDeclarations = {
    session: { attribute: false },
    step: { attribute: false },
    forms: { state: true },
    open: { state: true },
    closing: { state: true },
    unsaved: { state: true },
    line: { state: true },
    told: { state: true },
  };
  declare session: string;
  /** Where the session stands; a form may have come with each other step. */
  declare step: string;
  declare forms: LeftForms | null;
  /** The key of the form that is being filled. */
  declare open: string | null;
  declare closing: boolean;
  declare unsaved: boolean;
  declare line: string;
  /** For who does not see that it stands among those that were handed in. */
  declare told: string;
  /** Drafts go one after the other. */
  private saving: Promise<unknown> = Promise.resolve();

  constructor() {
    super();
    this.session = "";
    this.step = "";
    this.forms = null;
    this.open = null;
    this.closing = false;
    this.unsaved = false;
    this.line = "";
    this.told = "";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("session")) {
      this.forms = null;
      this.open = null;
      this.line = "";
    }
    if (changed.has("session") || changed.has("step")) void this.read();
  }

  private async read(): Promise<void> {
    const { session } = this;
    const found = await client()
      .left(session, duty.token ?? "")
      .catch(() => null);
    if (!found || session !== this.session) return;
    // What is being filled here is newer than what the server gives.
    const mine = this.forms?.waiting.find(({ form }) => form.key === this.open);
    this.forms = { ...found, waiting: found.waiting.map((each) => (each.form.key === mine?.form.key ? mine : each)) };
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words, forms } = this;
    const done = forms?.done.filter(({ filled_by }) => filled_by === "counselor") ?? [];
    if (!forms || (forms.waiting.length === 0 && done.length === 0)) return nothing;
    return html`<section class="left-forms" aria-label=${words.forms}>
      <p class="hidden" role="status">${this.told}</p>
      <p class="line" role="alert">${this.line}</p>
      <ul>
        ${forms.waiting.map((each) => html`<li>${this.waiting(each)}</li>`)}
        ${done.map((each) => html`<li>${this.done(each)}</li>`)}
      </ul>
    </section>`;
  }

  private waiting(left: LeftForm): TemplateResult {
    const { words } = this;
    const { form } = left;
    const open = this.open === form.key;
    return html`<div class="left-form">
        <span><b>${form.name}</b> <span class="soft">${words.audiences[left.audience]}</span></span>
        <button class="second" type="button" aria-expanded=${open ? "true" : "false"} @click=${() => this.turn(form.key)}>
          ${open ? words.closeForm : left.begun ? words.goOnForm : words.fillForm}
        </button>
      </div>
      ${open ? this.filling(form) : nothing}`;
  }

  private filling(form: Form): TemplateResult {
    return html`<heart-form
      lang=${this.language.locale}
      .form=${form}
      .filling=${{ pending: {}, closing: this.closing ? "submit" : null }}
      .texts=${this.texts}
      .unsaved=${this.unsaved}
      @answered=${(event: CustomEvent<FormAnswers>) => this.keep(form.key, event.detail)}
      @submitted=${(event: CustomEvent<FormAnswers>) => this.handIn(form.key, event.detail)}
      @cancelled=${(event: CustomEvent<FormAnswers>) => this.putAside(form.key, event.detail)}
    ></heart-form>`;
  }

  private done({ name, scores, bands, labels }: DoneForm): TemplateResult {
    const told = Object.entries(scores).map(
      ([id, score]) => `${labels[id] ?? id} ${score ?? "–"}${bands[id] ? ` · ${bands[id]}` : ""}`,
    );
    return html`<span>${name} · ${this.words.handedIn}${told.length > 0 ? html` <span class="soft">${told.join("; ")}</span>` : nothing}</span>`;
  }

  private texts: unknown = null;

  /** The parts of a form come when somebody fills one. */
  private async turn(key: string): Promise<void> {
    this.line = "";
    this.told = "";
    if (this.open === key) {
      this.open = null;
      return;
    }
    const { textsOf } = await import("@heartrule/sdk/chat");
    this.texts = textsOf(this.language.locale).texts;
    this.open = key;
  }

  private keep(key: string, values: FormAnswers): Promise<boolean> {
    const { session } = this;
    const kept = this.saving.then(async () => {
      try {
        const form = await client().keep(session, key, duty.token ?? "", values);
        this.unsaved = false;
        if (session === this.session) this.put(key, form);
        return true;
      } catch (error) {
        this.unsaved = true;
        this.fail(error);
        return false;
      }
    });
    this.saving = kept;
    return kept;
  }

  private async handIn(key: string, values: FormAnswers): Promise<void> {
    const { session } = this;
    this.closing = true;
    this.line = "";
    await this.saving;
    try {
      const refused = await client().handIn(session, key, duty.token ?? "", values);
      if (session !== this.session) return;
      if (refused) this.put(key, refused);
      else {
        this.open = null;
        this.told = this.words.handedIn;
        await this.read();
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.closing = false;
    }
  }

  private async putAside(key: string, values: FormAnswers): Promise<void> {
    if (Object.keys(values).length > 0) await this.keep(key, values);
    this.open = null;
  }

  private put(key: string, form: Form): void {
    if (!this.forms) return;
    const waiting = this.forms.waiting.map((each) => (each.form.key === key ? { ...each, form, begun: true } : each));
    this.forms = { ...this.forms, waiting };
  }

  private fail(error: unknown): void {
    this.line = error instanceof Problem && !error.passing ? (error.title ?? this.words.unsaid) : this.words.unsaid;
    if (error instanceof Problem && error.status === 409) {
      this.open = null;
      void this.read();
    }
  }
}

customElements.define("desk-forms", DeskForms);
