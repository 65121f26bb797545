import { css, html, LitElement, type PropertyDeclarations, type PropertyValues } from "lit";
import { LONGEST, lengthOf, NEAR } from "./length.js";
import { sized } from "./sizing.js";
import { basics, low } from "./styles.js";
import { fill, type Texts } from "./texts/index.js";

const LINES = 6;

/**
 * Where the person writes. What stands in it is theirs: it goes away only once `take` has been called, and nothing
 * here cuts it.
 *
 * Events: `say` (with the text as its detail), `typed` after every change.
 */
export class HeartComposer extends LitElement {
  static override properties: PropertyDeclarations = {
    texts: { attribute: false },
    blocked: { type: Boolean },
    closed: { type: Boolean },
    text: { state: true },
  };

  static override styles = sized([
    basics,
    css`
      :host {
        display: block;
      }
      /* Nothing can be said any more and nothing stands in it that could still be copied. */
      :host([vacant]) {
        display: none;
      }
      /* Where both do not fit side by side, in large type on a small phone, the button goes below. */
      form {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        align-items: flex-end;
        justify-content: flex-end;
      }
      /* A long draft leaves room for what it answers. */
      textarea {
        flex: 1 1 9em;
        min-inline-size: 0;
        max-block-size: max(2.75rem, min(30cqh, 30dvh));
        resize: none;
        font: inherit;
        /* Below 16 pixels phones zoom the page when the field is touched. */
        font-size: max(1em, 16px);
        color: inherit;
        background: transparent;
        border: 1px solid var(--_line);
        border-radius: var(--_radius);
        padding: 0.45em 0.8em;
        overflow-y: auto;
      }
      textarea:focus-visible {
        border-color: transparent;
        outline-offset: -2px;
      }
      textarea::placeholder {
        color: var(--_quiet);
        opacity: 1;
      }
      .send {
        background: var(--_accent);
        border-color: var(--_accent);
        color: var(--_on-accent);
        white-space: nowrap;
      }
      .send[aria-disabled="true"] {
        background: transparent;
        border-color: var(--_line);
        color: var(--_quiet);
        cursor: default;
      }
      p {
        margin: 0.3em 0 0;
      }
      .over {
        color: var(--_warn);
      }
    `,
    low(css`
      form {
        flex-wrap: nowrap;
      }
      /* 7rem: what stands above and below on a phone, in a crisis as well. */
      textarea {
        flex-basis: 4em;
        max-block-size: max(2.75rem, min(30cqh, 30dvh, 65cqh - var(--heart-crisis-room, 7rem)));
        padding-block: 0.3em;
      }
      .send {
        padding-inline: 0.7em;
      }
    `),
  ]);

  declare texts: Texts;
  /** Nothing can be sent at the moment; writing goes on. */
  declare blocked: boolean;
  /** Nothing can be sent any more; what was written can still be copied. */
  declare closed: boolean;
  declare text: string;
  private composing = false;
  /** Of letters of another size, or in a field of another width, the same words take more lines or fewer. */
  private readonly resized = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(() => this.refit());
  private fitted = "";

  constructor() {
    super();
    this.text = "";
    this.blocked = false;
    this.closed = false;
  }

  private get field(): HTMLTextAreaElement | null {
    return this.renderRoot?.querySelector("textarea") ?? null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.resized?.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized?.disconnect();
  }

  override focus(options?: FocusOptions): void {
    this.field?.focus(options);
  }

  /** Puts `text` in, after what already stands there. */
  put(text: string): void {
    this.text = this.text.trim() === "" ? text : `${this.text}\n${text}`;
    this.tell("typed");
  }

  take(): void {
    this.text = "";
    this.tell("typed");
  }

  protected override updated(changed: PropertyValues): void {
    const { field } = this;
    this.toggleAttribute("vacant", this.closed && this.text === "");
    this.toggleAttribute("filled", this.text !== "");
    if (!field) return;
    // Written from outside only when it differs: a write in the middle of a composition would end it.
    if (changed.has("text") && field.value !== this.text) field.value = this.text;
    this.fit(field);
    // Its button is as large as its letters, even where the field keeps its size.
    const send = this.renderRoot.querySelector(".send");
    if (send) this.resized?.observe(send);
  }

  private refit(): void {
    const { field } = this;
    if (field && this.fitted !== shapeOf(field)) this.fit(field);
  }

  /** As high as its text, up to six lines. */
  private fit(field: HTMLTextAreaElement): void {
    this.fitted = shapeOf(field);
    field.style.height = "auto";
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(field);
    const most =
      LINES * Number.parseFloat(lineHeight) + Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom);
    const border = field.offsetHeight - field.clientHeight;
    if (Number.isFinite(most)) field.style.height = `${Math.min(field.scrollHeight, most) + border}px`;
  }

  private tell(name: string, detail: unknown = null): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  private readonly typed = (event: Event) => {
    this.text = (event.target as HTMLTextAreaElement).value;
    this.tell("typed");
  };

  private readonly pressed = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.altKey) return;
    // This Enter belongs to the input method. Safari ends the composition first and then sends the key, with 229.
    if (event.isComposing || this.composing || event.keyCode === 229) return;
    event.preventDefault();
    this.say();
  };

  private readonly submitted = (event: Event) => {
    event.preventDefault();
    this.say();
    this.focus();
  };

  private get sendable(): boolean {
    return !this.blocked && !this.closed && this.text.trim() !== "" && lengthOf(this.text.trim()) <= LONGEST;
  }

  private say(): void {
    // What the field holds counts: some input methods finish without an input event.
    this.text = this.field?.value ?? this.text;
    if (this.sendable) this.tell("say", this.text);
  }

  protected override render() {
    const { texts } = this;
    const length = lengthOf(this.text);
    return html`<form @submit=${this.submitted}>
        <textarea
          rows="1"
          dir="auto"
          enterkeyhint="send"
          autocomplete="off"
          aria-label=${texts.composer}
          aria-describedby="keys count"
          placeholder=${texts.placeholder}
          ?readonly=${this.closed}
          @input=${this.typed}
          @keydown=${this.pressed}
          @compositionstart=${() => this.compose(true)}
          @compositionend=${() => this.compose(false)}
        ></textarea>
        <button class="send" type="submit" aria-disabled=${this.sendable ? "false" : "true"} @mousedown=${stay}>
          ${texts.send}
        </button>
      </form>
      <span id="keys" class="unseen">${texts.keys}</span>
      <p id="count" class="quiet ${length > LONGEST ? "over" : ""}" role="status" ?hidden=${length <= NEAR}>
        ${length > NEAR ? countOf(length, texts) : ""}
      </p>`;
  }

  private compose(on: boolean): void {
    this.composing = on;
  }
}

function shapeOf(field: HTMLElement): string {
  const { fontSize, lineHeight, paddingTop } = getComputedStyle(field);
  return [field.clientWidth, fontSize, lineHeight, paddingTop].join(" ");
}

function countOf(length: number, texts: Texts): string {
  return length > LONGEST
    ? fill(texts.over, { count: length - LONGEST })
    : fill(texts.left, { count: LONGEST - length });
}

/** A press with the mouse does not take the focus out of the composer. */
export function stay(event: Event): void {
  event.preventDefault();
}
