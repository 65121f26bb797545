import type { Storage } from "../storage.js";

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

function place(session: string): string {
  return `heartrule.draft.${session}`;
}
