import type { ProblemDocument, ServerProblemCode } from "./shapes.js";

/** Codes that the server gives, and two of our own: `network` (nothing came back, or not from HeartRule) and `timeout`. */
export type ProblemCode = ServerProblemCode | "network" | "timeout";

/** Anything that went wrong between us and the server. `title` is meant for the person, in their language. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly title: string;
  readonly detail: string | null;
  /** What the server's log calls it. */
  readonly reference: string | null;
  /** Milliseconds the server asks us to wait. */
  readonly retryAfter: number | null;

  constructor(
    readonly code: ProblemCode | (string & {}),
    readonly status: number,
    more: { title?: string; detail?: string | null; reference?: string | null; retryAfter?: number | null } = {},
  ) {
    super(more.title ?? code);
    this.title = more.title ?? "";
    this.detail = more.detail ?? null;
    this.reference = more.reference ?? null;
    this.retryAfter = more.retryAfter ?? null;
  }

  static of(document: ProblemDocument, status: number, retryAfter: number | null = null): Problem {
    const { code, title, detail, reference } = document;
    return new Problem(code, status, { title, detail, reference, retryAfter });
  }

  /** Whether the same request may well succeed later. */
  get passing(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 425 || this.status === 429 || this.status >= 500;
  }
}
