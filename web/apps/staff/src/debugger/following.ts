import { useCallback, useEffect, useRef, useState } from "react";
import { ask, send } from "../shell/api.js";
import type { State } from "./shapes.js";

export interface Following {
  state: State | null;
  /** The last thing that was asked for could not be done, in words. */
  gone: boolean;
  /** Do something to the session; its answer is the state, or holds it. */
  act<T = State>(path: string, body?: unknown, method?: "POST" | "PUT"): Promise<T>;
  put(state: State): void;
}

const AGAIN = 1_500;

/** A debug session as it stands, followed live. */
export function useFollowing(id: string): Following {
  const [state, setState] = useState<State | null>(null);
  const [gone, setGone] = useState(false);
  const version = useRef(-1);
  const put = useCallback((next: State) => {
    if (next.version < version.current) return;
    version.current = next.version;
    setState(next);
  }, []);
  useEffect(() => {
    version.current = -1;
    setState(null);
    setGone(false);
    const stopped = new AbortController();
    void follow(id, put, () => setGone(true), stopped.signal);
    return () => stopped.abort();
  }, [id, put]);
  const act = useCallback(
    async <T>(path: string, body: unknown = {}, method: "POST" | "PUT" = "POST") => {
      const found = await ask<T>(`/debug/sessions/${id}/${path}`, { method, body });
      const held = found as { stack?: unknown; state?: State };
      if (held?.stack) put(found as State);
      else if (held?.state) put(held.state);
      return found;
    },
    [id, put],
  );
  return { state, gone, act, put };
}

async function follow(id: string, put: (state: State) => void, lost: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await send(`/debug/sessions/${id}/events`, { signal });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      if (!reader) return;
      let text = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        text += value;
        const parts = text.split("\n\n");
        text = parts.pop() ?? "";
        for (const part of parts) {
          const data = part.split("\n").find((line) => line.startsWith("data: "));
          if (data) put(JSON.parse(data.slice(6)) as State);
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      const status = (error as { status?: number }).status ?? 0;
      if (status === 404 || status === 403) return lost();
    }
    await new Promise((wake) => setTimeout(wake, AGAIN));
  }
}
