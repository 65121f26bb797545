import { createContext, useContext, useMemo } from "react";
import { nameOf } from "../flow/layout.js";
import type { FlowMap, MapNode, Referent, Variable } from "../text/shapes.js";
import { useLabel } from "../words/speaking.js";

/** What there is in a project that can be named, as the last answers of the service say. */
export interface Known {
  map: FlowMap | null;
  variables: readonly Variable[];
}

export const KnownContext = createContext<Known>({ map: null, variables: [] });

export function useKnown(): Known {
  return useContext(KnownContext);
}

export interface Named {
  /** As scripts write it. */
  name: string;
  /** As people read it. */
  label: string;
}

const KINDS: Record<Exclude<Referent, "variable">, MapNode["kind"][]> = {
  skill: ["technique"],
  form: ["form"],
  awareness: ["awareness"],
  topic: ["topic", "phase"],
};

const NO_TITLES: Readonly<Record<string, string>> = {};

/** What can be named there; `options` are those that the service offers, also of other projects. */
export function useNames(
  of: Referent | null,
  options: readonly string[] | null = null,
  titles: Readonly<Record<string, string>> = NO_TITLES,
): readonly Named[] {
  const { map, variables } = useKnown();
  const label = useLabel();
  return useMemo(() => {
    if (of === null) return (options ?? []).map((name) => ({ name, label: label("choices", name) }));
    if (of === "variable") return variables.map(({ name, define }) => ({ name, label: define || name }));
    const own = (map?.nodes ?? []).filter((node) => KINDS[of].includes(node.kind));
    const named = own.map((node) => ({ name: node.detail || node.label, label: nameOf(node) }));
    const more = (options ?? []).filter((name) => !named.some((each) => each.name === name));
    named.push(...more.map((name) => ({ name, label: titles[name] ?? name })));
    return of === "topic" ? [...named, { name: "end", label: "end" }] : named;
  }, [of, map, variables, options, titles, label]);
}
