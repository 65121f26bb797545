import type { Progress } from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { chevron, tick } from "../shell/icon.js";
import { View } from "../shell/view.js";

/** How far a session is: a slim line of named steps, and on request all of them with what has been reached. */
export class SessionProgress extends View {
  static override properties: PropertyDeclarations = { progress: { attribute: false }, open: { state: true } };
  declare progress: Progress;
  declare open: boolean;

  constructor() {
    super();
    this.progress = { phases: [], milestones: [] };
    this.open = false;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { phases, milestones } = this.progress;
    if (phases.length === 0) return nothing;
    const { session } = this.words;
    const at = now(this.progress);
    const name = phases[at]?.name ?? "";
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
            <span class="hidden">${session.step(at + 1, phases.length, name)}</span>
            <span aria-hidden="true">${name}</span>
          </span>
          <span class="step-count" aria-hidden="true">${at + 1} / ${phases.length}</span>
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

customElements.define("session-progress", SessionProgress);
