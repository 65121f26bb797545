import { createContext, useContext } from "react";
import type { Fields } from "../text/shapes.js";

/** The node whose fields are shown. */
export const NodeContext = createContext<Fields | null>(null);

export function useNode(): Fields {
  const node = useContext(NodeContext);
  if (!node) throw new Error("useNode() stands outside a panel.");
  return node;
}
