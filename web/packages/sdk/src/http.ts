import type { Identity } from "./identity.js";
import { Problem } from "./problem.js";
import type { ProblemDocument } from "./shapes.js";

const USUAL = 15_000;

export interface Sent {
  token?: string | undefined;
  body?: unknown;
  query?: Record<string, string | number | undefined>;
  /** Milliseconds until we stop waiting. */
  timeout?: number;
  signal?: AbortSignal;
  /** A field that the answer must have: a hotel's log-in page says 200 as well. */
  want?: string;
}

/** Requests to one server; everything that goes wrong is a `Problem`. */
export class Http {
  constructor(
    private readonly base: string,
    private readonly locale: string | undefined,
    private readonly fetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request),
    private readonly identity: Identity | null = null,
  ) {}

  async json<T>(method: string, path: string, sent: Sent = {}): Promise<T> {
    return await this.within(sent.timeout ?? USUAL, sent.signal, async (signal) => {
      const response = await this.ask(method, path, sent, "application/json", signal);
      const body: unknown = await response.json();
      if (sent.want && !(isObject(body) && sent.want in body)) throw new Problem("network", 0);
      return body as T;
    });
  }

  /** A file, of this kind. */
  async file(path: string, kind: string, sent: Sent = {}): Promise<Blob> {
    return await this.within(sent.timeout ?? USUAL, sent.signal, async (signal) => {
      const response = await this.ask("GET", path, sent, kind, signal);
      const type = response.headers.get("Content-Type") ?? "";
      if (!type.startsWith(kind)) throw new Problem("network", 0);
      return await response.blob();
    });
  }

  /** Of whose answer only that it came matters. */
  async nothing(method: string, path: string, sent: Sent = {}): Promise<void> {
    await this.within(sent.timeout ?? USUAL, sent.signal, async (signal) => {
      await this.ask(method, path, sent, "application/json", signal);
    });
  }

  /** A stream of live events; `timeout` is for its beginning. */
  async stream(path: string, sent: Sent, lastEventId: number | null): Promise<ReadableStream<Uint8Array>> {
    return await this.within(sent.timeout ?? USUAL, sent.signal, async (signal) => {
      const more: Record<string, string> = lastEventId === null ? {} : { "Last-Event-ID": String(lastEventId) };
      const response = await this.ask("GET", path, sent, "text/event-stream", signal, more);
      const type = response.headers.get("Content-Type") ?? "";
      if (!response.body || !type.startsWith("text/event-stream")) throw new Problem("network", 0);
      return response.body;
    });
  }

  /** `timeout` ends with `work`; the caller's own signal goes on to hold for what `work` leaves open. */
  private async within<T>(
    timeout: number,
    outer: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    const giveUp = () => controller.abort();
    outer?.addEventListener("abort", giveUp);
    if (outer?.aborted) giveUp();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      controller.abort();
    }, timeout);
    try {
      return await work(controller.signal);
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw new Problem(late ? "timeout" : "network", 0, { detail: error instanceof Error ? error.name : null });
    } finally {
      clearTimeout(timer);
    }
  }

  private async ask(
    method: string,
    path: string,
    sent: Sent,
    accept: string,
    signal: AbortSignal,
    more: Record<string, string> = {},
  ): Promise<Response> {
    const headers: Record<string, string> = { Accept: accept, ...more };
    if (this.locale) headers["Accept-Language"] = this.locale;
    const request: RequestInit = { method, headers, signal, cache: "no-store" };
    if (sent.body !== undefined) {
      headers["Content-Type"] = "application/json";
      request.body = JSON.stringify(sent.body);
    }
    const address = this.address(path, sent.query);
    const { identity } = this;
    const token = identity ? await during(signal, identity.token()) : sent.token;
    let response = await this.fetch(address, signed(request, token));
    if (response.status === 401 && identity) {
      const other = await during(signal, identity.instead(token ?? null));
      if (other !== token) response = await this.fetch(address, signed(request, other));
    }
    if (!response.ok) throw await problemOf(response);
    return response;
  }

  private address(path: string, query: Sent["query"] = {}): string {
    const given = Object.entries(query).filter((pair): pair is [string, string | number] => pair[1] !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return `${this.base.replace(/\/+$/, "")}/api/v1${path}${search ? `?${search}` : ""}`;
  }
}

function signed(request: RequestInit, token: string | null | undefined): RequestInit {
  if (!token) return request;
  return { ...request, headers: { ...(request.headers as Record<string, string>), Authorization: `Bearer ${token}` } };
}

/** Nobody waits for a page that never gives its token. */
async function during<T>(signal: AbortSignal, asked: Promise<T>): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new DOMException("", "AbortError")), { once: true });
    asked.then(resolve, reject);
  });
}

/** Only what HeartRule itself says is final: an error page of something in between is a disturbance of the way. */
async function problemOf(response: Response): Promise<Problem> {
  const wait = retryAfter(response.headers.get("Retry-After"));
  const body: unknown = await response.json().catch(() => null);
  if (!isObject(body) || typeof body.code !== "string") return new Problem("network", 0, { retryAfter: wait });
  return Problem.of(body as unknown as ProblemDocument, response.status, wait);
}

function retryAfter(header: string | null): number | null {
  if (!header) return null;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), 300_000) : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
