import { createContext, useCallback, useContext, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Path } from "../text/shapes.js";
import type { Opened } from "./opened.js";

export type ViewName = "flow" | "text" | "variables" | "relations" | "versions";

/** What is being looked at: a node by its place in the text. */
export interface Focus {
  file: string;
  path: Path;
  /** Its settings are shown without the keyboard going there. */
  quiet?: boolean;
}

export interface Here {
  opened: Opened;
  view: ViewName;
  look(view: ViewName): void;
  /** The script whose map is drawn, by the id of its node. */
  script: string | null;
  draw(script: string): void;
  focus: Focus | null;
  setFocus(focus: Focus | null): void;
  /** The file that the text view shows. */
  file: string | null;
  /** Shows a place in the text. */
  goTo(file: string, at?: { from: number; to: number }): void;
  /** A variable that is to be seen wherever it stands. */
  lit: string | null;
  light(variable: string | null): void;
  /** Said to everybody, also to who does not see the page. */
  say(text: string, problem?: boolean): void;
}

export const HereContext = createContext<Here | null>(null);

export function useHere(): Here {
  const here = useContext(HereContext);
  if (!here) throw new Error("useHere() stands outside an opened project.");
  return here;
}

/** Draws again whenever a text of the project changes. */
export function useBook(): number {
  const { book } = useHere().opened;
  return useSyncExternalStore(book.subscribe, () => book.version);
}

export interface Asked<T> {
  answer: T | null;
  /** The texts have changed since. */
  stale: boolean;
  failed: string | null;
}

/** Milliseconds of rest after which the service is asked anew. */
const REST = 90;

/**
 * What the language service says of the texts as they are: asked again after each change, and the last answer stands
 * until there is another one. `params` null: nothing is asked.
 */
export function useAsked<T>(name: string, params: object | null, rest = REST): Asked<T> {
  const { opened } = useHere();
  const version = useBook();
  const standing = useSyncExternalStore(opened.language.subscribe, () => opened.language.standing);
  const key = params && JSON.stringify(params);
  const [state, setState] = useState<{ answer: T | null; of: string; version: number; failed: string | null }>({
    answer: null,
    of: "",
    version: -1,
    failed: null,
  });
  const first = useRef(true);
  useEffect(() => {
    if (key === null || standing === "away") return;
    let over = false;
    const timer = setTimeout(
      async () => {
        first.current = false;
        try {
          const answer = await opened.language.ask<T>(name, JSON.parse(key) as object);
          if (!over) setState({ answer, of: key, version, failed: null });
        } catch (error) {
          if (!over) setState((before) => ({ ...before, of: key, version, failed: (error as Error).message }));
        }
      },
      first.current ? 0 : rest,
    );
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [opened, name, key, version, standing, rest]);
  const own = state.of === key;
  return {
    answer: own ? state.answer : null,
    stale: !own || state.version !== version,
    failed: own ? state.failed : null,
  };
}

/** Do something that the server may refuse, and say so. */
export function useTry(): (act: () => Promise<unknown>) => Promise<boolean> {
  const { say } = useHere();
  return useCallback(
    async (act) => {
      try {
        await act();
        return true;
      } catch (error) {
        say(error instanceof Error && error.message ? error.message : String(error), true);
        return false;
      }
    },
    [say],
  );
}
