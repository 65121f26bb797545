/** What a token says of itself. Believed only for finding the way; the server decides what it opens. */
export interface Claims {
  session: string;
  /** Milliseconds since 1970. */
  expires: number;
  /** It came by a link to come back with: it may read and go on, and delete nothing. */
  lent: boolean;
}

export function claims(token: string): Claims | null {
  const part = token.split(".")[1];
  if (part === undefined) return null;
  try {
    const text = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
    const { sub, exp, aud, recovery } = JSON.parse(text) as Record<string, unknown>;
    if (aud !== "session" || typeof sub !== "string" || sub === "" || typeof exp !== "number") return null;
    return { session: sub, expires: exp * 1000, lent: recovery === true };
  } catch {
    return null;
  }
}
