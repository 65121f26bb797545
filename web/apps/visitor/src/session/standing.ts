/** How a session stands for the person who is in it; everything the page shows follows from it. */
import type { ConversationState } from "@heartrule/sdk";

export type Standing =
  /** It can be talked in. */
  | "open"
  | "paused"
  | "ended"
  | "archived"
  /** Its place in the script cannot be found again; it can be started over. */
  | "lost"
  /** It does not exist, or this device may not open it. */
  | "gone"
  /** It could not be reached. */
  | "closed";

const GONE = new Set(["not-found", "unauthorized", "token-expired", "forbidden"]);

export function standing(state: ConversationState): Standing {
  const { status, session, problem } = state;
  if (status === "failed") {
    if (problem?.code === "cannot-restore") return "lost";
    if (problem && GONE.has(problem.code)) return "gone";
    if (session?.status === "archived") return "archived";
    if (session?.status === "ended" || problem?.code === "closed") return "ended";
    return "closed";
  }
  if (session?.status === "archived") return "archived";
  if (status === "ended" || session?.status === "ended") return "ended";
  if (session && !session.restorable) return "lost";
  if (status === "paused") return "paused";
  return "open";
}

/** Whether something that was said would be lost to the server if the page closed now. */
export function unsent(state: ConversationState): boolean {
  return state.outbox.some((entry) => entry.state !== "refused");
}
