import { createContext, useContext, useSyncExternalStore } from "react";
import type { Path } from "../text/shapes.js";
import { type Company, type CompanyState, isAt } from "./company.js";
import type { Conflict, HerePerson, Spot, Thread } from "./shapes.js";

export interface Together {
  company: Company;
  /** Whether what is said is shown, and at which node something is to be said. */
  shown: boolean;
  at: Spot | null;
  show(shown: boolean, at?: Spot | null): void;
}

export const TogetherContext = createContext<Together | null>(null);

export function useTogether(): Together {
  const together = useContext(TogetherContext);
  if (!together) throw new Error("useTogether() stands outside an opened project.");
  return together;
}

export function useCompany(): CompanyState {
  const { company } = useTogether();
  return useSyncExternalStore(company.subscribe, company.snapshot);
}

/** What is open at a node, and who else looks at it. */
export function besideOf(
  state: CompanyState,
  file: string,
  path: Path,
): { threads: Thread[]; conflicts: Conflict[]; people: HerePerson[] } {
  return {
    threads: state.threads.filter((each) => !each.resolved && isAt(each.spot, file, path)),
    conflicts: state.conflicts.filter((each) => isAt({ file: each.file, path: each.node }, file, path)),
    people: state.here.filter((each) => isAt(each, file, path)),
  };
}
