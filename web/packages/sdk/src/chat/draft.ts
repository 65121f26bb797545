import type { Entry } from "../state.js";
import { type Storage, sessionStore } from "../storage.js";

export interface Draft {
  text: string;
  /** The last message that had been shown when it was typed. */
  after: number | null;
}

/** What has been typed and not sent, kept over a reload for as long as the tab lives. */
export class Drafts {
  constructor(private readonly storage: Storage) {}

  read(session: string): Draft | null {
    try {
      const draft = JSON.parse(this.storage.get(place(session)) ?? "null") as Draft | null;
      return typeof draft?.text === "string" ? draft : null;
    } catch {
      return null;
    }
  }

  write(session: string, draft: Draft): void {
    if (draft.text === "") this.storage.remove(place(session));
    else this.storage.set(place(session), JSON.stringify(draft));
  }
}

/** Puts what was said to a session and never taken, and what was being typed, into the draft of the one that takes its
 * place: the person sends it, or does not. */
export function carryOver(said: readonly Entry[], from: string, to: string): void {
  const drafts = new Drafts(sessionStore());
  const typed = drafts.read(from)?.text ?? "";
  const text = [...wordsOf(said), typed].filter((each) => each.trim() !== "").join("\n");
  drafts.write(to, { text, after: null });
}

/** What stands in an outbox, in words. */
export function wordsOf(said: readonly Entry[]): string[] {
  return said.flatMap(({ input, label }) => {
    if (input.type === "message") return [input.text];
    return input.type === "choice" ? [label ?? input.choice] : [];
  });
}

function place(session: string): string {
  return `heartrule.draft.${session}`;
}
