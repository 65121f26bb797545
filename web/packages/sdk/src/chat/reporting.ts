import { nothing as blank, html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from "lit";
import type { Conversation } from "../conversation.js";
import type { ReportReason } from "../shapes.js";
import type { Spoken } from "./messages.js";
import type { Texts } from "./texts/index.js";

const REASONS: readonly (readonly [ReportReason, keyof Texts])[] = [
  ["not_heard", "reportNotHeard"],
  ["hurtful", "reportHurtful"],
  ["wrong", "reportWrong"],
  ["unsafe", "reportUnsafe"],
  ["other", "reportOther"],
];
/** Characters that the server takes. */
const LONGEST = 2_000;

type Stage = "asked" | "under-way" | "failed" | "thanked" | "known";

interface Host extends ReactiveControllerHost {
  readonly renderRoot: ParentNode;
}

/**
 * Saying of a reply that it does not fit. The way to it lies over the gap below the reply, so that nothing moves; the
 * keyboard comes to that of the last reply, and from there to the others by the arrows.
 */
export class Reporting implements ReactiveController {
  private held: Conversation | null = null;
  private open: { seq: number; stage: Stage } | null = null;
  private reported = new Set<number>();
  /** What was reported before has been asked for. */
  private asked = false;

  constructor(private readonly host: Host) {
    host.addController(this);
  }

  hostDisconnected(): void {
    this.open = null;
  }

  /** Another conversation has other replies. */
  of(held: Conversation | null): void {
    if (held === this.held) return;
    this.held = held;
    this.open = null;
    this.reported = new Set();
    this.asked = false;
  }

  /** What stands below a reply; `last`: it is the last one. */
  below({ seq, sender, growing, recalled }: Spoken, last: boolean, texts: Texts): TemplateResult | typeof blank {
    if (sender !== "ai" || growing || recalled || !this.held) return blank;
    const open = this.open?.seq === seq ? this.open : null;
    if (!open) return html`<div class="report">${this.offer(seq, last, texts)}</div>`;
    if (open.stage === "thanked" || open.stage === "known") {
      return html`<p class="report told" id="r${seq}" role="status" tabindex="-1">
        ${open.stage === "known" ? texts.reportKnown : texts.reportThanks}
      </p>`;
    }
    return this.asking(seq, open.stage, texts);
  }

  private offer(seq: number, last: boolean, texts: Texts): TemplateResult {
    if (this.reported.has(seq)) return html`<span class="offer">${texts.reportKnown}</span>`;
    return html`<button
      class="offer quiet small"
      tabindex=${last ? "0" : "-1"}
      @click=${() => this.ask(seq)}
      @keydown=${this.onKey}
    >
      ${texts.report}
    </button>`;
  }

  private asking(seq: number, stage: Stage, texts: Texts): TemplateResult {
    const busy = stage === "under-way";
    return html`<form class="report asked" id="r${seq}" aria-labelledby="rq${seq}" @submit=${this.send} @keydown=${this.escape}>
      <p id="rq${seq}"><b>${texts.reportAsk}</b></p>
      <div class="reasons" role="radiogroup" aria-labelledby="rq${seq}">
        ${REASONS.map(
          ([value, words]) =>
            html`<label><input type="radio" name="reason" value=${value} required ?disabled=${busy} />${texts[words]}</label>`,
        )}
      </div>
      <label class="more"
        >${texts.reportMore}<textarea name="text" rows="2" maxlength=${LONGEST} ?disabled=${busy}></textarea></label
      >
      <p role="status">${busy ? texts.reportSending : stage === "failed" ? texts.reportFailed : blank}</p>
      <p class="row">
        <button class="small" type="submit" ?disabled=${busy}>${texts.reportSend}</button>
        <button class="small" type="button" @click=${this.leave}>${texts.reportLeave}</button>
      </p>
    </form>`;
  }

  private async ask(seq: number): Promise<void> {
    this.turn(seq, "asked");
    await this.focus(`#r${seq} input`);
    await this.known();
    if (this.open?.seq !== seq || this.open.stage !== "asked" || !this.reported.has(seq)) return;
    this.turn(seq, "known");
    await this.focus(`#r${seq}`);
  }

  /** Of what was reported before this page was opened the server knows. */
  private async known(): Promise<void> {
    const { held } = this;
    if (!held || this.asked) return;
    this.asked = true;
    const found = await held.client.reports(held.id, held.token).catch(() => null);
    if (held !== this.held) return;
    if (found) for (const { message } of found) this.reported.add(message);
    else this.asked = false;
  }

  private readonly send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { held, open } = this;
    if (!held || !open || open.stage === "under-way") return;
    const given = new FormData(event.target as HTMLFormElement);
    const reason = given.get("reason") as ReportReason | null;
    if (!reason) return;
    const text = String(given.get("text") ?? "").trim();
    this.turn(open.seq, "under-way");
    const done = await held.client.report(held.id, held.token, open.seq, reason, text).catch(() => null);
    if (held !== this.held) return;
    if (done) this.reported.add(open.seq);
    this.turn(open.seq, done ? (done.new ? "thanked" : "known") : "failed");
    await this.focus(done ? `#r${open.seq}` : `#r${open.seq} button`);
  };

  private readonly leave = async (): Promise<void> => {
    const seq = this.open?.seq;
    this.open = null;
    this.host.requestUpdate();
    await this.focus(`#m${seq} + .report .offer`);
  };

  private readonly escape = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    void this.leave();
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const all = [...this.host.renderRoot.querySelectorAll<HTMLElement>("button.offer")];
    all[all.indexOf(event.target as HTMLElement) + by]?.focus();
  };

  private turn(seq: number, stage: Stage): void {
    this.open = { seq, stage };
    this.host.requestUpdate();
  }

  private async focus(selector: string): Promise<void> {
    await this.host.updateComplete;
    this.host.renderRoot.querySelector<HTMLElement>(selector)?.focus();
  }
}
