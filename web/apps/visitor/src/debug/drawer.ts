import { Problem } from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { View } from "../shell/view.js";
import { ask, type Debug } from "./asking.js";
import { awareness } from "./awareness.js";
import { attempt, calls, purpose } from "./calls.js";
import styles from "./debug.css?inline";
import { decisions } from "./decisions.js";
import { memories } from "./memories.js";
import { rounds } from "./rounds.js";
import { bubbleId, number, worded } from "./text.js";
import { variables } from "./variables.js";
import { type DebugWords, debugWords } from "./words.js";

const WIDE = "(min-width: 60rem)";

// Its styles come with it, and not as a file that the page would have to know how to wait for.
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);

/** What happened in a turn and why: beside the conversation on a wide screen, a sheet over its lower part on a phone. */
export class DebugDrawer extends View {
  static override properties: PropertyDeclarations = {
    session: { attribute: false },
    token: { attribute: false },
    latest: { attribute: false },
    open: { type: Boolean, reflect: true },
    turn: { state: true },
    found: { state: true },
    problem: { state: true },
    busy: { state: true },
  };
  declare session: string;
  declare token: string;
  /** The newest turn that stands, as far as the page knows. */
  declare latest: number;
  declare open: boolean;
  /** The turn that is looked at; null: always the newest. */
  declare turn: number | null;
  declare found: Debug | null;
  declare problem: Problem | null;
  declare busy: boolean;
  private asking = new AbortController();
  private readonly onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || !this.open || matchMedia(WIDE).matches) return;
    event.preventDefault();
    this.toggle();
  };

  constructor() {
    super();
    this.session = "";
    this.token = "";
    this.latest = 0;
    this.open = matchMedia(WIDE).matches;
    this.turn = null;
    this.found = null;
    this.problem = null;
    this.busy = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    document.removeEventListener("keydown", this.onKey);
    this.asking.abort();
    super.disconnectedCallback();
  }

  protected override updated(changed: PropertyValues<this>): void {
    const came = changed.has("latest") && (this.turn === null || this.found === null);
    const other = changed.has("session") || changed.has("turn") || (changed.has("open") && !this.found);
    if (this.open && this.latest > 0 && (came || other || (changed.has("open") && this.turn === null)))
      void this.look();
  }

  private get told(): DebugWords {
    return debugWords[this.language.locale];
  }

  private get last(): number {
    return Math.max(this.latest, this.found?.last ?? 0);
  }

  protected override render(): TemplateResult {
    const { told } = this;
    if (!this.open) {
      return html`<button class="debug-open" type="button" aria-expanded="false" @click=${() => this.toggle()}>
        ${told.title}
      </button>`;
    }
    return html`<aside class="debug" aria-labelledby="debug-heading">
      <header>
        <h2 id="debug-heading" tabindex="-1">${told.title}</h2>
        <button class="quiet" type="button" aria-label=${told.close} @click=${() => this.toggle()}>${this.words.close}</button>
      </header>
      ${this.picker()}
      <p class="hidden" role="status">${this.busy ? told.loading : this.found ? told.turnOf(this.found.turn, this.last) : ""}</p>
      ${this.body()}
    </aside>`;
  }

  private picker(): TemplateResult | typeof nothing {
    const { told, last } = this;
    if (last === 0) return nothing;
    const at = Math.min(this.turn ?? this.found?.turn ?? last, last);
    const step = (to: number, label: string, sign: string) => html`<button
      class="second"
      type="button"
      aria-label=${label}
      ?disabled=${to < 1 || to > last}
      @click=${() => this.go(to)}
    >
      ${sign}
    </button>`;
    return html`<div class="picker" role="group" aria-label=${told.turn}>
      ${step(at - 1, told.earlier, "‹")}
      <select aria-label=${told.turn} .value=${String(at)} @change=${this.chosen}>
        ${Array.from({ length: last }, (_, index) => index + 1).map(
          (each) => html`<option value=${each} ?selected=${each === at}>${told.turnOf(each, last)}</option>`,
        )}
      </select>
      ${step(at + 1, told.later, "›")}
      <label><input type="checkbox" .checked=${this.turn === null} @change=${this.followed} /> ${told.newest}</label>
    </div>`;
  }

  private body(): TemplateResult {
    const { told, found, problem } = this;
    if (problem) {
      const off = problem.code === "debug-off";
      return html`<div class="line" role="alert">
        <p>${off ? told.off : told.failed}</p>
        ${off ? nothing : html`<button class="second" type="button" @click=${() => void this.look()}>${told.again}</button>`}
      </div>`;
    }
    if (!found) return html`<p class="soft">${this.latest > 0 ? told.loading : told.none}</p>`;
    const { locale } = this.language;
    return html`<div class="turn" aria-busy=${this.busy}>
      ${this.about(found)} ${this.position(found)} ${this.faults(found)}
      <section aria-labelledby="debug-variables">
        <h3 id="debug-variables">${told.variables} <small>${found.variables.length}</small></h3>
        ${variables(found.variables, told, locale)}
      </section>
      <section aria-labelledby="debug-calls">
        <h3 id="debug-calls">${told.calls} <small>${found.calls.length}</small></h3>
        ${calls(found.calls, told, locale, (...which) => this.show(bubbleId(...which)))}
      </section>
      <section aria-labelledby="debug-rounds">
        <h3 id="debug-rounds">${told.rounds} <small>${found.rounds.length}</small></h3>
        ${rounds(found.rounds, found.results, told)}
      </section>
      <section aria-labelledby="debug-memories">
        <h3 id="debug-memories">${told.memories} <small>${found.memories.length}</small></h3>
        ${memories(found.memories, told)}
      </section>
      <section aria-labelledby="debug-awareness">
        <h3 id="debug-awareness">${told.awareness} <small>${found.awareness.length}</small></h3>
        ${awareness(found.awareness, told, locale)}
      </section>
      <section aria-labelledby="debug-decisions">
        <h3 id="debug-decisions">${told.decisions} <small>${found.decisions.length}</small></h3>
        ${decisions(found.decisions, told)}
      </section>
    </div>`;
  }

  private about(found: Debug): TemplateResult {
    const { told } = this;
    const ms = number(found.milliseconds, this.language.locale, told, 1);
    return html`<p class="about soft">
        ${told.came(worded(told.input, found.input), found.messages.length)}${
          found.whole ? html`<br />${told.whole(ms)}` : nothing
        }${found.level === "full" ? nothing : html`<br />${worded(told.level, found.level)}`}${
          found.masked && found.level === "full" ? html`<br />${told.masked}` : nothing
        }
      </p>
      ${found.whole ? nothing : html`<p class="note">${worded(told.notWhole, found.reason)} <code>${found.detail}</code></p>`}`;
  }

  private position({ position }: Debug): TemplateResult {
    const { told } = this;
    const { phase, topic, action, action_type: type, current_round: round } = position;
    const place = (depth: string, label: string, id: string, more: unknown = nothing) =>
      html`<li class="place ${depth}"><span class="soft">${label}</span> <b>${id}</b>${more}</li>`;
    return html`<section aria-labelledby="debug-position">
      <h3 id="debug-position">${told.position}</h3>
      <ol class="position">
        ${phase ? place("", told.phase, phase.id) : nothing} ${topic ? place("deep", told.topic, topic.id) : nothing}
        ${
          action
            ? place(
                "deeper",
                told.action,
                action.id,
                html` <code>${type}</code>${round ? html` <small>${told.round(round, position.max_rounds ?? null)}</small>` : nothing}`,
              )
            : html`<li class="place"><span class="soft">${told.action}</span> ${told.nowhere}</li>`
        }
      </ol>
    </section>`;
  }

  /** Every try that gave nothing, before anything else: it is why somebody looks. */
  private faults(found: Debug): TemplateResult | typeof nothing {
    const { told } = this;
    const bad = found.calls.flatMap((call) =>
      call.attempts.filter((each) => each.outcome !== "ok").map((each) => ({ call, each })),
    );
    const said = found.decisions.filter((each) => each.kind === "fault");
    if (bad.length + said.length === 0) return nothing;
    return html`<section aria-labelledby="debug-faults">
      <h3 id="debug-faults">${told.faults} <small>${bad.length + said.length}</small></h3>
      <ul class="bubbles">
        ${bad.map(
          ({ call, each }) => html`<li>
            <details class="bubble bad">
              <summary>
                <b>${told.fault(purpose(call, told), each.number)}</b>
                <span>${each.code || worded(told.outcomes, each.outcome)}</span>
              </summary>
              ${attempt(each, told, this.language.locale, (...which) => this.show(bubbleId(...which)))}
            </details>
          </li>`,
        )}
        ${said.map((each) => html`<li class="bubble bad flat">${String(each.data.what ?? "")}</li>`)}
      </ul>
    </section>`;
  }

  /** Opens a variable's bubble and takes whoever asked there. */
  private show(id: string): void {
    const bubble = this.querySelector<HTMLDetailsElement>(`#${CSS.escape(id)}`);
    if (!bubble) return;
    bubble.open = true;
    bubble.scrollIntoView({ block: "center" });
    bubble.querySelector("summary")?.focus();
  }

  private toggle(): void {
    this.open = !this.open;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(this.open ? "h2" : ".debug-open")?.focus());
  }

  private go(turn: number): void {
    this.turn = turn;
  }

  private chosen(event: Event): void {
    this.go(Number((event.target as HTMLSelectElement).value));
  }

  private followed(event: Event): void {
    this.turn = (event.target as HTMLInputElement).checked ? null : (this.found?.turn ?? this.last);
  }

  private async look(): Promise<void> {
    this.asking.abort();
    const asking = new AbortController();
    this.asking = asking;
    this.busy = true;
    try {
      const found = await ask(this.session, this.token, this.language.locale, this.turn, asking.signal);
      if (asking.signal.aborted) return;
      this.found = found;
      this.problem = null;
    } catch (error) {
      if (asking.signal.aborted) return;
      this.problem = error instanceof Problem ? error : new Problem("network", 0);
    }
    this.busy = false;
  }
}

customElements.define("debug-drawer", DebugDrawer);
