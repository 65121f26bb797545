import { ask } from "./api.js";
import type { SignedIn } from "./signing.js";

/** What a provider sent the browser back with. */
export interface Back {
  code: string;
  state: string;
  iss?: string;
}

/** Taken out of the address at once. `null`: nobody comes from a provider; `refused`: it did not let them in. */
export function backFromProvider(): Back | "refused" | null {
  const given = new URLSearchParams(location.search);
  const [code, state, iss] = [given.get("code"), given.get("state"), given.get("iss")];
  const refused = given.has("error");
  if (!state || (!code && !refused)) return null;
  history.replaceState(null, "", location.pathname + location.hash);
  return code ? { code, state, ...(iss && { iss }) } : "refused";
}

/** Goes to the provider. */
export async function goToProvider(): Promise<void> {
  const { url } = await ask<{ url: string }>("/staff/sign-in/provider/begin", { method: "POST", signingIn: true });
  location.assign(url);
}

export async function signInFromProvider(back: Back): Promise<SignedIn> {
  return await ask<SignedIn>("/staff/sign-in/provider", { method: "POST", body: back, signingIn: true });
}
