import { type Edge, MarkerType } from "@xyflow/react";
import type { FlowMap, MapEdge } from "../text/shapes.js";
import type { Drawing } from "./layout.js";

const LONGEST = 22;

export function short(text: string, most = LONGEST): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** The arrows between what is drawn; one for each pair of cards and kind, with all that is said on it. */
export function edgesOf(map: FlowMap, drawing: Drawing): Edge[] {
  const shown = new Map(drawing.placed.map((each) => [each.node.id, each]));
  const edges = new Map<string, Edge>();
  for (const edge of map.edges) {
    // What watches a script says so itself on the map, though it is the script that names it.
    const watched = edge.kind === "watch";
    const from = drawing.cardOf.get(watched ? edge.to : edge.from);
    const to = drawing.cardOf.get(watched ? edge.from : edge.to);
    if (watched && edge.from === drawing.root.id) continue;
    if (!from || !to || from === to || !shown.has(from) || !shown.has(to)) continue;
    if (edge.kind === "next" && edge.from !== from) continue;
    if (edge.kind === "next" && shown.get(from)?.within !== shown.get(to)?.within) continue;
    const row = !watched && edge.from !== from && !shown.get(from)?.folded ? edge.from : null;
    const id = `${edge.kind}:${row ?? from}:${to}`;
    const known = edges.get(id);
    if (known) {
      if (edge.label) known.label = short([known.label, edge.label].filter(Boolean).join(" / "));
      continue;
    }
    const sideways = edge.kind === "next" && shown.get(from)?.node.kind === "phase";
    edges.set(id, made(id, edge, from, to, row, sideways));
  }
  return [...edges.values()];
}

function made(id: string, edge: MapEdge, from: string, to: string, row: string | null, sideways: boolean): Edge {
  const upright = edge.kind === "watch" || (edge.kind === "next" && !sideways);
  return {
    id,
    source: from,
    target: to,
    sourceHandle: row ?? (upright ? "bottom" : "out"),
    targetHandle: upright || edge.kind === "call" || edge.kind === "form" || edge.kind === "order" ? "top" : "in",
    type: "smoothstep",
    className: `arrow ${edge.kind}`,
    label: edge.label ? short(edge.label) : undefined,
    markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color: "context-stroke" },
    focusable: false,
    selectable: false,
    data: { kind: edge.kind },
    zIndex: edge.kind === "jump" ? 2 : 1,
  };
}
