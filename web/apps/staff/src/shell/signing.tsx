import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { ask, Refusal, trust, whenSignedOut } from "./api.js";
import { choose, chosenHere, type Locale, locale } from "./language.js";

export const ROLES = ["counsellor", "developer", "reviewer", "administrator"] as const;
export type Role = (typeof ROLES)[number];

/** Who is signed in. `projects`: whose things they may see; `*`: all. `granted`: roles in one project alone. */
export interface Principal {
  id: string;
  name: string;
  roles: Role[];
  locale: Locale;
  projects: string[];
  granted: { role: Role; project: string }[];
}

/** All that they are anywhere. */
export function rolesOf(principal: Principal): Role[] {
  const held = new Set([...principal.roles, ...principal.granted.map((each) => each.role)]);
  return ROLES.filter((role) => held.has(role));
}

export interface SignedIn {
  principal: Principal;
  csrf: string;
}

interface Signing {
  /** `undefined` while it is not known yet. */
  principal: Principal | null | undefined;
  /** The server could not be reached to learn it. */
  unreachable: boolean;
  /** Goes on with what the server said of who is signed in now. */
  begin(answer: SignedIn): void;
  signOut(): Promise<void>;
  look(): Promise<void>;
}

const Here = createContext<Signing | null>(null);

export function SigningIn({ children }: { children: ReactNode }) {
  const [principal, setPrincipal] = useState<Principal | null | undefined>();
  const [unreachable, setUnreachable] = useState(false);

  const begin = useCallback((answer: SignedIn) => {
    trust(answer.csrf);
    setPrincipal(answer.principal);
    setUnreachable(false);
    if (!chosenHere() && answer.principal.locale !== locale()) void choose(answer.principal.locale);
  }, []);
  const look = useCallback(async () => {
    try {
      begin(await ask<SignedIn>("/staff/me", { signingIn: true }));
    } catch (error) {
      const gone = error instanceof Refusal && !error.passing;
      setUnreachable(!gone);
      if (gone) setPrincipal(null);
    }
  }, [begin]);
  const signOut = useCallback(async () => {
    const { url } = await ask<{ url: string | null }>("/staff/sign-out", { method: "POST" });
    trust("");
    setPrincipal(null);
    if (url) location.assign(url);
  }, []);

  useEffect(() => void look(), [look]);
  useEffect(() => whenSignedOut(() => setPrincipal(null)), []);

  const here = useMemo(
    () => ({ principal, unreachable, begin, signOut, look }),
    [principal, unreachable, begin, signOut, look],
  );
  return <Here value={here}>{children}</Here>;
}

export function useSigning(): Signing {
  const here = useContext(Here);
  if (!here) throw new Error("useSigning() stands outside <SigningIn>.");
  return here;
}

/** Who is signed in; only below the gate, where somebody is. */
export function usePrincipal(): Principal {
  const { principal } = useSigning();
  if (!principal) throw new Error("Nobody is signed in.");
  return principal;
}
