import type { Progress } from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { closes } from "../leaving/exit.js";
import { chevron, tick } from "../shell/icon.js";
import { View } from "../shell/view.js";

/** How far a session is: a slim line of named steps, and on request all of them with what has been reached. */
export class SessionProgress extends View {
  static override properties: PropertyDeclarations = { progress: { attribute: false }, open: { state: true } };
  declare progress: Progress;
  declare open: boolean;

  private readonly onOutside = (event: Event) => {
    if (!event.composedPath().includes(this)) this.open = false;
  };

  private readonly onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || !this.open) return;
    closes(event);
    this.open = false;
    this.querySelector("button")?.focus();
  };

  constructor() {
    super();
    this.progress = { phases: [], milestones: [] };
    this.open = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("pointerdown", this.onOutside);
    document.addEventListener("focusin", this.onOutside);
    document.addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    document.removeEventListener("pointerdown", this.onOutside);
    document.removeEventListener("focusin", this.onOutside);
    document.removeEventListener("keydown", this.onKey);
    super.disconnectedCallback();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { phases, milestones } = this.progress;
    if (phases.length === 0) return nothing;
    const { session } = this.words;
    const at = now(this.progress);
    const { place, count } = counted(this.progress);
    const { minutes_left: left } = this.progress;
    const name = phases[at]?.name ?? "";
    const time = typeof left === "number" ? session.timeLeft(left) : "";
    return html`
      <section class="progress" aria-label=${session.progress}>
        <button
          class="plain steps-button"
          type="button"
          aria-expanded=${this.open}
          aria-controls="steps"
          @click=${() => {
            this.open = !this.open;
          }}
        >
          <span class="strokes" aria-hidden="true"
            >${phases.map(
              (phase, index) =>
                html`<span class=${phase.done ? "done" : index === at ? "now" : ""}><i></i><b>${phase.name}</b></span>`,
            )}</span
          >
          <span class="step-name">
            <span class="hidden">${session.step(place, count, name)}${time ? ` · ${time}` : ""}</span>
            <span aria-hidden="true">${name}</span>
          </span>
          <span class="step-count" aria-hidden="true">${place} / ${count}</span>
          ${time ? html`<span class="time-left" aria-hidden="true">${time}</span>` : nothing}
          ${chevron}
        </button>
        <div id="steps" class="steps" role="group" aria-label=${session.progress} tabindex="0" ?hidden=${!this.open}>
          <ol>
            ${phases.map((phase, index) => {
              const state = phase.done ? session.done : index === at ? session.now : session.ahead;
              return html`<li
                class=${phase.done ? "done" : index === at ? "now" : ""}
                aria-current=${index === at ? "step" : nothing}
              >
                ${phase.name}<small>${state}</small>
              </li>`;
            })}
          </ol>
          ${
            milestones.length > 0
              ? html`<h2>${session.milestones}</h2>
                  <ul class="milestones">
                    ${milestones.map((milestone) => html`<li>${tick}${milestone}</li>`)}
                  </ul>`
              : nothing
          }
        </div>
      </section>
    `;
  }
}

/** The step somebody is in: the current one, else the first that is not done, else the last. */
export function now({ phases }: Progress): number {
  const current = phases.findIndex((phase) => phase.current);
  if (current >= 0) return current;
  const next = phases.findIndex((phase) => !phase.done);
  return next >= 0 ? next : phases.length - 1;
}

/** Which step it is of how many: those that come only sometimes are named while one is in them, and never counted, so that
 * nobody has further to go than they were told. */
export function counted(progress: Progress): { place: number; count: number } {
  const { phases } = progress;
  const at = now(progress);
  const count = phases.filter((phase) => phase.counted !== false).length || 1;
  const before = phases.filter((phase, index) => phase.counted !== false && (index <= at || phase.done)).length;
  return { place: Math.min(count, Math.max(1, before)), count };
}

customElements.define("session-progress", SessionProgress);
