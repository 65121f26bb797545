import { Problem, type Script } from "@heartrule/sdk";
import { NOTICE } from "@heartrule/sdk/chat";
import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { minutes } from "../arrive/duration.js";
import { scripts } from "../arrive/scripts.js";
import { keep, person } from "../leaving/kept.js";
import { place } from "../shell/about.js";
import { debugging } from "../shell/debugging.js";
import { go } from "../shell/go.js";
import { message } from "../shell/message.js";
import { server } from "../shell/server.js";
import { top } from "../shell/top.js";
import { View } from "../shell/view.js";
import "./notice.js";

/** Between choosing a session and its first word. */
export class VisitorBegin extends View {
  static override properties: PropertyDeclarations = {
    script: { attribute: false },
    found: { state: true },
    busy: { state: true },
    failed: { state: true },
  };
  declare script: string;
  /** undefined: still looking; null: there is no such script. */
  declare found: Script | null | undefined;
  declare busy: boolean;
  declare failed: boolean;

  constructor() {
    super();
    this.script = "";
    this.found = undefined;
    this.busy = false;
    this.failed = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("script")) return;
    this.found = undefined;
    this.failed = false;
    void this.look();
  }

  protected override render(): TemplateResult {
    const { words, found } = this;
    const head = top(words, { back: { label: words.back } });
    if (found === null) {
      return html`${head}${message({ title: words.notice.missing, text: words.notice.missingMend, acts: [{ label: words.home, act: () => go({ at: "arrive" }) }] })}`;
    }
    const length = minutes(found?.duration);
    const name = found
      ? [found.name, length === null ? "" : words.arrive.minutes(length)].filter(Boolean).join(" · ")
      : "";
    return html`${head}
      <visitor-notice
        .name=${name}
        .audience=${found?.audience ?? ""}
        .tongue=${found?.locale ?? ""}
        .accept=${words.notice.begin}
        .decline=${words.notice.notNow}
        .line=${this.failed ? words.notice.failed : ""}
        ?busy=${this.busy}
        @accept=${() => this.begin()}
        @decline=${() => go({ at: "arrive" })}
      ></visitor-notice>`;
  }

  private async look(): Promise<void> {
    const { script } = this;
    try {
      const found = (await scripts()).find(({ id }) => id === script) ?? null;
      // The address may have changed meanwhile.
      if (script === this.script) this.found = found;
    } catch {
      // The notice can be read without the name; beginning will tell whether the server is there.
    }
  }

  private async begin(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.failed = false;
    try {
      const created = await this.create();
      keep(created);
      // In place of the notice: going back from a session leads to the first page and not to another beginning.
      location.replace(`#/session/${created.session.id}`);
    } catch (error) {
      if (error instanceof Problem && error.code === "not-found") this.found = null;
      this.failed = true;
    } finally {
      this.busy = false;
    }
  }

  /** With the person's token, as far as it still counts. */
  private async create() {
    const known = person();
    // How long this device may keep what opens it must be known before there is anything to keep.
    const said = await place.ask().catch(() => null);
    const about = debugging() ? said : null;
    const wanted = { script: this.script, notice: NOTICE, ...(about && { options: { debug_level: about.debug } }) };
    if (known === null) return server().create(wanted);
    try {
      return await server().create(wanted, known);
    } catch (error) {
      const worn = error instanceof Problem && (error.code === "token-expired" || error.code === "unauthorized");
      if (!worn) throw error;
      return server().create(wanted);
    }
  }
}

customElements.define("visitor-begin", VisitorBegin);
