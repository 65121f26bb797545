import type { Opened } from "../project/opened.js";
import type { Accepts, FlowMap, Kind, MapNode, Path } from "../text/shapes.js";

/** The lists at the top of a file, by what stands in them. */
export const ROOTS: Partial<Record<Accepts, string>> = {
  form: "forms",
  awareness: "awareness",
  technique: "skills",
};

/** A place in a list where something can be put. */
export interface Slot {
  file: string;
  list: Path;
  index: number;
  accepts: Accepts;
}

export function acceptsOf(kind: Kind): Accepts | null {
  return kind === "session" || kind === "variables" ? null : kind;
}

/** Where something is put behind a node, among those like it. */
export function after(node: MapNode): Slot | null {
  const accepts = acceptsOf(node.kind);
  return node.list && accepts ? { file: node.file, list: node.list, index: node.index + 1, accepts } : null;
}

/** Where something is put at the end of what a node holds. */
export function within(map: FlowMap, node: MapNode, accepts?: Accepts): Slot | null {
  const child = node.children.find((each) => !accepts || each.accepts === accepts);
  if (!child) return null;
  return { file: node.file, list: child.path, index: lengthOf(map, node, child.path), accepts: child.accepts };
}

function lengthOf(map: FlowMap, node: MapNode, list: Path): number {
  const own = map.nodes.filter((each) => each.parent === node.id && same(each.list, list));
  const locked = map.locked.filter((each) => each.path && same(each.path.slice(0, -1), list));
  return Math.max(0, ...own.map((each) => each.index + 1), ...locked.map((each) => Number(each.path?.at(-1)) + 1));
}

/** Where a new script of a kind goes: to others of its kind, else into the file that is drawn. */
export function rootSlot(map: FlowMap, accepts: Accepts, file: string): Slot | null {
  const key = ROOTS[accepts];
  if (!key) return null;
  const like = map.nodes.filter((node) => node.parent === null && node.kind === accepts);
  const here = like.filter((node) => node.file === file);
  const last = (here.length ? here : like).at(-1);
  if (last?.list) return { file: last.file, list: last.list, index: last.index + 1, accepts };
  return { file, list: [0, key], index: 0, accepts };
}

export function same(one: Path | null, other: Path | null): boolean {
  return !!one && !!other && one.length === other.length && one.every((part, at) => part === other[at]);
}

/** The operations that a person asks for on a node of the map. */
export class Acting {
  constructor(private readonly opened: Opened) {}

  insert(slot: Slot, item: string): Promise<Path | null> {
    return this.opened.operate(slot.file, { kind: "insert", path: slot.list, index: slot.index, item });
  }

  remove(node: MapNode): Promise<Path | null> {
    return this.opened.operate(node.file, { kind: "delete", path: node.path });
  }

  duplicate(node: MapNode): Promise<Path | null> {
    return this.opened.operate(node.file, { kind: "duplicate", path: node.path });
  }

  move(node: MapNode, to: Path, index: number): Promise<Path | null> {
    return this.opened.operate(node.file, { kind: "move", path: node.path, to, index });
  }

  /** A step up (-1) or down (1): within its list, else into the one beside it. */
  step(map: FlowMap, node: MapNode, by: -1 | 1): Promise<Path | null> {
    const to = stepOf(map, node, by);
    return to ? this.move(node, to.list, to.index) : Promise.resolve(null);
  }

  extract(node: MapNode, count: number, name: string, id: string, goal: string): Promise<Path | null> {
    const path = node.list ?? [];
    const [first, last] = [node.index, node.index + count - 1];
    return this.opened.operate(node.file, { kind: "extract_to_technique", path, first, last, id, name, goal });
  }
}

/** Where a node comes to by one step; null at the very end. */
export function stepOf(map: FlowMap, node: MapNode, by: -1 | 1): { list: Path; index: number } | null {
  if (!node.list) return null;
  const siblings = map.nodes.filter((each) => each.file === node.file && same(each.list, node.list));
  const next = siblings.find((each) => each.index === node.index + by);
  if (next) return { list: node.list, index: by < 0 ? next.index : next.index + 1 };
  const parents = map.nodes.filter((each) => each.file === node.file && each.children.length > 0);
  const own = parents.findIndex((each) => each.id === node.parent);
  const parent = parents[own];
  if (!parent) return null;
  const beside = (by < 0 ? parents.slice(0, own).reverse() : parents.slice(own + 1)).find(
    (each) => each.kind === parent.kind && each.children.some((child) => child.accepts === node.kind),
  );
  const child = beside?.children.find((each) => each.accepts === node.kind);
  if (!beside || !child) return null;
  return { list: child.path, index: by < 0 ? lengthOf(map, beside, child.path) : 0 };
}

/** Whether one thing can be put where another stands: steps among steps, topics among topics. */
export function fits(dragged: MapNode, onto: MapNode): boolean {
  return (
    dragged.file === onto.file &&
    dragged.id !== onto.id &&
    !onto.id.startsWith(`${dragged.id}/`) &&
    (dragged.kind === onto.kind || onto.children.some((child) => child.accepts === dragged.kind))
  );
}

/** Where something that is dropped on a node is put: before or after it among those like it, else into it at the end. */
export function dropped(map: FlowMap, dragged: MapNode, onto: MapNode, before: boolean): Slot | null {
  if (!fits(dragged, onto)) return null;
  if (dragged.kind === onto.kind && onto.list) {
    const accepts = acceptsOf(onto.kind);
    return accepts && { file: onto.file, list: onto.list, index: before ? onto.index : onto.index + 1, accepts };
  }
  return within(map, onto, acceptsOf(dragged.kind) ?? undefined);
}
