import { type ComponentType, lazy } from "react";
import type { Role } from "./signing.js";

export interface Section {
  name: "desk" | "workbench" | "debugger" | "releases" | "administration";
  /** Who has it in the navigation; the server decides again at every request. */
  roles: readonly Role[];
  /** Loaded when it is opened for the first time. It is given everything below `/staff/<name>`. */
  Page: ComponentType;
  /** Stands above every page for who has this role, and works there. */
  watch?: { role: Role; Watch: ComponentType };
}

/** The parts of the app, in the order of the navigation. */
export const SECTIONS: readonly Section[] = [
  {
    name: "desk",
    roles: ["counsellor", "reviewer"],
    Page: lazy(() => import("../desk/index.js")),
    watch: { role: "counsellor", Watch: lazy(() => import("../desk/watch.js")) },
  },
  {
    name: "workbench",
    roles: ["developer", "reviewer", "administrator"],
    Page: lazy(() => import("../workbench/index.js")),
  },
  {
    name: "debugger",
    roles: ["developer", "administrator"],
    Page: lazy(() => import("../debugger/index.js")),
  },
  {
    name: "releases",
    roles: ["developer", "reviewer", "administrator"],
    Page: lazy(() => import("../releases/index.js")),
  },
  { name: "administration", roles: ["administrator"], Page: lazy(() => import("../administration/index.js")) },
];

export function sectionsOf(roles: readonly Role[]): readonly Section[] {
  return SECTIONS.filter((section) => section.roles.some((role) => roles.includes(role)));
}
