import type { ReactiveControllerHost } from "lit";
import type { Client } from "../../client.js";
import type { Script } from "../../shapes.js";
import { textsOf } from "../texts/index.js";

type Said = Pick<Script, "audience" | "locale">;

/** Whom a script says that it is for. */
export class MeantFor {
  /** Who was asked, and for which script. */
  private asked: readonly [Client, string] | null = null;
  private scripts: readonly Script[] = [];

  constructor(private readonly host: ReactiveControllerHost) {}

  /** Of the one that a session in `locale` would hold, in the language that it is written in; null: it does not say, or
   * nobody knows yet. */
  told(locale: string): Said | null {
    const script = this.asked?.[1];
    const own = this.scripts.find(({ id }) => id === script);
    const origin = own?.translation_of || script;
    const family = this.scripts.filter(({ id, translation_of }) => origin === id || origin === translation_of);
    const spoken = own && speaks(own, locale) ? own : family.find((each) => speaks(each, locale));
    return spoken?.audience ? spoken : null;
  }

  /** Once a script: the rest can be read without it. */
  async read(client: Client | null, script: string): Promise<void> {
    if (!client || (this.asked?.[0] === client && this.asked[1] === script)) return;
    const asked = [client, script] as const;
    this.asked = asked;
    const scripts = await client.scripts().catch(() => []);
    if (this.asked !== asked) return;
    this.scripts = scripts;
    this.host.requestUpdate();
  }
}

function speaks(script: Script, locale: string): boolean {
  return textsOf(script.locale).locale === locale;
}
