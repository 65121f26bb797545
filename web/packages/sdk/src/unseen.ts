import type { Kept } from "./outbox.js";
import type { Message } from "./shapes.js";

/** Which entries of the outbox are not in the transcript yet. Live events show a person's words before the answer to
 * the request that brought them: for that moment they are known by what they say, each message standing for one entry. */
export function unseen(
  entries: readonly Kept[],
  messages: readonly Message[],
  claimed: ReadonlySet<number>,
): { left: Kept[]; found: Map<string, number> } {
  const found = new Map<string, number>();
  const used = new Set(claimed);
  const left = entries.filter((kept) => {
    const match = messages.find(
      ({ seq, sender, content }) =>
        sender === "person" && seq > (kept.after ?? Infinity) && !used.has(seq) && says(kept, content),
    );
    if (!match || kept.refused) return spoken(kept);
    used.add(match.seq);
    found.set(kept.key, match.seq);
    return false;
  });
  return { left, found };
}

function spoken({ input }: Kept): boolean {
  return input.type === "message" || input.type === "choice";
}

function says({ input, label }: Kept, content: string): boolean {
  if (input.type === "message") return content.trim() === input.text;
  return input.type === "choice" && (content === label || content === input.choice);
}
