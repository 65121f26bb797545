import { type NamedContact, Problem, type SessionItem, type Space } from "@heartrule/sdk";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { forget, forgetAll, kept, person } from "../leaving/kept.js";
import { go } from "../shell/go.js";
import { message } from "../shell/message.js";
import { format } from "../shell/route.js";
import { server } from "../shell/server.js";
import { top } from "../shell/top.js";
import { View } from "../shell/view.js";
import { consentsOf } from "./consents.js";
import { curve } from "./curve.js";
import "./memories.js";
import { rememberedOf } from "./remembered.js";
import { type Course, courses } from "./scores.js";

/** What is about to be taken away, if that is confirmed. */
type Asked =
  | { what: "known"; project: string; name: string }
  | { what: "session" | "consent" | "remembered"; id: string }
  | { what: "contact" }
  | { what: "all" };

/** What is kept of the person: how their scores went, what is known of them, their sessions; to take along, to have
 * forgotten, to erase. */
export class VisitorSpace extends View {
  static override properties: PropertyDeclarations = {
    space: { state: true },
    sessions: { state: true },
    contact: { state: true },
    trouble: { state: true },
    asked: { state: true },
    busy: { state: true },
    line: { state: true },
  };
  declare space: Space | null;
  declare sessions: readonly SessionItem[];
  declare contact: NamedContact | null;
  declare trouble: "nobody" | "closed" | null;
  declare asked: Asked | null;
  declare busy: boolean;
  declare line: string;

  constructor() {
    super();
    this.space = null;
    this.sessions = [];
    this.contact = null;
    this.trouble = null;
    this.asked = null;
    this.busy = false;
    this.line = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.look();
  }

  protected override render(): TemplateResult {
    const { words, space, trouble } = this;
    const head = top(words, { back: { label: words.back } });
    if (trouble) {
      const nobody = trouble === "nobody";
      return html`${head}${message({
        title: words.space.title,
        text: nobody ? words.space.nobody : words.space.closed,
        acts: nobody
          ? [{ label: words.home, act: () => go({ at: "arrive" }) }]
          : [{ label: words.again, act: () => void this.look() }],
      })}`;
    }
    return html`${head}
      <main class="column space">
        <h1 tabindex="-1">${words.space.title}</h1>
        ${space ? this.content(space) : html`<p class="soft" role="status">${words.loading}</p>`}
      </main>`;
  }

  private content(space: Space): TemplateResult {
    const { words } = this;
    const told = courses(space.forms);
    return html`
      <p>${words.space.lead(this.language.moment(new Date(space.since)))}</p>
      <p class="line" role="status">${this.line}</p>
      <section aria-labelledby="scores">
        <h2 id="scores">${words.space.scores}</h2>
        ${told.length > 0 ? told.map((one) => this.course(one)) : html`<p class="soft">${words.space.noScores}</p>`}
      </section>
      <p><a href=${format({ at: "record" })}>${words.space.record}</a></p>
      <section aria-labelledby="known">
        <h2 id="known">${words.space.known}</h2>
        <p class="soft">${words.space.knownNote}</p>
        ${this.known(space)}
      </section>
      <section aria-labelledby="remembered">
        <h2 id="remembered">${words.space.remembered}</h2>
        <p class="soft">${words.space.rememberedNote}</p>
        ${this.remembered(space)}
      </section>
      <section aria-labelledby="memories"><visitor-memories></visitor-memories></section>
      <section aria-labelledby="sessions">
        <h2 id="sessions">${words.space.sessions}</h2>
        <ul class="belongings">
          ${this.sessions.map((each) => this.held(each))}
        </ul>
      </section>
      <section aria-labelledby="consents">
        <h2 id="consents">${words.space.consents}</h2>
        ${this.agreed(space)}
      </section>
      <section aria-labelledby="along">
        <h2 id="along">${words.space.along}</h2>
        <p>${words.space.alongNote}</p>
        <p class="acts">
          <button class="second" type="button" ?disabled=${this.busy} @click=${() => this.take()}>${words.space.take}</button>
        </p>
      </section>
      <section aria-labelledby="erase">
        <h2 id="erase">${words.space.erase}</h2>
        <p>${words.space.eraseNote}</p>
        ${
          this.asked?.what === "all"
            ? this.sure(words.space.eraseSure, words.space.eraseDo)
            : html`<p class="acts">
                <button class="second erase" type="button" ?disabled=${this.busy} @click=${() => this.ask({ what: "all" })}>
                  ${words.space.eraseDo}
                </button>
              </p>`
        }
      </section>
    `;
  }

  private course({ name, label, better, times, ...drawn }: Course): TemplateResult {
    const { space } = this.words;
    const last = times.at(-1);
    const said = `${name}${label ? ` · ${label}` : ""}`;
    const points = times.map(({ at, value }) => ({ when: at, value }));
    return html`<figure class="course">
      <figcaption>
        <b>${said}</b>
        ${better && times.length > 1 ? html`<span>${space.better[better]}</span>` : nothing}
        ${last ? html`<span>${space.last(last.value, last.band, this.language.moment(new Date(last.at)))}</span>` : nothing}
      </figcaption>
      ${curve(points, space.drawn(said, times.length, times[0]?.value ?? 0, last?.value ?? 0), drawn)}
      ${
        times.length > 1
          ? html`<details>
              <summary>${space.every}</summary>
              <table>
                <tbody>
                  ${times.map(
                    ({ at, value, band }) =>
                      html`<tr><th scope="row">${this.language.moment(new Date(at))}</th><td>${value}</td><td>${band}</td></tr>`,
                  )}
                </tbody>
              </table>
            </details>`
          : nothing
      }
    </figure>`;
  }

  private agreed({ consents }: Space): TemplateResult {
    const { contact, sessions, words, asked } = this;
    return consentsOf({
      ...{ consents, contact, sessions, words },
      moment: (at) => this.language.moment(new Date(at)),
      ask: (what) => this.ask(what),
      sure: (what) => {
        if (asked?.what !== what.what || (what.what === "consent" && (!("id" in asked) || asked.id !== what.id)))
          return null;
        const question = what.what === "contact" ? words.space.withdrawContactSure : words.space.withdrawSure;
        return this.sure(question, words.space.withdraw);
      },
    });
  }

  private remembered({ remembered: items }: Space): TemplateResult {
    const { words, asked } = this;
    return rememberedOf({
      ...{ items, words },
      moment: (at) => this.language.moment(new Date(at)),
      ask: (id) => this.ask({ what: "remembered", id }),
      sure: ({ id, content }) =>
        asked?.what === "remembered" && asked.id === id
          ? this.sure(words.space.forgetSure(content), words.space.forget)
          : null,
    });
  }

  private known({ known }: Space): TemplateResult {
    const { space } = this.words;
    if (known.length === 0) return html`<p class="soft">${space.noKnown}</p>`;
    return html`<ul class="belongings">
      ${known.map(({ project, name, label, value }) => {
        const asked = this.asked?.what === "known" && this.asked.project === project && this.asked.name === name;
        return html`<li>
          <span class="what"><b dir="auto">${label || name}</b><span dir="auto">${written(value)}</span></span>
          ${
            asked
              ? this.sure(space.forgetSure(label || name), space.forget)
              : html`<button
                  class="quiet"
                  type="button"
                  aria-label=${space.forgetNamed(label || name)}
                  ?disabled=${this.busy}
                  @click=${() => this.ask({ what: "known", project, name })}
                >
                  ${space.forget}
                </button>`
          }
        </li>`;
      })}
    </ul>`;
  }

  private held({ id, name, locale, status, last_active_at: last }: SessionItem): TemplateResult {
    const { space, arrive } = this.words;
    const asked = this.asked?.what === "session" && this.asked.id === id;
    const label = html`<b lang=${locale}>${name}</b>
      <span>${arrive.state[status]} · ${this.language.moment(new Date(last))}</span>`;
    return html`<li>
      ${
        kept(id)
          ? html`<a class="what" href=${format({ at: "session", id })}>${label}</a>`
          : html`<span class="what">${label}</span>`
      }
      ${
        asked
          ? this.sure(space.removeSure, space.remove)
          : html`<span class="does">
              ${status === "created" ? nothing : html`<a href=${format({ at: "summary", id })} aria-label=${space.summaryNamed(name)}>${space.summary}</a>`}
              <button
                class="quiet"
                type="button"
                aria-label=${space.removeNamed(name)}
                ?disabled=${this.busy}
                @click=${() => this.ask({ what: "session", id })}
              >
                ${space.remove}
              </button>
            </span>`
      }
    </li>`;
  }

  private sure(question: string, yes: string): TemplateResult {
    return html`<div class="sure" role="group" aria-label=${yes}>
      <p>${question}</p>
      <div class="acts">
        <button class="second" type="button" ?disabled=${this.busy} @click=${() => this.act()}>${yes}</button>
        <button
          class="quiet"
          type="button"
          @click=${() => {
            this.asked = null;
          }}
        >
          ${this.words.cancel}
        </button>
      </div>
    </div>`;
  }

  private ask(asked: Asked): void {
    this.line = "";
    this.asked = asked;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(".sure button")?.focus());
  }

  private async act(): Promise<void> {
    const { asked, words } = this;
    const token = person();
    if (!asked || !token || this.busy) return;
    this.busy = true;
    try {
      if (asked.what === "known") await server().forget(token, asked.project, asked.name);
      else if (asked.what === "remembered") await server().forgetRemembered(token, asked.id);
      else if (asked.what === "session") await server().remove(asked.id, token);
      else if (asked.what === "consent") await server().withdraw(asked.id, token);
      else if (asked.what === "contact") await server().forgetContact(token);
      else await server().erase(token);
    } catch (error) {
      // What is not there any more has gone as it was meant to.
      if (!(error instanceof Problem) || error.code !== "not-found") {
        this.line = words.space.failed;
        return;
      }
    } finally {
      this.busy = false;
      this.asked = null;
    }
    if (asked.what === "all") {
      forgetAll();
      go({ at: "arrive" }, words.space.erased);
      return;
    }
    if (asked.what === "session") this.dropped(asked.id, token);
    this.line = asked.what === "consent" ? words.space.withdrawn(this.language.moment(new Date())) : words.space.gone;
    await this.look();
  }

  /** A session that is gone leaves nothing on this device, and the person stays who they are. */
  private dropped(id: string, token: string): void {
    if (!kept(id)) return;
    forget(id, token);
  }

  private async take(): Promise<void> {
    const token = person();
    if (!token || this.busy) return;
    this.busy = true;
    this.line = this.words.space.taking;
    try {
      const document_ = await server().exported(token);
      const blob = new Blob([JSON.stringify(document_, null, 2)], { type: "application/json" });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = "heartrule.json";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      this.line = this.words.space.taken;
    } catch {
      this.line = this.words.space.failed;
    } finally {
      this.busy = false;
    }
  }

  private async look(): Promise<void> {
    const token = person();
    this.trouble = token ? null : "nobody";
    if (!token) return;
    try {
      const [space, page] = await Promise.all([server().space(token), server().sessions(token, { limit: 100 })]);
      this.contact = space.contact
        ? await server()
            .contact(token)
            .catch(() => null)
        : null;
      this.space = space;
      this.sessions = page.sessions;
    } catch (error) {
      const nobody = error instanceof Problem && ["not-found", "token-expired", "unauthorized"].includes(error.code);
      this.trouble = nobody ? "nobody" : "closed";
    }
  }
}

function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join("、");
  return typeof value === "object" && value !== null ? Object.values(value).map(written).join(" · ") : String(value);
}

customElements.define("visitor-space", VisitorSpace);
