/** What the workbench's API answers; positions as the Language Server Protocol has them. */

export type Path = readonly (string | number)[];
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface TextEdit {
  range: Range;
  newText: string;
}

/** Edits by the path of the file; a path that is not there yet is a new file. */
export interface Edit {
  changes: Record<string, TextEdit[]>;
}

export interface Both {
  zh: string;
  en: string;
}

export interface Script {
  id: string;
  name: string;
  file: string;
  locale: string | null;
}

export interface Project {
  id: string;
  name: string;
  origin: "store" | "folder" | "library";
  slug: string;
  writable: boolean;
  /** Whose it is, and may share it. */
  mine: boolean;
  version: number;
  author: string | null;
  updated_at: string | null;
  scripts: Script[];
}

export interface Version {
  number: number;
  author: string;
  at: string;
  note: string;
  changed: string[];
}

export interface Draft {
  tab: string;
  at: string;
  base: number;
  texts: Record<string, string | null>;
}

export interface OtherTab {
  tab: string;
  at: string;
  paths: string[];
}

export interface Mend {
  title: string;
  safe: boolean;
  edits: TextEdit[];
  /** What is edited, which may be another file than the one that the finding is in. */
  file: string;
}

export interface Finding {
  file: string;
  code: string;
  severity: "error" | "warning";
  message: string;
  hint: string;
  /** The key or the name that is spoken of; empty where it is not known. */
  about: string;
  range: Range;
  path: Path | null;
  mend: Mend | null;
}

export type Kind = "session" | "phase" | "topic" | "action" | "technique" | "awareness" | "form" | "variables";

export type BadgeKind =
  | "condition"
  | "repeat"
  | "for_each"
  | "sensitive"
  | "output"
  | "skill"
  | "form"
  | "awareness"
  | "done_when"
  | "transitions"
  | "priority";

export interface MapNode {
  id: string;
  kind: Kind;
  /** Of an action; else empty. */
  type: string;
  parent: string | null;
  file: string;
  path: Path;
  list: Path | null;
  index: number;
  range: Range;
  label: string;
  detail: string;
  badges: { kind: BadgeKind; text: string }[];
  errors: number;
  warnings: number;
  children: { key: string; path: Path; accepts: "phase" | "topic" | "action" }[];
}

export interface MapEdge {
  kind: "next" | "jump" | "loop" | "call" | "watch" | "order" | "form";
  from: string;
  /** The id of a node, `end`, or `?name` where nothing is called so. */
  to: string;
  label: string;
  file: string;
  path: Path;
  range: Range;
}

export interface Locked {
  file: string;
  path: Path | null;
  parent: string | null;
  line: number;
  range: Range;
  reason: Both;
  hint: Both | null;
  text: string;
}

export interface FlowMap {
  files: Record<string, string>;
  nodes: MapNode[];
  edges: MapEdge[];
  locked: Locked[];
}

export type ControlKind =
  | "line"
  | "text"
  | "template"
  | "number"
  | "integer"
  | "boolean"
  | "plain"
  | "choice"
  | "duration"
  | "condition"
  | "expression"
  | "reference"
  | "variable"
  | "names"
  | "lines"
  | "outputs"
  | "items"
  | "mapping"
  | "yaml";

export type Referent = "skill" | "form" | "awareness" | "topic" | "variable";

/** A field without what stands in it: of an item of a list, or of a mapping. */
export interface FieldShape {
  key: string;
  help: Both | null;
  required: boolean;
  default: Json;
  control: ControlKind;
  options: string[] | null;
  minimum: number | null;
  maximum: number | null;
  of: Referent | null;
  /** What options of other projects are called. */
  named?: Record<string, string>;
  item: { control: ControlKind; fields: FieldShape[] } | null;
  more: boolean;
  /** Of what an awareness script watches for: the words that count without a model; null where its rules are more. */
  words?: { plain: string[] | null; patterns: string[] };
}

export interface Field extends FieldShape {
  present: boolean;
  value: Json;
  text: string;
  range: Range | null;
  findings: Finding[];
  raw: boolean;
}

export interface Fields {
  file: string;
  path: Path;
  hash: string;
  kind: Kind;
  type: string;
  title: string;
  about: Both | null;
  fields: Field[];
  /** What is wrong with the node as a whole, or with what it has no field for. */
  findings: Finding[];
}

export interface At {
  file: string;
  range: Range;
  node: string | null;
}

export interface Variable {
  name: string;
  key: string;
  type: string;
  define: string;
  scope: string;
  declared: At[];
  written: At[];
  read: At[];
}

export interface Dependencies {
  nodes: {
    id: string;
    kind: "session" | "technique" | "awareness" | "form";
    name: string;
    project: string;
    file: string;
    range: Range | null;
  }[];
  edges: {
    from: string;
    to: string;
    kind: "calls" | "watches" | "shows" | "orders";
    places: { file: string; range: Range }[];
  }[];
}

export type Operation =
  | { kind: "insert"; path: Path; index: number; item: Json }
  | { kind: "move"; path: Path; to: Path; index: number }
  | { kind: "delete"; path: Path }
  | { kind: "duplicate"; path: Path }
  | { kind: "set"; path: Path; value: Json }
  | { kind: "set_text"; path: Path; text: string }
  | { kind: "words"; path: Path; words: string[] }
  | { kind: "rename"; path: Path; name: string }
  | { kind: "rename"; position: Position; name: string }
  | { kind: "extract_to_technique"; path: Path; first: number; last: number; id: string; name: string; goal: string };

export interface Operated {
  edit: Edit;
  hash: string;
  select: Path | null;
}

export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "contains" | "known" | "unknown";

export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { var: string; op: Operator; value?: Json }
  | { expr: string };

export interface ReadCondition {
  tree: Condition | null;
  text: string;
  error: Both | null;
}

export interface Template {
  id: string;
  name: Both;
  about: Both;
  locales: string[];
}

export type Accepts = "action" | "topic" | "phase" | "form" | "awareness" | "technique";

export interface Block {
  id: string;
  name: Both;
  about: Both;
  accepts: Accepts;
  item: string;
}

export interface Coverage {
  at: string | null;
  nodes: Record<string, number>;
}

export interface TestRun {
  passed: number;
  failed: number;
  cases: { name: string; file: string; passed: boolean; told: string }[];
  at: string;
}
