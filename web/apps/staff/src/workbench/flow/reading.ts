import type { MapNode } from "../text/shapes.js";
import { type Drawing, rowsOf, type Tree } from "./layout.js";

/** What is drawn, in the order in which it is read: a phase, its topics, their steps, then what lies around. */
export function readingOrder(drawing: Drawing, tree: Tree): MapNode[] {
  const order: MapNode[] = [];
  for (const { node, folded } of drawing.placed) {
    order.push(node);
    if (!folded && (node.kind === "topic" || node.kind === "technique"))
      order.push(...rowsOf(tree, node.id).map((row) => row.node));
  }
  return order;
}

/** Where an arrow key leads: up and down along the order, left and right to the next phase. */
export function led(order: readonly MapNode[], from: string | null, key: string): MapNode | null {
  const at = order.findIndex((node) => node.id === from);
  if (at < 0) return order[0] ?? null;
  const clamp = (index: number) => order[Math.max(0, Math.min(order.length - 1, index))] ?? null;
  switch (key) {
    case "ArrowDown":
      return clamp(at + 1);
    case "ArrowUp":
      return clamp(at - 1);
    case "Home":
      return clamp(0);
    case "End":
      return clamp(order.length - 1);
    case "ArrowRight":
      return order.slice(at + 1).find(isColumn) ?? null;
    case "ArrowLeft":
      return order.slice(0, at).reverse().find(isColumn) ?? null;
    default:
      return null;
  }
}

function isColumn(node: MapNode): boolean {
  return node.kind !== "action" && node.kind !== "topic";
}
