import type { FlowMap, MapNode } from "../text/shapes.js";

/** What a person arranged on the map, by names that outlive edits; it lies beside the script, never in it. */
export interface Arrangement {
  moved: Record<string, { x: number; y: number }>;
  folded: string[];
}

export const nothingArranged: Arrangement = { moved: {}, folded: [] };

/** Widths and heights that the styles hold to, in pixels. */
export const CARD = { width: 296, head: 62, row: 36, foot: 40, locked: 56, gap: 26, pad: 18 } as const;
const COLUMN = CARD.width + 2 * CARD.pad;
const BETWEEN = 76;
const PHASE_HEAD = 76;
const LANE = 44;

export interface Placed {
  node: MapNode;
  /** How it is kept in an arrangement. */
  key: string;
  x: number;
  y: number;
  width: number;
  height: number;
  folded: boolean;
  /** The phase that it is drawn in. */
  within: string | null;
}

export interface Drawing {
  /** The script that is drawn. */
  root: MapNode;
  placed: Placed[];
  /** Which card an edge's end lies on, by the id of a node: an action lies on the card of its topic. */
  cardOf: Map<string, string>;
}

/** A name for a node that stays when others come and go around it. */
export function keyOf(tree: Tree, node: MapNode): string {
  const own = (node.kind === "action" ? node.label : node.detail || node.label) || String(node.index);
  const parent = node.parent === null ? undefined : tree.byId.get(node.parent);
  return parent ? `${keyOf(tree, parent)}/${own}` : `${node.file}:${node.kind}:${own}`;
}

/** What a script is called that is named by its id. */
export function calledOf(map: FlowMap, name: string): string {
  const found = map.nodes.find((node) => node.parent === null && node.detail === name && node.kind !== "session");
  return found ? found.label || name : name;
}

/** What people call a node: a step by what it says, everything else by its name. */
export function nameOf(node: MapNode): string {
  return (node.kind === "action" ? node.detail || node.label : node.label || node.detail).replace(/\s+/g, " ").trim();
}

export interface Tree {
  byId: Map<string, MapNode>;
  below: Map<string, MapNode[]>;
  lockedIn: Map<string, number>;
}

export function treeOf(map: FlowMap): Tree {
  const byId = new Map(map.nodes.map((node) => [node.id, node]));
  const below = new Map<string, MapNode[]>();
  for (const node of map.nodes) {
    if (node.parent === null) continue;
    const own = below.get(node.parent);
    if (own) own.push(node);
    else below.set(node.parent, [node]);
  }
  const lockedIn = new Map<string, number>();
  for (const { parent } of map.locked) if (parent !== null) lockedIn.set(parent, (lockedIn.get(parent) ?? 0) + 1);
  return { byId, below, lockedIn };
}

/** All actions of a topic as rows, those within others a step further in. */
export function rowsOf(tree: Tree, id: string, depth = 0): { node: MapNode; depth: number }[] {
  return (tree.below.get(id) ?? [])
    .filter((node) => node.kind === "action")
    .flatMap((node) => [{ node, depth }, ...rowsOf(tree, node.id, depth + 1)]);
}

export function heightOf(tree: Tree, node: MapNode, folded: boolean): number {
  if (folded || (node.kind !== "topic" && node.kind !== "technique")) return CARD.head;
  const rows = rowsOf(tree, node.id).length;
  return CARD.head + rows * CARD.row + (tree.lockedIn.get(node.id) ?? 0) * CARD.locked + CARD.foot;
}

/**
 * Where everything of a script is drawn. Order is what a script says, so order is what the eye follows: phases are
 * columns from left to right, topics stand in them from top to bottom, what watches lies above, what is called below.
 */
export function drawn(map: FlowMap, root: MapNode, arranged: Arrangement): Drawing {
  const tree = treeOf(map);
  const folded = new Set(arranged.folded);
  const placed: Placed[] = [];
  const cardOf = new Map<string, string>();

  const place = (
    node: MapNode,
    x: number,
    y: number,
    size: { width: number; height: number },
    within: string | null,
  ) => {
    const key = keyOf(tree, node);
    const moved = arranged.moved[key];
    placed.push({ node, key, x: moved?.x ?? x, y: moved?.y ?? y, ...size, folded: folded.has(key), within });
    cardOf.set(node.id, node.id);
    for (const { node: row } of rowsOf(tree, node.id)) cardOf.set(row.id, node.id);
  };
  const card = (node: MapNode, x: number, y: number, within: string | null): number => {
    const height = heightOf(tree, node, folded.has(keyOf(tree, node)));
    place(node, x, y, { width: CARD.width, height }, within);
    return height;
  };

  let x = 0;
  let lowest = 0;
  if (root.kind === "session") {
    const { watching } = around(map, root, tree);
    const top = watching.length ? CARD.head + LANE : 0;
    for (const [number, node] of watching.entries()) card(node, number * (CARD.width + CARD.gap), 0, null);
    for (const phase of tree.below.get(root.id) ?? []) {
      const isFolded = folded.has(keyOf(tree, phase));
      let y = PHASE_HEAD;
      const topics = isFolded ? [] : (tree.below.get(phase.id) ?? []).filter((node) => node.kind === "topic");
      const at = placed.length;
      for (const topic of topics) y += card(topic, CARD.pad, y, phase.id) + CARD.gap;
      const locked = isFolded ? 0 : (tree.lockedIn.get(phase.id) ?? 0) * CARD.locked;
      const height = isFolded ? PHASE_HEAD : y + locked + CARD.foot;
      place(phase, x, top, { width: COLUMN, height }, null);
      placed.splice(at, 0, placed.pop() as Placed);
      if (isFolded) for (const node of descendants(tree, phase.id)) cardOf.set(node.id, phase.id);
      x += COLUMN + BETWEEN;
      lowest = Math.max(lowest, top + height);
    }
    cardOf.set(root.id, (tree.below.get(root.id) ?? [])[0]?.id ?? root.id);
  } else {
    lowest = card(root, 0, 0, null);
  }
  const { called } = around(map, root, tree);
  for (const [number, node] of called.entries())
    card(node, number * (CARD.width + CARD.gap), lowest + LANE + CARD.gap, null);
  return { root, placed, cardOf };
}

/** What watches a script, and what it calls and shows, each once, in the order of the text. */
export function around(map: FlowMap, root: MapNode, tree = treeOf(map)): { watching: MapNode[]; called: MapNode[] } {
  const within = new Set([root.id, ...descendants(tree, root.id).map((node) => node.id)]);
  const watching = new Set<string>();
  const called = new Set<string>();
  for (const edge of map.edges) {
    if (!within.has(edge.from) || within.has(edge.to)) continue;
    (edge.kind === "watch" ? watching : called).add(edge.to);
  }
  for (const edge of map.edges)
    if (watching.has(edge.from) && edge.kind !== "watch" && !within.has(edge.to)) called.add(edge.to);
  const known = (ids: Set<string>) =>
    map.nodes.filter((node) => ids.has(node.id) && ["awareness", "technique", "form"].includes(node.kind));
  return { watching: known(watching), called: known(called).filter((node) => !watching.has(node.id)) };
}

export function descendants(tree: Tree, id: string): MapNode[] {
  return (tree.below.get(id) ?? []).flatMap((node) => [node, ...descendants(tree, node.id)]);
}
