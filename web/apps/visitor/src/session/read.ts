import { type Message, Problem } from "@heartrule/sdk";
import { markdownOf, saysItAll } from "@heartrule/sdk/chat";
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { kept, opener, update, whenForgotten } from "../leaving/kept.js";
import { go } from "../shell/go.js";
import { message } from "../shell/message.js";
import { server } from "../shell/server.js";
import { top } from "../shell/top.js";
import { View } from "../shell/view.js";
import { readMedia } from "./read-media.js";

/** A session as something to read: from its first word to its last, and made to be printed. */
export class VisitorRead extends View {
  static override properties: PropertyDeclarations = {
    session: { attribute: false },
    all: { state: true },
    speaker: { state: true },
    trouble: { state: true },
  };
  declare session: string;
  declare all: readonly Message[] | null;
  /** What the AI is called in this session, if it has a name. */
  declare speaker: string | null;
  declare trouble: "gone" | "closed" | null;
  private watching = new AbortController();

  constructor() {
    super();
    this.session = "";
    this.all = null;
    this.speaker = null;
    this.trouble = null;
  }

  override disconnectedCallback(): void {
    this.watching.abort();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("session")) return;
    this.watching.abort();
    this.watching = new AbortController();
    whenForgotten(this.session, () => this.forgotten(), this.watching.signal);
    this.all = null;
    void this.look();
  }

  protected override render(): TemplateResult {
    const { words } = this;
    const entry = kept(this.session);
    const { session } = words;
    if (this.trouble) {
      const gone = this.trouble === "gone";
      return html`${top(words, { back: { label: words.back } })}
      ${message({
        title: gone ? session.goneTitle : session.closedTitle,
        text: gone ? session.goneText : session.closedText,
        acts: gone
          ? [{ label: words.home, act: () => go({ at: "arrive" }) }]
          : [{ label: words.again, act: () => void this.look() }],
      })}`;
    }
    return html`
      ${top(words, { back: { label: words.back, act: () => go({ at: "session", id: this.session }) } })}
      <main class="column read">
        <h1 tabindex="-1" lang=${entry?.locale ?? nothing}>${entry?.name ?? ""}</h1>
        ${
          this.all === null
            ? html`<p class="soft" role="status">${words.loading}</p>`
            : html`
                <p class="soft">${this.span()}</p>
                <p class="acts">
                  <button class="second" type="button" @click=${() => window.print()}>${session.print}</button>
                </p>
                <div class="transcript">${this.left.map((one, at) => this.said(one, this.left[at - 1]))}</div>
                <p class="acts">
                  <button class="second" type="button" @click=${() => go({ at: "session", id: this.session })}>
                    ${session.backToEnd}
                  </button>
                </p>
              `
        }
      </main>
    `;
  }

  /** Of what was taken back one line stays, that it was; not what came of it. */
  private get left(): readonly Message[] {
    return this.all?.filter(({ recalled, sender }) => !recalled || sender === "person") ?? [];
  }

  /** Who speaks is said once, until somebody else does. */
  private said({ sender, name, content, media = [], recalled }: Message, before: Message | undefined): TemplateResult {
    const { speakers, recalled: takenBack } = this.words.session;
    const own = sender === "ai" ? this.speaker : name;
    const same = before?.sender === sender && before.name === name;
    return html`${same ? nothing : html`<h2>${own ? `${own} · ${speakers[sender]}` : speakers[sender]}</h2>`}
      <div class="said ${sender} ${recalled ? "recalled" : ""}">
        ${recalled ? html`<p>${takenBack}</p>` : sender === "ai" ? markdownOf(content, saysItAll(content, media)) : plain(content)}
        ${readMedia(media, content)}
      </div>`;
  }

  private span(): string {
    const first = this.all?.[0];
    const last = this.all?.at(-1);
    if (!first || !last) return "";
    return this.language.span(new Date(first.at), new Date(last.at));
  }

  /** In another tab. */
  private forgotten(): void {
    this.all = null;
    this.speaker = null;
    this.trouble = "gone";
  }

  private async look(): Promise<void> {
    const { session: id } = this;
    this.trouble = null;
    const entry = kept(id);
    if (!entry) {
      this.forgotten();
      return;
    }
    try {
      const token = opener(entry);
      const [session, all] = await Promise.all([
        server().session(entry.id, token),
        server().transcript(entry.id, token),
      ]);
      // What was forgotten meanwhile, or is not asked for any more, is not shown.
      if (this.session !== id || !kept(id)) return;
      update(session);
      this.speaker = session.speaker;
      this.all = all;
    } catch (error) {
      if (this.session === id) this.trouble = error instanceof Problem && !error.passing ? "gone" : "closed";
    }
  }
}

function plain(content: string): TemplateResult {
  return html`<p class="words" dir="auto">${content}</p>`;
}

customElements.define("visitor-read", VisitorRead);
