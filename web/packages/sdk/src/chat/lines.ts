import type { ConversationState, Entry } from "../state.js";
import type { Spoken } from "./messages.js";

/** One thing that was said, as it stands in the transcript. `key` is the same before and after it is finished. */
export type Line =
  | { readonly key: string; readonly at: string; readonly spoken: Spoken }
  | { readonly key: string; readonly at: string; readonly entry: Entry };

/** What was said, what is on its way, and what is being written: a reply stands below what it answers, and above what
 * was said after it had begun. */
export function linesOf({ messages, growing, outbox }: ConversationState): Line[] {
  const began = growing[0]?.at ?? "";
  const entry = (of: Entry): Line => ({ key: `k${of.key}`, at: new Date(of.at).toISOString(), entry: of });
  const spoken = (of: Spoken): Line => ({ key: `m${of.seq}`, at: of.at, spoken: of });
  const entries = outbox.map(entry);
  const written = growing.map((each) => spoken({ ...each, sender: "ai", growing: true }));
  const answered = written.length === 0 ? entries : entries.filter(({ at }) => at <= began);
  // Of what was taken back one line stays, that it was; not what came of it.
  const left = messages.filter(({ recalled, sender }) => !recalled || sender === "person");
  const lines = [...left.map(spoken), ...answered, ...written];
  return [...lines, ...entries.filter((each) => !answered.includes(each))];
}
