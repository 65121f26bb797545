import type { Item } from "./shapes.js";

export const FILTERS = ["waiting", "mine", "held", "all", "ended"] as const;
/** Behind every time. */
const LAST = "9999";
export type Filter = (typeof FILTERS)[number];

export function isOver({ status }: Item): boolean {
  return status === "ended" || status === "archived";
}

/** Somebody may be needed, and nobody of us is with them. */
export function waits(item: Item): boolean {
  return item.holder === null && item.reasons.some((reason) => reason !== "taken_over");
}

/** In danger that nobody has cleared, whoever is with them. */
export function inDanger(item: Item): boolean {
  return !isOver(item) && item.reasons.includes("crisis");
}

/** This counsellor is who talks with them. */
export function inMyHands(item: Item): boolean {
  return item.holder?.me === true && !isOver(item);
}

/** A colleague has given them to this counsellor, who has not come yet. */
export function isGivenToMe(item: Item): boolean {
  return item.assigned?.to.me === true && !item.holder?.me && !isOver(item);
}

/** They wait for this counsellor: for an answer, or to be taken over. */
export function asksMe(item: Item): boolean {
  return (inMyHands(item) && item.waiting_since !== null) || isGivenToMe(item);
}

export function isMine(item: Item): boolean {
  return item.holder?.me === true || (item.assigned?.to.me === true && item.holder === null);
}

/** What a filter shows, in the order in which it is to be done: who may be in danger, then who waits longest. */
export function shown(items: Iterable<Item>, filter: Filter): Item[] {
  return [...items].filter((item) => belongs(item, filter)).sort(filter === "ended" ? byEnd : byNeed);
}

function belongs(item: Item, filter: Filter): boolean {
  if (filter === "ended") return isOver(item);
  if (filter === "waiting") return waits(item) || asksMe(item);
  if (filter === "mine") return isMine(item) && !(isOver(item) && item.holder === null);
  if (filter === "held") return item.holder !== null && !item.holder.me;
  return !isOver(item);
}

function byNeed(one: Item, other: Item): number {
  return rank(one) - rank(other) || longest(one, other) || latest(one, other);
}

/** 0: in danger, and nobody is there, or they wait for my answer. 1: called for, and nobody is there. 2: in danger, with
 * somebody, or seen. 3: nobody is with them. 4: they wait for an answer of ours, or were given to this counsellor. 5: the rest. */
function rank(item: Item): number {
  if (inDanger(item) && (item.urgent || asksMe(item))) return 0;
  if (item.urgent) return 1;
  if (inDanger(item)) return 2;
  if (waits(item)) return 3;
  return item.waiting_since || isGivenToMe(item) ? 4 : 5;
}

/** Who waits before who does not. */
function longest(one: Item, other: Item): number {
  return (waitingSince(one) ?? LAST).localeCompare(waitingSince(other) ?? LAST);
}

function latest(one: Item, other: Item): number {
  return other.last_active_at.localeCompare(one.last_active_at);
}

function byEnd(one: Item, other: Item): number {
  return (other.ended_at ?? other.last_active_at).localeCompare(one.ended_at ?? one.last_active_at);
}

/** Since when they wait for somebody. */
export function waitingSince(item: Item): string | null {
  return item.waiting_since ?? (waits(item) ? item.since : null);
}

/** How many want this counsellor: nobody is with them, they wait for this one's answer, or were given to this one. */
export function wanted(items: Iterable<Item>): number {
  return [...items].filter((item) => item.urgent || asksMe(item)).length;
}
