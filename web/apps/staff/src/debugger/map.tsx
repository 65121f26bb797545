import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Breakpoint, Node, State } from "./shapes.js";

/** A topic or a technique with its actions. */
interface Card {
  node: Node;
  actions: Node[];
}

/** A phase with its topics; techniques stand behind the phases, in a column of their own. */
interface Column {
  node: Node | null;
  cards: Card[];
}

export function columnsOf(nodes: readonly Node[]): Column[] {
  const columns: Column[] = [];
  const techniques: Card[] = [];
  let card: Card | null = null;
  for (const node of nodes) {
    if (node.kind === "phase") columns.push({ node, cards: [] });
    else if (node.kind === "topic" || node.kind === "technique") {
      card = { node, actions: [] };
      if (node.kind === "technique") techniques.push(card);
      else (columns.at(-1) ?? columns[columns.push({ node: null, cards: [] }) - 1])?.cards.push(card);
    } else if (node.kind === "action") card?.actions.push(node);
  }
  return techniques.length ? [...columns, { node: null, cards: techniques }] : columns;
}

interface Shown {
  nodes: readonly Node[];
  state: State;
  onGo(node: Node): void;
}

/** The script as a map: a column a phase, a card a topic, a row an action. What runs is marked and in sight; so is where
 * it will be held. */
export function ScriptMap({ nodes, state, onGo }: Shown) {
  const { t } = useTranslation("debugger");
  const field = useRef<HTMLDivElement>(null);
  const held = new Set(state.stack.map((frame) => `${frame.kind} ${frame.id}`));
  const top = state.stack.find((frame) => frame.kind === "action");
  const here = top ? `${top.kind} ${top.id}` : "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is brought into sight
  useEffect(() => {
    const row = field.current?.querySelector<HTMLElement>("[aria-current=step]");
    row?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [here]);
  const point = (node: Node): Breakpoint | undefined =>
    state.breakpoints.find(
      (each) => each.on === "line" && each.file === node.at.file && placed(state, each) === node.at.line,
    );

  return (
    <section ref={field} className="debug-map" aria-label={t("map")}>
      {columnsOf(nodes).map(({ node: phase, cards }) => (
        <section key={phase ? phase.ref : "techniques"} className={stands(held, phase)}>
          <h3>{phase ? phase.name || phase.id : t("techniques")}</h3>
          {cards.map(({ node, actions }) => (
            <div key={`${node.kind} ${node.ref}`} className={`debug-card ${stands(held, node)}`}>
              <h4>{node.name || node.id}</h4>
              <ul>
                {actions.map((action) => {
                  const runs = here === `action ${action.id}`;
                  return (
                    <li key={`${action.ref} ${action.id}`}>
                      <button
                        type="button"
                        className={runs ? "running" : ""}
                        aria-current={runs ? "step" : undefined}
                        onClick={() => onGo(action)}
                      >
                        {point(action) && (
                          <span className="debug-dot" role="img" aria-label={t("breakpoint")}>
                            ●
                          </span>
                        )}
                        {action.id} <span className="soft">{action.type}</span>
                      </button>
                    </li>
                  );
                })}
              </ul>
            </div>
          ))}
        </section>
      ))}
    </section>
  );
}

function stands(held: ReadonlySet<string>, node: Node | null): string {
  return node && held.has(`${node.kind} ${node.id}`) ? "within" : "";
}

function placed(state: State, point: Breakpoint): number {
  return state.placed.find((each) => each.id === point.id)?.line || point.line || 0;
}
