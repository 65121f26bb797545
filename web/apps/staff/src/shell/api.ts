import { locale } from "./language.js";

/** What the server says when it refuses: RFC 9457, with the field that is wrong where there is one. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly body: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }

  /** It may go better the next time without anything being changed. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

let csrf = "";
const onSignedOut = new Set<() => void>();

/** What proves that a write comes from this page. */
export function trust(token: string): void {
  csrf = token;
}

/** Told when the server no longer knows who is asking. */
export function whenSignedOut(act: () => void): () => void {
  onSignedOut.add(act);
  return () => onSignedOut.delete(act);
}

export interface Asking {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON, unless it is a text or a file already. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** It is still sent when the page goes. */
  keepalive?: boolean;
  /** A 401 is an answer here and not the end of the sign-in. */
  signingIn?: boolean;
}

/** Ask the API. `path` begins behind `/api/v1`; the answer is the JSON that came, or null where none did. */
export async function ask<T>(path: string, asking: Asking = {}): Promise<T> {
  const response = await send(path, asking);
  if (response.status === 204) return null as T;
  const text = await response.text();
  return (text ? JSON.parse(text) : null) as T;
}

/** The same, for answers that are not JSON: files and streams. */
export async function send(path: string, asking: Asking = {}): Promise<Response> {
  const { method = "GET", body, signal, signingIn, keepalive } = asking;
  const headers: Record<string, string> = { "Accept-Language": locale(), ...asking.headers };
  if (method !== "GET" && csrf) headers["X-CSRF-Token"] = csrf;
  const raw = body === undefined || typeof body === "string" || body instanceof Blob;
  if (!raw) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      headers,
      credentials: "same-origin",
      cache: "no-store",
      ...(body !== undefined && { body: raw ? (body as BodyInit) : JSON.stringify(body) }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal(0, "unreachable", "");
  }
  if (response.ok) return response;
  const refusal = await refused(response);
  if (refusal.status === 401 && !signingIn) for (const act of onSignedOut) act();
  throw refusal;
}

/** `fetch` as the SDK takes it: with the proof on writes, and heeding the end of a sign-in. */
export const guarded: typeof fetch = async (address, init = {}) => {
  const headers = new Headers(init.headers);
  if (csrf && (init.method ?? "GET") !== "GET") headers.set("X-CSRF-Token", csrf);
  const response = await fetch(address, { ...init, headers, credentials: "same-origin" });
  if (response.status === 401) for (const act of onSignedOut) act();
  return response;
};

async function refused(response: Response): Promise<Refusal> {
  let said: Record<string, unknown> = {};
  try {
    said = (await response.json()) as Record<string, unknown>;
  } catch {
    // A proxy answered with a page; its number is all that is known.
  }
  const text = (name: string) => (typeof said[name] === "string" ? (said[name] as string) : "");
  return new Refusal(response.status, text("code") || String(response.status), text("title") || text("detail"), said);
}
