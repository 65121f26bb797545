import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { createContext, type DragEvent, memo, useContext } from "react";
import type { FlowMap, Locked, MapNode } from "../text/shapes.js";
import type { CompanyState } from "../together/company.js";
import { besideOf } from "../together/context.js";
import { Icon } from "../words/icon.js";
import { said, useLabel, useWords } from "../words/speaking.js";
import { calledOf, nameOf, rowsOf, type Tree } from "./layout.js";

/** What all cards of a map share. */
export interface Shared {
  map: FlowMap;
  tree: Tree;
  lockedIn: Map<string, Locked[]>;
  sources: Set<string>;
  /** What watches all of the script that is drawn. */
  throughout: Set<string>;
  chosen: string | null;
  /** Which of all can be reached by the tabulator; the arrow keys lead to the others. */
  reachable: string | null;
  lit: Set<string>;
  coverage: Record<string, number> | null;
  company: CompanyState;
  readOnly: boolean;
  open(node: MapNode): void;
  menu(node: MapNode, at: HTMLElement): void;
  fold(node: MapNode): void;
  add(node: MapNode): void;
  goToLocked(locked: Locked): void;
  drag: {
    start(node: MapNode, event: DragEvent): void;
    over(node: MapNode, event: DragEvent<HTMLElement>): void;
    drop(node: MapNode, event: DragEvent): void;
    end(): void;
  };
}

export const SharedContext = createContext<Shared | null>(null);

function useShared(): Shared {
  const shared = useContext(SharedContext);
  if (!shared) throw new Error("A card stands outside a map.");
  return shared;
}

export type CardNode = Node<{ node: MapNode; folded: boolean }>;

/** A card that is moved is told so at every move, though it looks the same wherever it stands. */
function looksSame(before: NodeProps<CardNode>, now: NodeProps<CardNode>): boolean {
  return before.data === now.data;
}

function covered(shared: Shared, node: MapNode): string {
  if (!shared.coverage) return "";
  return shared.coverage[node.id] ? " ran" : " never-ran";
}

function Marks({ node, counts = false }: { node: MapNode; counts?: boolean }) {
  const { company } = useShared();
  const t = useWords();
  const { threads, conflicts, people } = besideOf(company, node.file, node.path);
  const names = [...new Set(people.filter((each) => !each.me).map((each) => each.name))];
  return (
    <>
      {!counts && <Badges badges={node.badges} />}
      {node.errors > 0 && (
        <Count kind="error" number={node.errors} words={t("findings.errors", { count: node.errors })} />
      )}
      {node.warnings > 0 && (
        <Count kind="warning" number={node.warnings} words={t("findings.warnings", { count: node.warnings })} />
      )}
      {threads.length > 0 && (
        <Count kind="comment" number={threads.length} words={t("threads.some", { count: threads.length })} />
      )}
      {conflicts.length > 0 && (
        <Count kind="conflict" number={conflicts.length} words={t("save.undecided", { count: conflicts.length })} />
      )}
      {names.map((name) => (
        <span key={name} className="badge here-at" title={t("here.looking", { names: name })}>
          {name}
        </span>
      ))}
    </>
  );
}

/** As many as leave room for the words of the step; of the others only how many they are, for whoever sees them. */
const SHOWN = 2;

function Badges({ badges }: { badges: MapNode["badges"] }) {
  const { map } = useShared();
  const label = useLabel();
  const words = ({ kind, text }: MapNode["badges"][number]) =>
    kind === "output" || kind === "form" || kind === "skill" || kind === "awareness"
      ? calledOf(map, text)
      : label("badges", kind);
  const others = badges.filter((badge) => badge.kind !== "output");
  const outputs = badges.filter((badge) => badge.kind === "output");
  const many = badges.length > SHOWN;
  const first = others.length ? others.slice(0, SHOWN) : outputs.slice(0, 1);
  const shown = many ? first : badges;
  const left = many ? [...others, ...outputs].filter((badge) => !first.includes(badge)).map(words) : [];
  return (
    <>
      {shown.map((badge) => (
        <span key={`${badge.kind}${badge.text}`} className={`badge ${badge.kind}`} title={badge.text}>
          {words(badge)}
        </span>
      ))}
      {many && (
        <span className="badge output" title={left.join(" · ")}>
          <span aria-hidden="true">+{left.length}</span>
          <span className="hidden"> {left.join(" ")}</span>
        </span>
      )}
    </>
  );
}

function Count({
  kind,
  number,
  words,
}: {
  kind: "error" | "warning" | "comment" | "conflict";
  number: number;
  words: string;
}) {
  return (
    <span className={`count ${kind}`} title={words}>
      <span aria-hidden="true">{number}</span>
      <span className="hidden">{words}</span>
    </span>
  );
}

function Grip({ node }: { node: MapNode }) {
  const shared = useShared();
  const t = useWords();
  if (shared.readOnly || node.list === null) return null;
  return (
    <span
      className="grip nodrag nopan"
      draggable
      title={t("flow.grip")}
      aria-hidden="true"
      onDragStart={(event) => shared.drag.start(node, event)}
      onDragEnd={shared.drag.end}
    >
      <Icon name="grip" />
    </span>
  );
}

function More({ node }: { node: MapNode }) {
  const { menu } = useShared();
  const t = useWords();
  return (
    <button
      type="button"
      className="more nodrag nopan"
      tabIndex={-1}
      aria-label={t("flow.menuOf", { name: nameOf(node) })}
      onClick={(event) => menu(node, event.currentTarget)}
    >
      <Icon name="more" />
    </button>
  );
}

/** The name of a node, by which it is chosen, opened and reached. */
function Name({ node, children }: { node: MapNode; children: React.ReactNode }) {
  const { chosen, reachable, open, menu } = useShared();
  return (
    <button
      type="button"
      className="name nopan"
      data-node={node.id}
      tabIndex={reachable === node.id ? 0 : -1}
      aria-pressed={chosen === node.id}
      onClick={() => open(node)}
      onContextMenu={(event) => {
        event.preventDefault();
        menu(node, event.currentTarget);
      }}
    >
      {children}
    </button>
  );
}

function Row({ node, depth }: { node: MapNode; depth: number }) {
  const shared = useShared();
  const label = useLabel();
  const chosen = shared.chosen === node.id ? " chosen" : "";
  const lit = shared.lit.has(node.id) ? " lit" : "";
  return (
    <li
      className={`row depth-${Math.min(depth, 3)}${chosen}${lit}${covered(shared, node)}`}
      onDragOver={(event) => shared.drag.over(node, event)}
      onDrop={(event) => shared.drag.drop(node, event)}
    >
      <Grip node={node} />
      <Name node={node}>
        <span className="icon-of" title={label("types", node.type)}>
          <Icon name={node.type} />
          <span className="hidden">{label("types", node.type)} </span>
        </span>
        <span className="row-text">{calledOf(shared.map, nameOf(node)) || label("types", node.type)}</span>
        <Marks node={node} />
      </Name>
      <More node={node} />
      {shared.sources.has(node.id) && (
        <Handle type="source" id={node.id} position={Position.Right} isConnectable={false} />
      )}
    </li>
  );
}

function LockedRow({ locked }: { locked: Locked }) {
  const { goToLocked } = useShared();
  const t = useWords();
  return (
    <li className="locked">
      <button type="button" className="name nodrag nopan" onClick={() => goToLocked(locked)}>
        <Icon name="lock" />
        <span>
          {t("flow.locked", { line: locked.line })} <small>{said(locked.reason)}</small>
        </span>
      </button>
    </li>
  );
}

function Ends() {
  return (
    <>
      <Handle type="target" id="in" position={Position.Left} isConnectable={false} />
      <Handle type="target" id="top" position={Position.Top} isConnectable={false} />
      <Handle type="source" id="out" position={Position.Right} isConnectable={false} />
      <Handle type="source" id="bottom" position={Position.Bottom} isConnectable={false} />
    </>
  );
}

function FoldButton({ node, folded }: { node: MapNode; folded: boolean }) {
  const { fold } = useShared();
  const t = useWords();
  return (
    <button
      type="button"
      className="fold nodrag nopan"
      tabIndex={-1}
      aria-label={t(folded ? "flow.unfold" : "flow.fold", { name: nameOf(node) })}
      onClick={() => fold(node)}
    >
      <Icon name={folded ? "shut" : "open"} />
    </button>
  );
}

function AddButton({ node, text }: { node: MapNode; text: string }) {
  const { add, readOnly } = useShared();
  if (readOnly) return null;
  return (
    <button type="button" className="add nodrag nopan" tabIndex={-1} onClick={() => add(node)}>
      ＋ {text}
    </button>
  );
}

/** A topic or a technique: its name, and its steps one under the other. */
export const StepsCard = memo(function StepsCard({ data }: NodeProps<CardNode>) {
  const shared = useShared();
  const t = useWords();
  const label = useLabel();
  const { node, folded } = data;
  const rows = folded ? [] : rowsOf(shared.tree, node.id);
  const chosen = shared.chosen === node.id ? " chosen" : "";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: things are dropped here; by keyboard they are moved otherwise
    <section
      className={`card ${node.kind}${chosen}${covered(shared, node)}`}
      onDragOver={(event) => shared.drag.over(node, event)}
      onDrop={(event) => shared.drag.drop(node, event)}
    >
      <Ends />
      <header>
        <FoldButton node={node} folded={folded} />
        <Name node={node}>
          <span className="card-name">
            <span className="card-kind">{label("kinds", node.kind)}</span>
            <span className="card-title">{nameOf(node)}</span>
          </span>
          <Marks node={node} />
        </Name>
        <Grip node={node} />
        <More node={node} />
      </header>
      {!folded && (
        <>
          <ul>
            {rows.map((row) => (
              <Row key={row.node.id} {...row} />
            ))}
            {(shared.lockedIn.get(node.id) ?? []).map((locked) => (
              <LockedRow key={`${locked.file}${locked.line}`} locked={locked} />
            ))}
          </ul>
          <AddButton node={node} text={t("flow.addStep")} />
        </>
      )}
    </section>
  );
}, looksSame);

/** A phase: a column in which its topics stand. */
export const PhaseCard = memo(function PhaseCard({ data }: NodeProps<CardNode>) {
  const shared = useShared();
  const t = useWords();
  const label = useLabel();
  const { node, folded } = data;
  const chosen = shared.chosen === node.id ? " chosen" : "";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: things are dropped here; by keyboard they are moved otherwise
    <section
      className={`card phase${chosen}`}
      onDragOver={(event) => shared.drag.over(node, event)}
      onDrop={(event) => shared.drag.drop(node, event)}
    >
      <Ends />
      <header>
        <FoldButton node={node} folded={folded} />
        <Name node={node}>
          <span className="card-name">
            <span className="card-kind">{label("kinds", "phase")}</span>
            <span className="card-title">{nameOf(node)}</span>
          </span>
          <Marks node={node} />
        </Name>
        <Grip node={node} />
        <More node={node} />
      </header>
      {!folded && (
        <div className="phase-foot">
          <ul>
            {(shared.lockedIn.get(node.id) ?? []).map((locked) => (
              <LockedRow key={`${locked.file}${locked.line}`} locked={locked} />
            ))}
          </ul>
          <AddButton node={node} text={t("flow.addTopic")} />
        </div>
      )}
    </section>
  );
}, looksSame);

/** Something that is drawn by its name alone: what watches, a form. */
export const SmallCard = memo(function SmallCard({ data }: NodeProps<CardNode>) {
  const shared = useShared();
  const label = useLabel();
  const t = useWords();
  const { node } = data;
  const chosen = shared.chosen === node.id ? " chosen" : "";
  return (
    <section className={`card small ${node.kind}${chosen}${covered(shared, node)}`}>
      <Ends />
      <header>
        <span className="icon-of">
          <Icon name={node.kind} />
        </span>
        <Name node={node}>
          <span className="card-name">
            <span className="card-kind">
              {label("kinds", node.kind)}
              {shared.throughout.has(node.id) && ` · ${t("flow.throughout")}`}
            </span>
            <span className="card-title">{nameOf(node)}</span>
          </span>
          <Marks node={node} counts />
        </Name>
        <More node={node} />
      </header>
    </section>
  );
}, looksSame);

export const cardTypes = { steps: StepsCard, phase: PhaseCard, small: SmallCard };
