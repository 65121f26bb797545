import type { Judged, OpenedReply, Verdict } from "@heartrule/sdk";
import { Problem } from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { client, duty } from "./duty.js";
import { spokenOf } from "./spoken.js";
import { View } from "./view.js";

const VERDICTS: readonly Verdict[] = ["fitting", "unsuitable", "harmful"];
export const CATEGORIES = ["not_heard", "hurtful", "wrong", "unsafe", "other"] as const;
/** Characters that the server takes. */
const LONGEST = 2_000;

/** One reply with what stands round it, and what a counsellor says of it. Tells `judged` when it has been said. */
export class DeskReply extends View {
  static override properties: PropertyDeclarations = {
    reply: { attribute: false },
    onward: { attribute: false },
    opened: { state: true },
    verdict: { state: true },
    stage: { state: true },
    trouble: { state: true },
  };
  /** `session.message`. */
  declare reply: string;
  /** Address of the next one. */
  declare onward: string | null;
  declare opened: OpenedReply | null;
  declare verdict: Verdict | null;
  declare stage: "opening" | "open" | "failed" | "sending" | "said";
  declare trouble: string;

  constructor() {
    super();
    this.reply = "";
    this.onward = null;
    this.opened = null;
    this.verdict = null;
    this.stage = "opening";
    this.trouble = "";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("reply") && this.reply) void this.read();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("opened") && this.opened) this.querySelector(".judged-one")?.scrollIntoView({ block: "center" });
    if (changed.has("stage") && this.stage === "said") this.querySelector<HTMLElement>(".onward")?.focus();
  }

  private get where(): [string, number] {
    const [session = "", message = "0"] = this.reply.split(".");
    return [session, Number(message)];
  }

  private async read(): Promise<void> {
    const { reply } = this;
    this.stage = "opening";
    this.opened = null;
    this.trouble = "";
    const found = await client()
      .reply(...this.where, duty.token ?? "")
      .catch(() => null);
    if (reply !== this.reply) return;
    this.opened = found;
    this.verdict = found?.review?.verdict ?? null;
    this.stage = found ? "open" : "failed";
  }

  protected override render(): TemplateResult {
    const { words, opened } = this;
    const back = html`<a class="quiet back" href="#reviews">${words.back}</a>`;
    if (!opened) {
      const line = this.stage === "failed" ? words.replyFailed : words.opening;
      return html`<section class="opened">${back}<p role="status">${line}</p></section>`;
    }
    return html`<section class="opened" aria-label=${words.judgeOne}>
      <header>
        ${back}
        <h1 lang=${opened.locale}>${opened.name}</h1>
        <a href="#s=${opened.session}">${words.wholeSession}</a>
      </header>
      <div class="said-log" role="log" aria-live="off" tabindex="0" aria-label=${words.transcript}>
        ${opened.context.map((each) => spokenOf(each, opened.locale, this.language, each.seq === opened.message ? words.judgedOne : ""))}
        <p class="soft">${words.covered}</p>
      </div>
      ${this.foot(opened)}
    </section>`;
  }

  private foot(opened: OpenedReply): TemplateResult {
    const { words } = this;
    return html`<footer class="foot judging">
      ${this.report(opened)}
      ${this.stage === "said" ? this.thanks() : this.form(opened)}
      <p class="line" role="alert">${this.trouble}</p>
      ${opened.review && this.stage !== "said" ? html`<p class="soft">${words.judgedBy(opened.review.by)}</p>` : nothing}
    </footer>`;
  }

  private report({ report, locale }: OpenedReply): TemplateResult | typeof nothing {
    if (!report) return nothing;
    const { words } = this;
    return html`<div class="reported">
      <p><b>${words.reportedAs(words.categories[report.reason])}</b></p>
      ${report.text ? html`<p class="words" dir="auto" lang=${locale}>${report.text}</p>` : nothing}
    </div>`;
  }

  private thanks(): TemplateResult {
    const { words } = this;
    return html`<div class="acts">
      <p role="status">${words.judged}</p>
      ${
        this.onward
          ? html`<a class="main onward" href=${this.onward}>${words.nextReply}</a>`
          : html`<a class="second onward" href="#reviews">${words.back}</a>`
      }
    </div>`;
  }

  private form({ review }: OpenedReply): TemplateResult {
    const { words, verdict } = this;
    const wrong = verdict !== null && verdict !== "fitting";
    return html`<form class="judge" @submit=${this.judge}>
      <fieldset>
        <legend>${words.verdict}</legend>
        <div class="verdicts">
          ${VERDICTS.map(
            (each) =>
              html`<label class="verdict"
                ><input
                  type="radio"
                  name="verdict"
                  value=${each}
                  required
                  .checked=${each === verdict}
                  @change=${() => {
                    this.verdict = each;
                  }}
                />${words.verdicts[each]}</label
              >`,
          )}
        </div>
      </fieldset>
      ${
        wrong
          ? html`<label class="which"
              >${words.category}
              <select name="category">
                <option value="">${words.noCategory}</option>
                ${CATEGORIES.map(
                  (each) =>
                    html`<option value=${each} ?selected=${each === review?.category}>${words.categories[each]}</option>`,
                )}
              </select></label
            >`
          : nothing
      }
      <label class="which write"
        >${words.note}<textarea name="note" rows="2" maxlength=${LONGEST} .value=${review?.note ?? ""}></textarea
      ></label>
      <div class="acts">
        <button class="main" type="submit" ?disabled=${this.stage === "sending"}>
          ${this.stage === "sending" ? words.sending : words.judge}
        </button>
      </div>
    </form>`;
  }

  private readonly judge = async (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    const text = (name: string) => String(given.get(name) ?? "").trim();
    const judged: Judged = {
      verdict: text("verdict") as Verdict,
      category: (text("category") || null) as Judged["category"],
      note: text("note") || null,
    };
    const { reply } = this;
    this.stage = "sending";
    this.trouble = "";
    try {
      await client().judge(...this.where, duty.token ?? "", judged);
      if (reply !== this.reply) return;
      this.dispatchEvent(new Event("judged"));
      this.stage = "said";
    } catch (error) {
      if (reply !== this.reply) return;
      this.stage = "open";
      this.trouble =
        error instanceof Problem && !error.passing ? (error.title ?? this.words.unsaid) : this.words.unsaid;
    }
  };
}

customElements.define("desk-reply", DeskReply);
