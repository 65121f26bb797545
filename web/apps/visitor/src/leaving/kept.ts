/** The sessions that this device can open. One entry a session, so that two tabs never write over each other's. */
import type { Created, Session } from "@heartrule/sdk";
import { lasts, readJson, store, writeJson } from "../shell/storage.js";
import { claims } from "./token.js";

export interface Kept {
  id: string;
  token: string;
  name: string;
  script: string;
  locale: string;
  status: Session["status"] | "paused" | "gone";
  /** When something last happened in it, as the server says it. */
  last: string;
  /** When the notice was last read on this device; 0: never. */
  noticed: number;
}

const SESSION = "heartrule.visitor.session.";
const DRAFT = "heartrule.draft.";
const PERSON = "heartrule.visitor.person";
/** What lasts as long as a tab: some of the chat's own things may lie there. */
const passing = store.typed;

export function person(): string | null {
  return store.get(PERSON);
}

export function kept(id: string): Kept | null {
  return readJson(SESSION + id, isKept);
}

/** The last one first. */
export function allKept(): Kept[] {
  return store
    .keys(SESSION)
    .map((key) => readJson(key, isKept))
    .filter((found) => found !== null)
    .sort((one, other) => (one.last < other.last ? 1 : -1));
}

/** Calls `act` when another tab forgets the session; of `null`, when it forgets any. */
export function whenForgotten(id: string | null, act: () => void, signal: AbortSignal): void {
  const watcher = { id, act };
  watchers.add(watcher);
  signal.addEventListener("abort", () => watchers.delete(watcher));
}

const watchers = new Set<{ id: string | null; act: () => void }>();

/** What another tab forgot is neither shown nor kept in this one. Heard once for the whole page, because what has been
 * typed into a session lies in this tab's own storage, whatever the page shows now. */
export function forgetAlong(): void {
  addEventListener("storage", ({ key, newValue }) => {
    if (key === null) sweep();
    else if (key.startsWith(SESSION) && newValue === null) along(key.slice(SESSION.length));
  });
  // A page that was put away or not loaded was told nothing.
  addEventListener("pageshow", ({ persisted }) => persisted && sweep());
  if (lasts()) sweep();
}

function along(id: string): void {
  // First those who might still write.
  for (const watcher of [...watchers]) if (watcher.id === id) watcher.act();
  clear(id);
  for (const watcher of [...watchers]) if (watcher.id === null) watcher.act();
}

function sweep(): void {
  const typed = passing.keys(DRAFT).map((key) => key.slice(DRAFT.length));
  const shown = [...watchers].flatMap(({ id }) => (id === null ? [] : [id]));
  for (const id of new Set([...typed, ...shown])) if (!kept(id)) along(id);
  for (const watcher of [...watchers]) if (watcher.id === null) watcher.act();
}

/** Whether something lies here that was typed in it, or said, and has not arrived. */
export function hasUnsaid(id: string): boolean {
  return passing.get(DRAFT + id) !== null || store.keys(`heartrule.outbox.${id}.`).length > 0;
}

/** A session that was just made, after the notice had been read. */
export function keep(created: Created): void {
  if (created.person_token) store.set(PERSON, created.person_token);
  write({ ...described(created.session), token: created.token, noticed: Date.now() });
}

/** A session opened with a link. A token that is good for longer stays; who comes by a link is told once more what this is. */
export function keepReturned(session: Session, token: string): void {
  const before = kept(session.id);
  const longer = before !== null && (claims(before.token)?.expires ?? 0) > (claims(token)?.expires ?? 0);
  write({ ...described(session), token: longer ? before.token : token, noticed: before?.noticed ?? 0 });
}

/** Brings an entry up to date; one that was forgotten meanwhile stays forgotten. */
export function update(session: Session): void {
  const before = kept(session.id);
  if (!before) return;
  // A session that cannot be restored has lost its name, and is called by its script's id.
  const name = isNamed(session) ? session.name : before.name;
  write({ ...before, ...described(session), name });
}

export function isNamed({ name, script }: Pick<Session, "name" | "script">): boolean {
  return name !== script;
}

export function markGone(id: string): void {
  const before = kept(id);
  if (before) write({ ...before, status: "gone" });
}

export function markNoticed(id: string, at = Date.now()): void {
  const before = kept(id);
  if (before) write({ ...before, noticed: at });
}

/** What opens it: its own token while that lasts, else the person's. */
export function opener(entry: Kept, now = Date.now()): string {
  const expires = claims(entry.token)?.expires;
  return expires !== undefined && expires <= now ? (person() ?? entry.token) : entry.token;
}

/** Leaves nothing of a session on this device: its token, drafts, outbox, whatever bears its id. The person's token goes
 * too, because it opens the session as well; unless nothing is left that it could open (`person`: it stays). */
export function forget(id: string, person: string | null = null): void {
  clear(id);
  if (person === null) store.remove(PERSON);
}

function clear(id: string): void {
  for (const area of [store, passing]) {
    for (const key of area.keys("heartrule.")) if (key.split(".").includes(id)) area.remove(key);
  }
}

export function forgetAll(): void {
  for (const { id } of allKept()) forget(id);
  store.remove(PERSON);
}

function described(session: Session): Omit<Kept, "token" | "noticed"> {
  const { id, name, script, locale, last_active_at: last } = session;
  const held = session.status !== "ended" && session.status !== "archived";
  return { id, name, script, locale, status: session.paused && held ? "paused" : session.status, last };
}

function write(entry: Kept): void {
  writeJson(SESSION + entry.id, entry);
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== "object" || value === null) return false;
  const { id, token, name, script, locale, status, last, noticed } = value as Record<string, unknown>;
  const texts = [id, token, name, script, locale, status, last];
  return texts.every((text) => typeof text === "string") && typeof noticed === "number";
}
