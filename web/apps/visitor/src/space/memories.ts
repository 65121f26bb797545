import { type Memory, Problem, type Remembering, type Timeline } from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { person } from "../leaving/kept.js";
import { server } from "../shell/server.js";
import { View } from "../shell/view.js";
import { curve } from "./curve.js";

const SHOWN = 6;
/** Milliseconds after a yes at which it is looked what has been gone through by then. */
const LATER = [1_000, 3_000, 7_000, 15_000, 30_000];
/** In this order they are listed. */
const KINDS = [
  "profile",
  "goal",
  "homework",
  "preference",
  "pattern",
  "event",
  "summary",
  "entity",
  "relation",
  "score",
  "note",
  "passage",
] as const;

/** Whether conversations may know of earlier ones, asked plainly; what is remembered, each with where it comes from and
 * with a way to put it right or have it forgotten; what happened when, and how scores went. */
export class VisitorMemories extends View {
  static override properties: PropertyDeclarations = {
    choice: { state: true },
    memories: { state: true },
    course: { state: true },
    editing: { state: true },
    asked: { state: true },
    question: { state: true },
    busy: { state: true },
    line: { state: true },
  };
  declare choice: Remembering | null;
  declare memories: readonly Memory[];
  declare course: Timeline | null;
  declare editing: string | null;
  declare asked: string | null;
  declare question: string;
  declare busy: boolean;
  declare line: string;
  private later: ReturnType<typeof setTimeout>[] = [];
  private looks = 0;

  constructor() {
    super();
    this.choice = null;
    this.memories = [];
    this.course = null;
    this.editing = null;
    this.asked = null;
    this.question = "";
    this.busy = false;
    this.line = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.look();
  }

  override disconnectedCallback(): void {
    this.later.forEach(clearTimeout);
    super.disconnectedCallback();
  }

  protected override render(): TemplateResult {
    const { memory } = this.words.space;
    const { choice } = this;
    if (!choice) return html``;
    return html`
      <h2 id="memories">${memory.title}</h2>
      <p class="line" role="status">${this.line}</p>
      <div class="sure" role="group" aria-labelledby="remembering">
        <p id="remembering">${memory.ask}</p>
        <p class="soft">${choice.on === null ? memory.unanswered : choice.on ? memory.on : memory.off}</p>
        <div class="acts">
          <button class="second" type="button" aria-pressed=${choice.on === true} ?disabled=${this.busy} @click=${() => this.choose(true)}>
            ${memory.yes}
          </button>
          <button class="second" type="button" aria-pressed=${choice.on === false} ?disabled=${this.busy} @click=${() => this.choose(false)}>
            ${memory.no}
          </button>
        </div>
      </div>
      ${choice.on ? this.kept() : nothing}
    `;
  }

  private kept(): TemplateResult {
    const { memory } = this.words.space;
    const groups = this.question ? [["", this.memories] as const] : grouped(this.memories);
    return html`
      <form class="seek" role="search" @submit=${(event: Event) => this.seek(event)}>
        <label for="seek">${memory.seek}</label>
        <input id="seek" name="q" type="search" maxlength="400" autocomplete="off" .value=${this.question} />
        <button class="second" type="submit" ?disabled=${this.busy}>${memory.seekDo}</button>
      </form>
      ${this.memories.length === 0 ? html`<p class="soft">${this.question ? memory.nothingFound : memory.nothing}</p>` : nothing}
      ${groups.map(
        ([kind, items]) => html`${kind ? html`<h3>${memory.kinds[kind as Memory["kind"]]}</h3>` : nothing}
          <ul class="belongings">
            ${items.slice(0, SHOWN).map((each) => this.one(each))}
          </ul>
          ${
            items.length > SHOWN
              ? html`<details>
                  <summary>${this.words.arrive.older(items.length - SHOWN)}</summary>
                  <ul class="belongings">
                    ${items.slice(SHOWN).map((each) => this.one(each))}
                  </ul>
                </details>`
              : nothing
          }`,
      )}
      ${this.timeline()}
    `;
  }

  private one(each: Memory): TemplateResult {
    const { space } = this.words;
    const { memory } = space;
    const from = [this.language.moment(new Date(each.at)), each.topic, each.by === "ai" ? memory.supposed : ""];
    return html`<li>
      <span class="what">
        <b dir="auto">${each.content}</b>
        ${each.quote && each.quote !== each.content ? html`<span dir="auto">${space.quoted(each.quote)}</span>` : nothing}
        <span>${[...from, each.old ? memory.old : ""].filter(Boolean).join(" · ")}</span>
      </span>
      ${this.editing === each.id ? this.editor(each) : this.asked === each.id ? this.sure(each) : this.acts(each)}
    </li>`;
  }

  private acts(each: Memory): TemplateResult {
    const { space } = this.words;
    return html`<span class="does">
      <button class="quiet" type="button" aria-label=${space.memory.correctNamed(each.content)} ?disabled=${this.busy} @click=${() => this.edit(each.id)}>
        ${space.memory.correct}
      </button>
      <button class="quiet" type="button" aria-label=${space.forgetNamed(each.content)} ?disabled=${this.busy} @click=${() => this.ask(each.id)}>
        ${space.forget}
      </button>
    </span>`;
  }

  private sure(each: Memory): TemplateResult {
    const { space } = this.words;
    return html`<div class="sure" role="group" aria-label=${space.forget}>
      <p>${space.forgetSure(each.content)}</p>
      <div class="acts">
        <button class="second" type="button" ?disabled=${this.busy} @click=${() => this.forget(each.id)}>${space.forget}</button>
        <button class="quiet" type="button" @click=${() => this.ask(null)}>${this.words.cancel}</button>
      </div>
    </div>`;
  }

  private editor(each: Memory): TemplateResult {
    const { memory } = this.words.space;
    return html`<form class="sure" @submit=${(event: Event) => this.correct(event, each.id)}>
      <label for="correct">${memory.correctHow}</label>
      <textarea id="correct" name="text" rows="2" maxlength="400" required dir="auto" .value=${each.content}></textarea>
      <div class="acts">
        <button class="second" type="submit" ?disabled=${this.busy}>${memory.correctDo}</button>
        <button class="quiet" type="button" @click=${() => this.edit(null)}>${this.words.cancel}</button>
      </div>
    </form>`;
  }

  private timeline(): TemplateResult | typeof nothing {
    const { space } = this.words;
    const { memory } = space;
    const { course } = this;
    if (this.question || !course || course.events.length === 0) return nothing;
    const reached = new Set(course.milestones.map(({ id }) => id));
    return html`<h3 id="timeline">${memory.timeline}</h3>
      ${course.curves.map(({ name, points }) => {
        const drawn = points.map(({ at, value }) => ({ when: at, value }));
        return html`<figure class="course">
          <figcaption><b>${name}</b></figcaption>
          ${curve(drawn, space.drawn(name, points.length, points[0]?.value ?? 0, points.at(-1)?.value ?? 0))}
          ${points.length === 1 ? html`<p>${points[0]?.value} ${points[0]?.band}</p>` : nothing}
        </figure>`;
      })}
      <ol class="belongings" aria-labelledby="timeline">
        ${course.events.map(
          (each) => html`<li>
            <span class="what">
              <time datetime=${each.at}>${this.language.moment(new Date(each.at))}</time>
              <b dir="auto">${each.content}</b>
              ${reached.has(each.id) ? html`<span>${memory.milestone}</span>` : nothing}
            </span>
          </li>`,
        )}
      </ol>`;
  }

  private edit(id: string | null): void {
    this.editing = id;
    this.asked = null;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("#correct")?.focus());
  }

  private ask(id: string | null): void {
    this.asked = id;
    this.editing = null;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("li .sure button")?.focus());
  }

  private async choose(on: boolean): Promise<void> {
    await this.act(async (token) => {
      this.choice = await server().remembering(token, on);
      this.line = on ? this.words.space.memory.switchedOn : this.words.space.memory.switchedOff;
    });
    this.later.forEach(clearTimeout);
    this.later = on ? LATER.map((wait) => setTimeout(() => this.lookAgain(), wait)) : [];
  }

  private async forget(id: string): Promise<void> {
    await this.act(async (token) => {
      await server().forgetMemory(token, id);
      this.line = this.words.space.gone;
    });
  }

  private async correct(event: Event, id: string): Promise<void> {
    event.preventDefault();
    const text = String(new FormData(event.target as HTMLFormElement).get("text") ?? "").trim();
    if (!text) return;
    await this.act(async (token) => {
      await server().correctMemory(token, id, text);
      this.line = this.words.space.memory.corrected;
    });
  }

  private async seek(event: Event): Promise<void> {
    event.preventDefault();
    this.question = String(new FormData(event.target as HTMLFormElement).get("q") ?? "").trim();
    await this.look();
  }

  private async act(what: (token: string) => Promise<void>): Promise<void> {
    const token = person();
    if (!token || this.busy) return;
    this.busy = true;
    try {
      await what(token);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "not-found") this.line = this.words.space.failed;
    } finally {
      this.busy = false;
      this.asked = null;
      this.editing = null;
    }
    await this.look();
  }

  /** Not while somebody is at something. */
  private lookAgain(): void {
    if (!this.busy && this.editing === null && this.asked === null) void this.look();
  }

  private async look(): Promise<void> {
    const token = person();
    if (!token) return;
    this.looks += 1;
    const own = this.looks;
    try {
      const [choice, found, course] = await Promise.all([
        server().remembering(token),
        server().memories(token, this.question),
        server().timeline(token),
      ]);
      // One that was asked for before a later one says what is not so any more, whenever it comes.
      if (own !== this.looks) return;
      this.choice = choice;
      this.memories = found.memories;
      this.course = course;
    } catch {
      if (own === this.looks) this.line = this.words.space.closed;
    }
  }
}

function grouped(memories: readonly Memory[]): (readonly [string, readonly Memory[]])[] {
  return KINDS.map((kind) => [kind, memories.filter((each) => each.kind === kind)] as const).filter(
    ([, items]) => items.length > 0,
  );
}

customElements.define("visitor-memories", VisitorMemories);
