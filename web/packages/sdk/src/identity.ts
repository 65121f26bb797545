/** Gives a person token that the embedding service has signed; null for nobody. */
export type AskToken = () => string | null | Promise<string | null>;

/** Milliseconds before its end from which on a token is not used any more. */
const EARLY = 30_000;

/** Who the person is to the service that embeds us: a signed note, sent on each request, and asked for again when it
 * runs out or is refused. However many requests need a new one, it is asked for once. */
export class Identity {
  private asking: Promise<string | null> | null = null;

  constructor(
    private held: string | null,
    private readonly ask: AskToken | null,
  ) {}

  async token(): Promise<string | null> {
    const good = this.held !== null && endOf(this.held) - Date.now() > EARLY;
    return good || !this.ask ? this.held : await this.renew(this.ask);
  }

  /** Another one, for the server has refused this. The same, where there is no other. */
  async instead(refused: string | null): Promise<string | null> {
    return this.held !== refused || !this.ask ? this.held : await this.renew(this.ask);
  }

  private renew(ask: AskToken): Promise<string | null> {
    this.asking ??= (async () => {
      try {
        this.held = await ask();
        return this.held;
      } finally {
        this.asking = null;
      }
    })();
    return this.asking;
  }
}

/** When a token says that it ends; never, where it cannot be read: the server knows. */
function endOf(token: string): number {
  try {
    const part = (token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    const { exp } = JSON.parse(atob(part)) as { exp?: unknown };
    return typeof exp === "number" ? exp * 1000 : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
