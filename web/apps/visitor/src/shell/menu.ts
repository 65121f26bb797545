import { html, nothing, type TemplateResult } from "lit";
import { LOCALES, type Locale } from "../i18n/language.js";
import { closes, quickExit } from "../leaving/exit.js";
import { lines } from "./icon.js";
import { preference, SIZES, type Size, THEMES, type Theme } from "./preference.js";
import { PERSISTENCES, type Persistence, store } from "./storage.js";
import { View } from "./view.js";

export interface MenuItem {
  label: string;
  act: () => void;
}

/** What can be done on this page, and how one likes to read. Plain buttons that open below a button: Tab goes through them,
 * Escape and a touch elsewhere close. */
export class OptionsMenu extends View {
  static override properties = { items: { attribute: false }, open: { state: true } };
  declare items: readonly MenuItem[];
  declare open: boolean;

  private readonly onOutside = (event: Event) => {
    if (!event.composedPath().includes(this)) this.open = false;
  };

  private readonly onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !this.open) return;
    closes(event);
    this.open = false;
    this.querySelector("button")?.focus();
  };

  constructor() {
    super();
    this.items = [];
    this.open = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("pointerdown", this.onOutside);
    document.addEventListener("focusin", this.onOutside);
    this.addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    document.removeEventListener("pointerdown", this.onOutside);
    document.removeEventListener("focusin", this.onOutside);
    this.removeEventListener("keydown", this.onKey);
    super.disconnectedCallback();
  }

  protected override render(): TemplateResult {
    const { menu } = this.words;
    return html`
      <button
        class="plain icon-button"
        type="button"
        aria-expanded=${this.open}
        aria-controls="options"
        @click=${() => {
          this.open = !this.open;
        }}
      >
        ${lines}<span class="label">${menu.button}</span>
      </button>
      <div id="options" class="options" ?hidden=${!this.open}>
        ${
          this.items.length > 0
            ? html`<ul class="option-items">
                ${this.items.map(
                  (item) =>
                    html`<li>
                      <button type="button" @click=${() => this.choose(item)}>${item.label}</button>
                    </li>`,
                )}
              </ul>`
            : nothing
        }
        <ul class="option-items">
          <li>
            <button type="button" @click=${() => quickExit()}>${menu.exit}<small>${menu.exitKeys}</small></button>
          </li>
        </ul>
        ${this.choice(
          "locale",
          menu.language,
          LOCALES.map(({ locale, name }) => [locale, name, locale]),
          this.language.locale,
          (value) => this.language.choose(value as Locale),
        )}
        ${this.choice(
          "theme",
          menu.theme,
          THEMES.map((theme) => [theme, menu.themes[theme]]),
          preference.theme,
          (value) => {
            preference.theme = value as Theme;
          },
        )}
        ${this.choice(
          "size",
          menu.size,
          SIZES.map((size) => [size, menu.sizes[size]]),
          preference.size,
          (value) => {
            preference.size = value as Size;
          },
        )}
        ${this.choice(
          "persistence",
          menu.keeping,
          PERSISTENCES.filter((each) => store.offered.includes(each)).map((each) => [each, menu.keepings[each]]),
          store.now,
          (value) => store.choose(value as Persistence),
        )}
        <p class="option-note" role="status">${menu.keepingNotes[store.now]}</p>
      </div>
    `;
  }

  private choose(item: MenuItem): void {
    this.open = false;
    this.querySelector("button")?.focus();
    item.act();
  }

  /** Radio buttons that look like one strip. `options`: value, label and, where it differs, the label's language. */
  private choice(
    name: string,
    label: string,
    options: readonly (readonly [string, string, string?])[],
    now: string,
    take: (value: string) => void,
  ): TemplateResult {
    return html`<fieldset class="strip">
      <legend>${label}</legend>
      <div>
        ${options.map(
          ([value, text, lang]) => html`<label lang=${lang ?? nothing}>
            <input
              type="radio"
              name=${name}
              .value=${value}
              .checked=${value === now}
              @change=${() => {
                take(value);
                this.requestUpdate();
              }}
            /><span>${text}</span>
          </label>`,
        )}
      </div>
    </fieldset>`;
  }
}

customElements.define("options-menu", OptionsMenu);
