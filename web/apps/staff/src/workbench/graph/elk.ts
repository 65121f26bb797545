import type { ELK, ElkNode } from "elkjs/lib/elk-api.js";

let engine: Promise<ELK> | null = null;

/** The layout engine, loaded when the first graph is drawn; it works beside the page. */
function loaded(): Promise<ELK> {
  engine ??= Promise.all([import("elkjs/lib/elk-api.js"), import("elkjs/lib/elk-worker.min.js?url")]).then(
    ([{ default: Engine }, { default: worker }]) =>
      new Engine({ workerUrl: worker, workerFactory: (url) => new Worker(url ?? worker) }),
  );
  return engine;
}

/** Where boxes go so that arrows run from left to right and cross little. */
export async function arrangedBy(
  boxes: { id: string; width: number; height: number }[],
  arrows: { from: string; to: string }[],
): Promise<Map<string, { x: number; y: number }>> {
  const elk = await loaded();
  const known = new Set(boxes.map((box) => box.id));
  const graph: ElkNode = {
    id: "root",
    layoutOptions: {
      "elk.algorithm": "layered",
      "elk.direction": "RIGHT",
      "elk.layered.spacing.nodeNodeBetweenLayers": "110",
      "elk.spacing.nodeNode": "28",
      "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
    },
    children: boxes,
    edges: arrows
      .filter((arrow) => known.has(arrow.from) && known.has(arrow.to))
      .map((arrow, number) => ({ id: `e${number}`, sources: [arrow.from], targets: [arrow.to] })),
  };
  const { children = [] } = await elk.layout(graph);
  return new Map(children.map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
}
