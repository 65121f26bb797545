import type { ReviewQueue, WaitingReply } from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { client, duty } from "./duty.js";
import { Looking } from "./looking.js";
import { View } from "./view.js";

/** Milliseconds between looks. */
const EVERY = 20_000;

/** Where a reply is judged. */
export function addressOf({ session, message }: Pick<WaitingReply, "session" | "message">): string {
  return `#r=${session}.${message}`;
}

/** Replies that are to be judged, without a word of them: those that were reported first. */
export class DeskReplies extends View {
  static override properties: PropertyDeclarations = {
    open: { attribute: false },
    queue: { state: true },
  };
  /** `session.message` of the one that is open. */
  declare open: string | null;
  declare queue: ReviewQueue | null;
  readonly looking = new Looking(this, EVERY, async () => {
    this.queue = await client().replies(duty.token ?? "");
  });

  constructor() {
    super();
    this.open = null;
    this.queue = null;
  }

  /** The one behind `open`, or the first. */
  get next(): WaitingReply | null {
    return this.queue?.replies.find((each) => `${each.session}.${each.message}` !== this.open) ?? null;
  }

  protected override render(): TemplateResult {
    const { words, queue } = this;
    const state = this.looking.failed ? words.listFailed : queue?.replies.length === 0 ? words.noReplies : "";
    return html`<nav class="list" aria-label=${words.replies}>
      <h2>${words.replies}</h2>
      <p class="line" role="status">${state}</p>
      <ul>${(queue?.replies ?? []).map((item) => html`<li>${this.item(item)}</li>`)}</ul>
      <p class="soft">${queue && queue.share > 0 ? words.sample(queue.share) : words.noSample}</p>
      <p class="soft">${words.recordedReply}</p>
    </nav>`;
  }

  private item(item: WaitingReply): TemplateResult {
    const { words, language } = this;
    const reported = item.cause === "reported";
    const current = this.open === `${item.session}.${item.message}`;
    return html`<a class="item ${reported ? "urgent" : ""}" href=${addressOf(item)} aria-current=${current ? "true" : nothing}>
      <span class="item-name" lang=${item.locale}>${item.name}</span>
      <span class="tags">
        ${
          reported
            ? html`<b class="tag">${words.reportedTag}</b>${item.reason ? html`<span class="tag plain-tag">${words.categories[item.reason]}</span>` : nothing}`
            : html`<span class="tag plain-tag">${words.sampledTag}</span>`
        }
      </span>
      <span class="soft">${words.ago(language.age(item.reported_at ?? item.at))}</span>
    </a>`;
  }

  look(): Promise<void> {
    return this.looking.look();
  }
}

customElements.define("desk-replies", DeskReplies);
