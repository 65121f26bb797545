import type { Both, Json, Path } from "../text/shapes.js";

/** What the API says of several people who write one project. */

export interface Person {
  id: string;
  name: string;
  me: boolean;
}

export interface Group {
  id: string;
  name: string;
  members: string[];
  mine: boolean;
}

export type Level = "read" | "write";

export interface Share {
  who: string;
  level: Level;
}

export interface Spot {
  file: string;
  path: Path;
}

export interface Comment {
  number: number;
  author: string;
  name: string;
  mine: boolean;
  at: string;
  text: string;
  mentions: string[];
}

export interface Thread {
  id: string;
  resolved: boolean;
  created_at: string;
  /** Where its node stands in the texts that were asked about. */
  spot: Spot | null;
  last: Spot;
  comments: Comment[];
}

/** Somebody else's tab, or another one of one's own. */
export interface HerePerson {
  tab: string;
  who: string;
  name: string;
  me: boolean;
  file: string | null;
  path: Path;
  editing: boolean;
}

export interface Change {
  kind: string;
  file: string;
  path: Path;
  says: Both;
}

export interface Conflict {
  file: string;
  number: number;
  path: Path;
  kind: "value" | "gone" | "place" | "order";
  /** Where the node that it is about stands in what is written here. */
  node: Path;
  base: Json;
  ours: Json;
  theirs: Json;
  taken: boolean;
}

export interface Merged {
  version: number;
  author: string;
  texts: Record<string, string | null>;
  conflicts: Conflict[];
}

export interface Written {
  first: number;
  last: number;
  version: number;
  author: string;
  at: string;
  note: string;
}

export interface Origin {
  origin: string | null;
  name: string;
  there: boolean;
  changes: Change[];
}
