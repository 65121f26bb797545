import type { ReactiveControllerHost } from "lit";
import type { Client } from "../client.js";
import type { About, Contact } from "../shapes.js";
import type { ConversationState } from "../state.js";
import { fill, type Texts, textsOf } from "./texts/index.js";

/** So long the last thing said can be taken back, where the server has not said how long. */
const RECALL_SECONDS = 120;

/** What the server says of itself: whom to call, in the language of the session, and where words go. */
export class Surroundings {
  private about: About | null = null;
  /** Asked for, and the language in which. */
  private asked: "zh-CN" | "en" | null = null;
  /** It has answered, or cannot be asked. */
  private settled = false;

  constructor(private readonly host: ReactiveControllerHost) {}

  get contacts(): readonly Contact[] {
    return this.about?.contacts ?? [];
  }

  /** All that may be called of what is said. */
  get numbers(): readonly string[] {
    return this.about?.numbers ?? this.contacts.map(({ number }) => number);
  }

  /** The longest that a reply may take; 0: nobody knows. */
  get waitSeconds(): number {
    return this.about?.wait_seconds ?? 0;
  }

  /** All that the server says of itself; null: it has not been heard. */
  get all(): About | null {
    return this.about;
  }

  get recallSeconds(): number {
    return this.about?.recall_seconds ?? RECALL_SECONDS;
  }

  /** Once a language; `again`: also where it failed. */
  async read(client: Client | undefined, language: string, again = false): Promise<void> {
    const { locale } = textsOf(language);
    if (!client || (this.asked === locale && !(again && this.settled && !this.about))) return;
    this.asked = locale;
    this.settled = false;
    const about = await client.about(locale).catch(() => null);
    if (this.asked !== locale) return;
    this.about = about ?? this.about;
    this.settled = true;
    this.host.requestUpdate();
  }

  /** Where words go, once that is known; of whom it is said stands in the session. */
  whereWordsGo({ session, human }: ConversationState, texts: Texts): string {
    if (!session || !this.settled) return "";
    if (human) return texts.wordsHuman;
    if (session.mode === "script") return texts.wordsScript;
    const model = this.about?.model;
    return model ? fill(texts.wordsModel, { name: model.name, hosts: model.hosts.join(", ") }) : texts.wordsSomeModel;
  }
}
