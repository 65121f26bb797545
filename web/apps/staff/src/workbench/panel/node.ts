import { createContext, useContext } from "react";
import type { Path } from "../text/shapes.js";

/** The node whose fields are shown. */
export const NodeContext = createContext<{ file: string; path: Path } | null>(null);

export function useNode(): { file: string; path: Path } {
  const node = useContext(NodeContext);
  if (!node) throw new Error("useNode() stands outside a panel.");
  return node;
}
