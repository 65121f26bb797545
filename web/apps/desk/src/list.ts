import type { DeskItem, DeskShow } from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { autonym } from "../../visitor/src/i18n/autonym.js";
import { client, duty } from "./duty.js";
import { Looking } from "./looking.js";
import { View } from "./view.js";

/** Milliseconds between looks. */
const EVERY = 4_000;
const SHOWS: readonly DeskShow[] = ["help", "escalated", "taken", "all"];

/** Sessions as they stand, without a word of what was said: who waits for somebody comes first. */
export class DeskList extends View {
  static override properties: PropertyDeclarations = {
    open: { attribute: false },
    items: { state: true },
    show: { state: true },
  };
  declare open: string | null;
  declare items: readonly DeskItem[] | null;
  declare show: DeskShow;
  readonly looking = new Looking(this, EVERY, () => this.ask());

  constructor() {
    super();
    this.open = null;
    this.items = null;
    this.show = "help";
  }

  protected override render(): TemplateResult {
    const { words, items } = this;
    return html`<nav class="list" aria-label=${words.sessions}>
      <h2>${words.sessions}</h2>
      <label class="which">${words.show} <select name="show" @change=${this.choose}>
        ${SHOWS.map((each) => html`<option value=${each} ?selected=${each === this.show}>${words.shows[each]}</option>`)}
      </select></label>
      <p class="line" role="status">${this.looking.failed ? words.listFailed : items?.length === 0 ? words.none : ""}</p>
      <ul>${(items ?? []).map((item) => html`<li>${this.item(item)}</li>`)}</ul>
      <p class="soft">${words.recorded}</p>
    </nav>`;
  }

  private item(item: DeskItem): TemplateResult {
    const { words, language } = this;
    const urgent = item.reasons.length > 0 && item.holder === null;
    const held = item.holder && (item.holder.me ? words.heldByMe : words.heldBy(item.holder.name));
    const reasons = item.reasons.filter((reason) => reason !== "taken_over");
    return html`<a
      class="item ${urgent ? "urgent" : ""}"
      href="#s=${item.id}"
      aria-current=${item.id === this.open ? "true" : nothing}
    >
      <span class="item-name" lang=${item.locale}>${item.name}</span>
      <span class="tags">
        ${reasons.map((reason) => html`<b class="tag">${words.reasons[reason]}</b>`)}
        ${held ? html`<span class="tag held">${held}</span>` : nothing}
        <span class="tag plain-tag" lang=${item.locale}>${autonym(item.locale)}</span>
      </span>
      <span class="soft">
        ${
          urgent && item.since
            ? words.waiting(language.age(item.since))
            : words.quiet(language.age(item.last_active_at))
        }
      </span>
    </a>`;
  }

  private readonly choose = (event: Event) => {
    this.show = (event.target as HTMLSelectElement).value as DeskShow;
    void this.looking.look();
  };

  private async ask(): Promise<void> {
    const { show } = this;
    const found = await client().attended(duty.token ?? "", show);
    if (show === this.show) this.items = found;
  }
}

customElements.define("desk-list", DeskList);
