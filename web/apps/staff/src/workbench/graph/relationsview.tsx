import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { useEffect, useMemo, useState } from "react";
import { nameOf } from "../flow/layout.js";
import { useAsked, useHere } from "../project/context.js";
import { useKnown } from "../project/names.js";
import type { Dependencies } from "../text/shapes.js";
import { useLabel, useWords } from "../words/speaking.js";
import { arrangedBy } from "./elk.js";

const WIDTH = 210;
const HEIGHT = 58;
const EVERYTHING = {};

type ScriptNode = Node<{ script: Dependencies["nodes"][number]; open(): void }>;

/** Which script calls which: sessions, techniques, awareness and forms, over all files. */
export function RelationsView() {
  const { draw, goTo, opened } = useHere();
  const t = useWords();
  const label = useLabel();
  const asked = useAsked<Dependencies>("dependencies", EVERYTHING);
  const { map } = useKnown();
  const called = useMemo(() => {
    const names = new Map((map?.nodes ?? []).map((node) => [`${node.kind}:${node.detail}`, nameOf(node)]));
    return (script: Dependencies["nodes"][number]) => names.get(`${script.kind}:${script.name}`) ?? script.name;
  }, [map]);
  const [places, setPlaces] = useState<Map<string, { x: number; y: number }>>(new Map());
  const graph = asked.answer;
  useEffect(() => {
    if (!graph) return;
    let over = false;
    arrangedBy(
      graph.nodes.map((node) => ({ id: node.id, width: WIDTH, height: HEIGHT })),
      graph.edges.map((edge) => ({ from: edge.from, to: edge.to })),
    ).then(
      (found) => !over && setPlaces(found),
      () => !over && setPlaces(new Map(graph.nodes.map((node, at) => [node.id, { x: 0, y: at * (HEIGHT + 20) }]))),
    );
    return () => {
      over = true;
    };
  }, [graph]);
  const nodes: ScriptNode[] = useMemo(
    () =>
      (graph?.nodes ?? []).map((script) => ({
        id: script.id,
        type: "script",
        position: places.get(script.id) ?? { x: 0, y: 0 },
        width: WIDTH,
        height: HEIGHT,
        data: {
          script: { ...script, name: called(script) },
          open: () => {
            if (!opened.book.has(script.file)) return;
            if (
              script.kind === "awareness" ||
              script.kind === "form" ||
              script.kind === "technique" ||
              script.kind === "session"
            )
              draw(`${script.kind}:${script.name}`);
            else goTo(script.file);
          },
        },
        focusable: false,
        selectable: false,
      })),
    [graph, places, draw, goTo, opened, called],
  );
  const edges: Edge[] = useMemo(
    () =>
      (graph?.edges ?? []).map((edge) => ({
        id: `${edge.kind}:${edge.from}:${edge.to}`,
        source: edge.from,
        target: edge.to,
        className: `arrow ${edge.kind}`,
        label: t(`relations.${edge.kind}`),
        focusable: false,
        markerEnd: { type: MarkerType.ArrowClosed, color: "context-stroke" },
      })),
    [graph, t],
  );
  if (!graph) return <p className="soft inset">{asked.failed ?? t("wait")}</p>;
  return (
    <div className="flow relations">
      {places.size > 0 && (
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          fitView
          fitViewOptions={{ maxZoom: 1 }}
          minZoom={0.1}
          proOptions={{ hideAttribution: true }}
          panOnScroll
        >
          <Background gap={22} />
          <Controls showInteractive={false} />
        </ReactFlow>
      )}
      <details className="as-list">
        <summary>{t("relations.asList")}</summary>
        <ul>
          {graph.nodes.map((node) => {
            const out = graph.edges.filter((edge) => edge.from === node.id);
            const name = (id: string) => {
              const found = graph.nodes.find((each) => each.id === id);
              return found ? called(found) : id;
            };
            return (
              <li key={node.id}>
                <strong>{called(node)}</strong> <small className="soft">{label("kinds", node.kind)}</small>
                {out.length > 0 && (
                  <ul>
                    {out.map((edge) => (
                      <li key={`${edge.kind}${edge.to}`}>
                        {t(`relations.${edge.kind}`)} {name(edge.to)}
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            );
          })}
        </ul>
      </details>
    </div>
  );
}

function ScriptCard({ data }: NodeProps<ScriptNode>) {
  const label = useLabel();
  const { script, open } = data;
  return (
    <section className={`card small ${script.kind}`}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
      <header>
        <button type="button" className="name nopan nodrag" onClick={open}>
          <span className="card-name">
            <span className="card-kind">{label("kinds", script.kind)}</span>
            <span className="card-title">{script.name}</span>
          </span>
        </button>
      </header>
    </section>
  );
}

const nodeTypes = { script: ScriptCard };
