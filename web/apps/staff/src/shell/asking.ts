import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask, Refusal } from "./api.js";

export interface Asked<T> {
  /** What came last; stays while it is asked again. */
  found: T | null;
  failed: Refusal | null;
  again(): Promise<void>;
  put(found: T): void;
}

/** What the API says to a path, asked when the path changes; null asks nothing. */
export function useAsked<T>(path: string | null): Asked<T> {
  const [state, setState] = useState<{ path: string | null; found: T | null; failed: Refusal | null }>({
    path,
    found: null,
    failed: null,
  });
  const wanted = useRef(path);
  wanted.current = path;
  const again = useCallback(async () => {
    if (path === null) return;
    try {
      const found = await ask<T>(path);
      if (wanted.current === path) setState({ path, found, failed: null });
    } catch (error) {
      const failed = error instanceof Refusal ? error : new Refusal(0, "unreachable", "");
      if (wanted.current === path)
        setState((before) => ({ path, found: before.path === path ? before.found : null, failed }));
    }
  }, [path]);
  const put = useCallback((found: T) => setState({ path, found, failed: null }), [path]);
  useEffect(() => void again(), [again]);
  const current = state.path === path;
  return { found: current ? state.found : null, failed: current ? state.failed : null, again, put };
}

export interface Deed {
  busy: boolean;
  /** What went wrong, in words. */
  trouble: string;
  /** Whether it was done. */
  does(deed: () => Promise<unknown>): Promise<boolean>;
  clear(): void;
}

/** Doing something that the server may refuse. */
export function useDeed(): Deed {
  const words = useWords();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const does = useCallback(
    async (deed: () => Promise<unknown>) => {
      setBusy(true);
      setTrouble("");
      try {
        await deed();
        return true;
      } catch (error) {
        setTrouble(words(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
    [words],
  );
  const clear = useCallback(() => setTrouble(""), []);
  return { busy, trouble, does, clear };
}

/** Why something was refused, as one reads it. */
export function useWords(): (error: unknown) => string {
  const { t } = useTranslation();
  return useCallback(
    (error) => {
      const said = error instanceof Error ? (error as Error & { title?: string; status?: number }) : null;
      if (said?.status === 0) return t("unreachable");
      if (said instanceof Refusal) return [said.message || t("unreachable"), ...placesIn(said)].join("\n");
      return said?.title || t("unreachable");
    },
    [t],
  );
}

const PLACES = 3;

/** Where a text is wrong, and why, where the server has said so; the first few. */
function placesIn({ body }: Refusal): string[] {
  const { findings } = body as { findings?: { file: string; line: number; message: string }[] | null };
  return (findings ?? []).slice(0, PLACES).map(({ file, line, message }) => `${file}:${line} ${message}`);
}
