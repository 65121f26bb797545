import type { Created, Session } from "@heartrule/sdk";

/** A token as the server writes them; only a server could sign it. */
export function token(session: string, expires: number, aud = "session"): string {
  const part = (value: unknown) =>
    btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return [part({ alg: "HS256" }), part({ aud, sub: session, exp: Math.floor(expires / 1000) }), "signature"].join(".");
}

export function session(id: string, more: Partial<Session> = {}): Session {
  return {
    id,
    script: "cbt/abc_intro",
    name: "ABC模型介绍",
    locale: "zh-CN",
    status: "active",
    paused: false,
    quiet: false,
    metadata: {},
    created_at: "2026-11-21T08:00:00Z",
    last_active_at: "2026-11-21T08:10:00Z",
    turn: 1,
    ended_at: null,
    last_message: 2,
    last_event_id: 3,
    mode: "script",
    speaker: "小禾",
    restorable: true,
    in_crisis: false,
    position: { phase: null, topic: null, action: null, action_type: null, current_round: null, max_rounds: null },
    request: { type: "message", choices: [] },
    progress: { phases: [], milestones: [] },
    debug: "none",
    ...more,
  };
}

export const IN_A_MONTH = Date.parse("2026-12-21T08:00:00Z");

export function created(id: string, more: Partial<Session> = {}): Created {
  return { session: session(id, more), token: token(id, IN_A_MONTH), person_token: "a.persons.token" };
}
