import type { Problem } from "../problem.js";
import type { ConversationState, Status } from "../state.js";
import { fill, type Texts } from "./texts/index.js";

export interface Notice {
  line: string | null;
  action: "retry" | "resume" | "start-over" | null;
}

/** What has to be said about how the conversation stands, and what can be done about it. */
export function noticeOf({ status, problem, human, typing }: ConversationState, texts: Texts): Notice {
  switch (status) {
    case "loading":
      return { line: texts.opening, action: null };
    case "offline":
      return { line: texts.offline, action: "retry" };
    case "retrying":
      return { line: texts.retrying, action: "retry" };
    case "paused":
      return { line: texts.paused, action: "resume" };
    case "ended":
      return { line: texts.ended, action: null };
    case "failed":
      return { line: withReference(failure(problem, texts), problem, texts), action: remedy(problem) };
    default:
      return { line: human && fill(typing ? texts.humanWriting : texts.human, { name: human.name }), action: null };
  }
}

/** Whether what was said may not be there yet, and that has to be shown. */
export function isDisturbed(status: Status): boolean {
  return status === "offline" || status === "retrying" || status === "failed";
}

/** Why something that was said was not taken. */
export function refusalOf(problem: Problem | null, texts: Texts): string {
  const known: Record<string, string> = { "too-long": texts.tooLong, closed: texts.closed };
  const why = known[problem?.code ?? ""] ?? problem?.title;
  return why ? `${texts.refused}: ${why}` : texts.refused;
}

function failure(problem: Problem | null, texts: Texts): string {
  if (problem?.code === "cannot-restore") return texts.cannotRestore;
  if (problem?.status === 401 || problem?.status === 403) return texts.unauthorized;
  return problem?.status === 404 ? texts.gone : texts.failed;
}

function withReference(line: string, problem: Problem | null, texts: Texts): string {
  return problem?.reference ? `${line} (${fill(texts.reference, { reference: problem.reference })})` : line;
}

function remedy(problem: Problem | null): Notice["action"] {
  return problem?.code === "cannot-restore" ? "start-over" : null;
}
