import {
  nothing as blank,
  html,
  LitElement,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from "lit";
import { repeat } from "lit/directives/repeat.js";
import {
  askedOf,
  type Filling,
  isAnswered,
  isTooLong,
  LONGEST_ANSWER,
  type Refused,
  shownOf,
  unfilled,
} from "../../filling.js";
import type { Form, FormAnswers, FormField, FormProblem, FormValue } from "../../shapes.js";
import { refusalOf } from "../notices.js";
import { sized } from "../sizing.js";
import { basics } from "../styles.js";
import { fill, type Texts } from "../texts/index.js";
import { fieldOf, standingOf } from "./fields.js";
import { formLook } from "./form-styles.js";

/** Milliseconds after which what is being written is kept, though nobody has left the field. */
const IDLE = 1_500;
/** More questions than these are asked one by one, unless the person would rather see all. */
const AT_ONCE = 3;

/**
 * A form that is filled: one question after the other, or all at once. What is answered is told at once.
 *
 * Events: `answered` and `submitted` and `cancelled`, each with the answers (FormAnswers) that have not been told yet.
 */
export class HeartForm extends LitElement {
  static override properties: PropertyDeclarations = {
    form: { attribute: false },
    filling: { attribute: false },
    texts: { attribute: false },
    unsaved: { type: Boolean },
    values: { state: true },
    at: { state: true },
    whole: { state: true },
    missed: { state: true },
  };
  static override styles = sized([basics, formLook]);

  declare form: Form;
  declare filling: Filling;
  declare texts: Texts;
  /** What has been answered is on this device only, for now. */
  declare unsaved: boolean;
  declare private values: Record<string, FormValue>;
  /** The question that is asked now. */
  declare private at: string;
  declare private whole: boolean;
  /** Somebody went on without answering what is required. */
  declare private missed: string;
  /** Answers that nobody has been told of. */
  private untold: Record<string, FormValue | null> = {};
  private idle: ReturnType<typeof setTimeout> | undefined;
  /** It has been handed in, and what came of that is not known yet. */
  private handed = false;
  /** The person has done something in it: until then it opens where they had come to, wherever that was. */
  private touched = false;
  /** What is wrong is told in one place once it has been handed in. */
  private refused = false;
  private goTo: "errors" | "question" | null = null;

  constructor() {
    super();
    this.filling = unfilled;
    this.unsaved = false;
    this.values = {};
    this.at = "";
    this.whole = false;
    this.missed = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("pagehide", this.tell);
    document.addEventListener("visibilitychange", this.tell);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("pagehide", this.tell);
    document.removeEventListener("visibilitychange", this.tell);
    this.tell();
  }

  /** Somebody goes about in it by keyboard. */
  get hasKeyboard(): boolean {
    return this.shadowRoot?.activeElement?.matches(":focus-visible") === true;
  }

  private get closing(): boolean {
    return this.filling.closing !== null;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("form") && !changed.has("filling")) return;
    const before = changed.get("form") as Form | undefined;
    const other = before?.key !== this.form.key;
    if (other && changed.has("form")) this.begin();
    const held = { ...this.form.values, ...this.filling.pending, ...this.untold };
    this.values = Object.fromEntries(Object.entries(held).filter(([, value]) => isAnswered(value))) as Record<
      string,
      FormValue
    >;
    if (this.handed && !this.closing && changed.has("form") && !other) {
      this.handed = false;
      this.refused = this.form.problems.length > 0;
      if (this.refused) this.goTo = "errors";
    }
    this.heed(changed.get("filling") as Filling | undefined);
    if (!this.touched || !askedOf(this.form).some(({ id }) => id === this.at)) this.at = this.open();
  }

  /** The server would not have it as it was: that is told at once, and once handed in the way leads there. */
  private heed(before: Filling | undefined): void {
    const { refused } = this.filling;
    if (!refused || before?.refused || !this.handed) return;
    this.handed = false;
    this.goTo = "errors";
  }

  private begin(): void {
    this.untold = {};
    this.touched = false;
    this.handed = false;
    this.refused = false;
    this.missed = "";
    this.whole = askedOf(this.form).length <= AT_ONCE;
    this.values = { ...this.form.values };
    this.at = this.open();
  }

  /** The first question that has not been answered, else the last. */
  private open(): string {
    const asked = askedOf(this.form);
    return (asked.find(({ id }) => !isAnswered(this.values[id])) ?? asked.at(-1))?.id ?? "";
  }

  protected override updated(): void {
    const { goTo } = this;
    this.goTo = null;
    if (goTo === "errors") this.focusOn("errors");
    else if (goTo === "question") this.focusOn(`f-${this.at}`);
  }

  private focusOn(id: string): void {
    const found = this.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
    found?.focus({ preventScroll: true });
    found?.scrollIntoView({ block: id === "errors" ? "start" : "nearest" });
  }

  // answering

  private answer(field: FormField, value: FormValue | null, done: boolean): void {
    if (this.closing) return;
    this.touched = true;
    this.untold[field.id] = value;
    const { [field.id]: _, ...others } = this.values;
    this.values = value === null ? others : { ...others, [field.id]: value };
    if (this.missed === field.id) this.missed = "";
    clearTimeout(this.idle);
    if (done) this.tell();
    else this.idle = setTimeout(this.tell, IDLE);
  }

  private readonly tell = (): void => {
    clearTimeout(this.idle);
    if (Object.keys(this.untold).length > 0 && !this.closing) this.emit("answered", this.take());
  };

  private take(): FormAnswers {
    const taken = this.untold;
    this.untold = {};
    return taken;
  }

  private emit(name: string, detail: FormAnswers): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  private readonly submitted = (event: Event): void => {
    event.preventDefault();
    if (this.closing) return;
    const asked = askedOf(this.form);
    const last = asked.at(-1)?.id === this.at;
    if (!this.whole && !last) {
      this.go(1);
      return;
    }
    if (!this.whole && this.lacks(asked.find(({ id }) => id === this.at))) return;
    this.handed = true;
    clearTimeout(this.idle);
    this.emit("submitted", this.take());
  };

  private readonly cancelled = (): void => {
    if (this.closing) return;
    clearTimeout(this.idle);
    this.emit("cancelled", this.take());
  };

  private lacks(field: FormField | undefined): boolean {
    const lacks = field?.required === true && !isAnswered(this.values[field.id]);
    if (field && lacks) {
      this.missed = field.id;
      this.goTo = "question";
    }
    return lacks;
  }

  private go(by: 1 | -1): void {
    this.touched = true;
    const asked = askedOf(this.form);
    const now = asked.findIndex(({ id }) => id === this.at);
    if (by === 1 && this.lacks(asked[now])) return;
    this.tell();
    this.at = asked[now + by]?.id ?? this.at;
    this.missed = "";
    this.goTo = "question";
  }

  private jump(id: string): void {
    this.touched = true;
    this.at = id;
    this.goTo = "question";
    this.requestUpdate();
  }

  // showing

  private problemOf({ id }: FormField): string {
    if (this.missed === id) return this.texts.formRequired;
    if (isTooLong(this.values[id])) return fill(this.texts.formTooLong, { count: LONGEST_ANSWER });
    const found = this.form.problems.find(({ field }) => field === id);
    const told = found && (found.code !== "required" || !isAnswered(this.values[id]));
    const writing = id in this.untold;
    return told && !writing ? found.message : "";
  }

  protected override render(): TemplateResult {
    const { form, texts, whole } = this;
    const shown = whole ? shownOf(form) : this.one();
    return html`<section aria-labelledby="name" aria-busy=${this.closing ? "true" : "false"}>
      <h2 id="name" dir="auto">${form.name}</h2>
      ${form.description && (whole || this.isFirst) ? html`<p class="quiet" dir="auto">${form.description}</p>` : blank}
      ${this.errors()}
      <form novalidate @submit=${this.submitted}>
        ${repeat(
          shown,
          ({ id }) => id,
          (field) =>
            fieldOf({
              field,
              value: this.values[field.id] ?? null,
              problem: this.problemOf(field),
              texts,
              answer: (value, done) => this.answer(field, value, done),
            }),
        )}
        ${this.acts()}
      </form>
      <p class="quiet foot">
        <span role="status">${this.kept()}</span>
        ${form.source && (whole || this.isFirst) ? html`<span dir="auto">${fill(texts.formSource, { source: form.source })}</span>` : blank}
      </p>
    </section>`;
  }

  private get isFirst(): boolean {
    return askedOf(this.form)[0]?.id === this.at;
  }

  /** The question that it has come to, below the notes that stand right above it. */
  private one(): FormField[] {
    const shown = shownOf(this.form);
    const at = shown.findIndex(({ id }) => id === this.at);
    let first = at;
    while (first > 0 && shown[first - 1]?.type === "note") first -= 1;
    return shown.slice(Math.max(first, 0), at + 1);
  }

  /** How the answers stand. */
  private kept(): string {
    const { texts, filling } = this;
    if (filling.refused) return filling.refused.handedIn ? texts.formNotTaken : texts.formNotKept;
    return this.unsaved ? texts.formUnsaved : texts.formKept;
  }

  private errors(): TemplateResult | typeof blank {
    const { form, texts, filling } = this;
    const asked = askedOf(form);
    if (filling.refused) return this.notTaken(filling.refused, asked);
    const left = form.problems.filter((each) => this.stands(each));
    if (left.length === 0 || !this.refused) return blank;
    return html`<div class="errors" id="errors" tabindex="-1" role="group" aria-labelledby="wrong">
      <h3 id="wrong">${fill(texts.formWrong, { count: left.length })}</h3>
      <ul>
        ${left.map(({ field, message }) => {
          const found = asked.find(({ id }) => id === field);
          return html`<li>
            ${found ? html`<button type="button" class="link" @click=${() => this.jump(field)}>${found.label}</button>` : blank}
            <span class=${found ? "quiet" : ""} dir="auto">${message}</span>
          </li>`;
        })}
      </ul>
    </div>`;
  }

  /** Whether it was a draft or handed in, why not, and where it lies. */
  private notTaken({ problem, handedIn, fields }: Refused, asked: readonly FormField[]): TemplateResult {
    const { texts } = this;
    const found = asked.filter(({ id }) => fields.includes(id));
    const long = found.some(({ id }) => isTooLong(this.values[id]));
    return html`<div class="errors" id="errors" tabindex="-1" role="group" aria-labelledby="wrong">
      <h3 id="wrong">${handedIn ? texts.formNotTaken : texts.formNotKept}</h3>
      ${long ? blank : html`<p>${refusalOf(problem, texts)}</p>`}
      <ul>
        ${found.map(({ id, label }) => html`<li><button type="button" class="link" @click=${() => this.jump(id)}>${label}</button></li>`)}
      </ul>
    </div>`;
  }

  private stands({ field, code }: FormProblem): boolean {
    return code !== "required" || !isAnswered(this.values[field]);
  }

  private acts(): TemplateResult {
    const { texts, whole, form } = this;
    const asked = askedOf(form);
    const now = asked.findIndex(({ id }) => id === this.at);
    const last = whole || now === asked.length - 1;
    const first = whole || now <= 0;
    return html`<div class="acts">
      ${first ? blank : html`<button type="button" @click=${(event: Event) => isSecond(event) || this.go(-1)}>${texts.formBack}</button>`}
      <button
        type="submit"
        class="main"
        @click=${(event: Event) => isSecond(event) && event.preventDefault()}
        aria-disabled=${this.closing ? "true" : "false"}
      >
        ${this.closing ? texts.formSending : last ? texts.formSubmit : texts.formNext}
      </button>
      ${whole ? blank : html`<span class="quiet" role="status">${standingOf(now + 1, form, texts)}</span>`}
    </div>
    <div class="acts low">
      ${
        asked.length > 1
          ? html`<button type="button" class="small" @click=${this.turn}>${whole ? texts.formOne : texts.formAll}</button>`
          : blank
      }
      <button type="button" class="small" aria-disabled=${this.closing ? "true" : "false"} @click=${this.cancelled}>
        ${texts.formCancel}
      </button>
    </div>`;
  }

  private readonly turn = (): void => {
    this.tell();
    this.whole = !this.whole;
    this.goTo = "question";
  };
}

/** The second click of a double one: it was meant for what stood there before the first, not for what stands there now. */
function isSecond(event: Event): boolean {
  return event instanceof UIEvent && event.detail > 1;
}
