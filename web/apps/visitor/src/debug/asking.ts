import { type Debug, Problem } from "@heartrule/sdk";

export type { Debug };
export type Call = Debug["calls"][number];
export type Variable = Debug["variables"][number];
export type Decision = Debug["decisions"][number];
export type Round = Debug["rounds"][number];
export type Result = Debug["results"][number];
export type Awareness = Debug["awareness"][number];
export type Attempt = Call["attempts"][number];
export type Layer = Call["prompt"][number];

/** A turn, the newest without `turn`. Throws `Problem`. Not a part of the client: nobody but this drawer asks it. */
export async function ask(
  session: string,
  token: string,
  locale: string,
  turn: number | null,
  signal: AbortSignal,
): Promise<Debug> {
  const query = turn === null ? "" : `?turn=${turn}`;
  let answer: Response;
  try {
    answer = await fetch(`/api/v1/sessions/${encodeURIComponent(session)}/debug${query}`, {
      headers: { Authorization: `Bearer ${token}`, Accept: "application/json", "Accept-Language": locale },
      cache: "no-store",
      signal,
    });
  } catch (error) {
    throw signal.aborted ? error : new Problem("network", 0);
  }
  const body: unknown = await answer.json().catch(() => null);
  if (!answer.ok || typeof body !== "object" || body === null) {
    const code = (body as { code?: unknown } | null)?.code;
    throw new Problem(typeof code === "string" ? (code as Problem["code"]) : "network", answer.status);
  }
  return body as Debug;
}
