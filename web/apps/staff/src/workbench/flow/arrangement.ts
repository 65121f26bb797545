import { useCallback, useEffect, useRef, useState } from "react";
import type { Opened } from "../project/opened.js";
import { type Arrangement, nothingArranged } from "./layout.js";

const REST = 600;

/** How a person arranged the maps of a project: kept beside the scripts, on the server and in this browser. */
export function useArrangement(opened: Opened) {
  const [arranged, setArranged] = useState<Arrangement>(() => local(opened.project.id) ?? nothingArranged);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  useEffect(() => {
    let over = false;
    opened.server
      .layout()
      .then((layout) => {
        const found = read(layout);
        if (!over && found) setArranged((before) => (before === nothingArranged ? found : before));
      })
      .catch(() => {});
    return () => {
      over = true;
    };
  }, [opened]);

  const arrange = useCallback(
    (change: (before: Arrangement) => Arrangement) => {
      setArranged((before) => {
        const next = change(before);
        try {
          localStorage.setItem(nameOf(opened.project.id), JSON.stringify(next));
        } catch {
          // It is kept on the server all the same.
        }
        clearTimeout(timer.current);
        if (opened.project.writable)
          timer.current = setTimeout(() => void opened.server.keepLayout(next).catch(() => {}), REST);
        return next;
      });
    },
    [opened],
  );
  return { arranged, arrange };
}

function nameOf(project: string): string {
  return `heartrule.workbench.layout.${project}`;
}

function local(project: string): Arrangement | null {
  try {
    return read(JSON.parse(localStorage.getItem(nameOf(project)) ?? "null"));
  } catch {
    return null;
  }
}

function read(layout: unknown): Arrangement | null {
  const { moved, folded } = (layout ?? {}) as Partial<Arrangement>;
  if (!moved || typeof moved !== "object" || !Array.isArray(folded)) return null;
  return { moved, folded: folded.filter((each) => typeof each === "string") };
}
