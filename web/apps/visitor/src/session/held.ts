import { Conversation } from "@heartrule/sdk";
import { quickExit, saysExit } from "../leaving/exit.js";
import { store } from "../shell/storage.js";

/** A conversation that can be left by a word, which nobody else hears and nothing keeps. */
export class Held extends Conversation {
  override send(text: string, more: { after?: number } = {}): string | null {
    if (!saysExit(text)) return super.send(text, more);
    store.typed.remove(`heartrule.draft.${this.id}`);
    quickExit();
    return null;
  }
}
