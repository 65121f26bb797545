import { ask } from "./api.js";
import type { SignedIn } from "./signing.js";

interface Asked {
  options: unknown;
}

/** Whether this browser can make and show passkeys at this address: an address of numbers has none. */
export function hasPasskeys(): boolean {
  const named = !/^[\d.]+$|:/.test(location.hostname);
  return named && typeof PublicKeyCredential !== "undefined" && "parseCreationOptionsFromJSON" in PublicKeyCredential;
}

/** Somebody closed what their device asked them. */
export function wasClosed(error: unknown): boolean {
  return error instanceof DOMException && (error.name === "NotAllowedError" || error.name === "AbortError");
}

/** Asks the device for a new passkey. */
export async function made(path: string, body: object): Promise<unknown> {
  const { options } = await ask<Asked>(path, { method: "POST", body, signingIn: true });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  return plain(await navigator.credentials.create({ publicKey }));
}

/** Asks the device to show one that it has, and signs in with it. */
export async function signInWithPasskey(): Promise<SignedIn> {
  const { options } = await ask<Asked>("/staff/sign-in/passkey/begin", { method: "POST", signingIn: true });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  const credential = plain(await navigator.credentials.get({ publicKey }));
  return await ask<SignedIn>("/staff/sign-in/passkey", { method: "POST", body: { credential }, signingIn: true });
}

function plain(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException("nothing was shown", "NotAllowedError");
  return credential.toJSON();
}
