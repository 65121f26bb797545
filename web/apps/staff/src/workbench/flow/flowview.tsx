import { Background, Controls, MiniMap, Position, ReactFlow, ReactFlowProvider, useReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { type DragEvent, type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useHere, useTry } from "../project/context.js";
import { useKnown } from "../project/names.js";
import type { Accepts, Coverage, FlowMap, Locked, MapNode, Path } from "../text/shapes.js";
import { useCompany, useTogether } from "../together/context.js";
import { Icon } from "../words/icon.js";
import { said, useWords } from "../words/speaking.js";
import { Acting, after, dropped, fits, type Slot, stepOf, within } from "./acting.js";
import { useArrangement } from "./arrangement.js";
import { type CardNode, cardTypes, type Shared, SharedContext } from "./cards.js";
import { ExtractDialog, MoveDialog } from "./dialogs.js";
import { edgesOf } from "./edges.js";
import { CARD, drawn, keyOf, nameOf, nothingArranged, rowsOf, treeOf } from "./layout.js";
import { type Act, NodeMenu } from "./menu.js";
import { Palette } from "./palette.js";
import { led, readingOrder } from "./reading.js";

export interface FlowProps {
  map: FlowMap;
  root: MapNode;
  coverage: Coverage | null;
}

export function FlowView(props: FlowProps) {
  return (
    <ReactFlowProvider>
      <Flow {...props} />
    </ReactFlowProvider>
  );
}

const NONE: CardNode[] = [];

/** The node of a path, in a map. */
export function nodeAt(map: FlowMap, file: string, path: Path | null): MapNode | null {
  if (!path) return null;
  return map.nodes.find((node) => node.file === file && String(node.path) === String(path)) ?? null;
}

function Flow({ map, root, coverage }: FlowProps) {
  const here = useHere();
  const { opened, focus, setFocus, goTo, say, lit: variable } = here;
  const { variables } = useKnown();
  const t = useWords();
  const attempt = useTry();
  const flow = useReactFlow<CardNode>();
  const { arranged, arrange } = useArrangement(opened);
  const acting = useMemo(() => new Acting(opened), [opened]);
  const tree = useMemo(() => treeOf(map), [map]);
  const drawing = useMemo(() => drawn(map, root, arranged), [map, root, arranged]);
  const order = useMemo(() => readingOrder(drawing, tree), [drawing, tree]);
  const edges = useMemo(() => edgesOf(map, drawing), [map, drawing]);
  const [menu, setMenu] = useState<{ node: MapNode; at: HTMLElement } | null>(null);
  const [slot, setSlot] = useState<Slot | null>(null);
  const [moving, setMoving] = useState<MapNode | null>(null);
  const [extracting, setExtracting] = useState<MapNode | null>(null);
  const [reached, setReached] = useState<string | null>(null);
  const dragged = useRef<MapNode | null>(null);
  const marked = useRef<HTMLElement | null>(null);
  const field = useRef<HTMLDivElement>(null);
  const readOnly = opened.book.readOnly;
  const { show } = useTogether();
  const company = useCompany();

  const chosen = focus ? (nodeAt(map, focus.file, focus.path)?.id ?? null) : null;
  const reachable = order.some((node) => node.id === reached) ? reached : (order[0]?.id ?? null);

  /** The map keeps where its cards are itself: a move of one then renders that card, not all that stands around. */
  useEffect(() => {
    flow.setNodes(
      drawing.placed.map(({ node, x, y, width, height, folded, within }) => ({
        id: node.id,
        type:
          node.kind === "phase"
            ? "phase"
            : ["topic", "technique"].includes(node.kind) && !isAround(node, root)
              ? "steps"
              : "small",
        position: { x, y },
        width,
        height,
        measured: { width, height },
        ...(within && { parentId: within }),
        data: { node, folded },
        handles: handlesOf(node, width, height, folded ? [] : rowsOf(tree, node.id)),
        draggable: true,
        selectable: false,
        focusable: false,
        zIndex: node.kind === "phase" ? 0 : 1,
      })),
    );
  }, [drawing, flow, root, tree]);

  /** Puts the keyboard on a node, and what it is into sight. */
  const reach = useCallback(
    (id: string, focusing = true) => {
      setReached(id);
      const card = drawing.cardOf.get(id) ?? id;
      requestAnimationFrame(() => {
        const button = field.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`);
        if (button && focusing) button.focus({ preventScroll: true });
        const node = flow.getInternalNode(card);
        const box = (button ?? field.current)?.getBoundingClientRect();
        const room = field.current?.getBoundingClientRect();
        if (!node || !box || !room) return;
        const isSeen =
          button &&
          box.left >= room.left &&
          box.right <= room.right &&
          box.top >= room.top &&
          box.bottom <= room.bottom;
        if (isSeen) return;
        const { x, y } = node.internals.positionAbsolute;
        const at = button ? flow.screenToFlowPosition({ x: box.left, y: box.top }) : { x, y };
        void flow.setCenter(x + 150, at.y, { zoom: flow.getZoom(), duration: 0 });
      });
    },
    [drawing, flow],
  );
  const reachLatest = useRef(reach);
  reachLatest.current = reach;

  /** What is looked at stays in sight, also where its settings take the room. */
  useEffect(() => {
    if (!chosen) return;
    const timer = setTimeout(() => reachLatest.current(chosen, false), 60);
    return () => clearTimeout(timer);
  }, [chosen]);

  /** After an operation: what it made or moved is chosen once the map shows it. */
  const awaited = useRef<{ file: string; path: Path; open: boolean } | null>(null);
  useEffect(() => {
    const wanted = awaited.current;
    const node = wanted && nodeAt(map, wanted.file, wanted.path);
    if (!node) return;
    awaited.current = null;
    reach(node.id, !wanted.open);
    if (wanted.open) setFocus({ file: node.file, path: node.path });
  }, [map, reach, setFocus]);

  /** After undoing, what stands where somebody looked may be something else. */
  const looked = useRef<{ map: FlowMap; key: string; turn: number } | null>(null);
  useEffect(() => {
    const node = focus && nodeAt(map, focus.file, focus.path);
    const before = looked.current;
    const key = node ? `${node.type}:${keyOf(tree, node)}` : "";
    if (before && before.map !== map && before.turn !== opened.turn && before.key && before.key !== key) {
      const same = map.nodes.find((each) => `${each.type}:${keyOf(tree, each)}` === before.key);
      setFocus(same ? { file: same.file, path: same.path, quiet: true } : null);
    }
    looked.current = { map, key, turn: opened.turn };
  }, [map, tree, focus, opened, setFocus]);

  const done = useCallback(
    (file: string, act: () => Promise<Path | null>, open = false) =>
      attempt(async () => {
        const path = await act();
        if (path) awaited.current = { file, path, open };
      }),
    [attempt],
  );

  const open = useCallback(
    (node: MapNode) => {
      setReached(node.id);
      setFocus({ file: node.file, path: node.path });
    },
    [setFocus],
  );
  const fold = useCallback(
    (node: MapNode) => {
      const key = keyOf(tree, node);
      arrange((before) => ({
        ...before,
        folded: before.folded.includes(key) ? before.folded.filter((each) => each !== key) : [...before.folded, key],
      }));
    },
    [arrange, tree],
  );
  const add = useCallback((node: MapNode) => setSlot(within(map, node)), [map]);
  const remove = useCallback(
    (node: MapNode) => {
      if (focus && chosen === node.id) setFocus(null);
      const at = order.findIndex((each) => each.id === node.id);
      const next = order[at - 1] ?? order[at + 1];
      if (next) setReached(next.id);
      void attempt(async () => {
        await acting.remove(node);
        say(t("flow.deleted", { name: nameOf(node) }));
      });
    },
    [acting, attempt, chosen, focus, order, say, setFocus, t],
  );
  const step = useCallback(
    (node: MapNode, by: -1 | 1) => {
      if (stepOf(map, node, by)) void done(node.file, () => acting.step(map, node, by));
    },
    [acting, done, map],
  );
  const showText = useCallback(
    (node: MapNode) => {
      const { doc } = opened.book.sheet(node.file).state;
      const line = doc.line(Math.min(doc.lines, node.range.start.line + 1));
      goTo(node.file, { from: line.from + node.range.start.character, to: line.to });
    },
    [goTo, opened],
  );

  const act = (what: Act, node: MapNode) => {
    setMenu(null);
    switch (what) {
      case "open":
        return open(node);
      case "add":
        return setSlot(within(map, node));
      case "after":
        return setSlot(after(node));
      case "up":
        return step(node, -1);
      case "down":
        return step(node, 1);
      case "move":
        return setMoving(node);
      case "duplicate":
        return void done(node.file, () => acting.duplicate(node));
      case "delete":
        return remove(node);
      case "extract":
        return setExtracting(node);
      case "fold":
        return fold(node);
      case "comment":
        return show(true, { file: node.file, path: node.path });
      case "text":
        return showText(node);
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const id = (event.target as HTMLElement).dataset.node;
    const node = id && tree.byId.get(id);
    if (!node) return;
    const did = (act: () => unknown) => {
      event.preventDefault();
      act();
    };
    const button = event.target as HTMLElement;
    if (event.altKey && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "m")
      did(() => show(true, { file: node.file, path: node.path }));
    else if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      if (!readOnly) did(() => step(node, event.key === "ArrowUp" ? -1 : 1));
    } else if (event.key === "ContextMenu" || (event.shiftKey && event.key === "F10"))
      did(() => setMenu({ node, at: button }));
    else if (event.key === "Delete" && !readOnly && node.list) did(() => remove(node));
    else if (event.key.toLowerCase() === "d" && (event.ctrlKey || event.metaKey) && !readOnly && node.list)
      did(() => done(node.file, () => acting.duplicate(node)));
    else if (event.key === "Insert" && !readOnly) did(() => setSlot(after(node) ?? within(map, node)));
    else if (!event.altKey && !event.ctrlKey && !event.metaKey) {
      const next = led(order, id, event.key);
      if (next) did(() => reach(next.id));
    }
  };

  /** Says on the card or row below the pointer where a thing would come to. On it alone: as something that all cards
   * share, each step of the pointer would render all of them. */
  const mark = useCallback((onto: HTMLElement | null, where = "") => {
    if (marked.current !== onto) marked.current?.removeAttribute("data-drop");
    onto?.setAttribute("data-drop", where);
    marked.current = onto;
  }, []);
  const drag: Shared["drag"] = useMemo(
    () => ({
      start: (node, event) => {
        dragged.current = node;
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", node.label);
        event.stopPropagation();
      },
      over: (node, event) => {
        const moved = dragged.current;
        if (!moved || !fits(moved, node)) return;
        event.preventDefault();
        event.stopPropagation();
        const before = isBefore(event, node.kind === "phase" && moved.kind === "phase");
        mark(event.currentTarget, before ? "before" : "after");
      },
      drop: (node, event) => {
        const moved = dragged.current;
        dragged.current = null;
        mark(null);
        if (!moved) return;
        event.preventDefault();
        event.stopPropagation();
        const to = dropped(map, moved, node, isBefore(event, node.kind === "phase" && moved.kind === "phase"));
        if (to) void done(moved.file, () => acting.move(moved, to.list, to.index));
      },
      end: () => {
        dragged.current = null;
        mark(null);
      },
    }),
    [acting, done, map, mark],
  );

  const lit = useMemo(() => {
    const found = variables.find((each) => each.name === variable);
    const places = found ? [...found.declared, ...found.written, ...found.read] : [];
    return new Set(places.flatMap((place) => (place.node ? [place.node] : [])));
  }, [variables, variable]);
  const lockedIn = useMemo(() => {
    const byParent = new Map<string, Locked[]>();
    for (const locked of map.locked)
      if (locked.parent) byParent.set(locked.parent, [...(byParent.get(locked.parent) ?? []), locked]);
    return byParent;
  }, [map]);
  const shared: Shared = useMemo(
    () => ({
      map,
      tree,
      lockedIn,
      sources: new Set(edges.flatMap((edge) => (edge.sourceHandle ? [edge.sourceHandle] : []))),
      throughout: new Set(
        map.edges.filter((edge) => edge.kind === "watch" && edge.from === root.id).map((edge) => edge.to),
      ),
      chosen,
      reachable,
      lit,
      coverage: coverage?.at ? coverage.nodes : null,
      company,
      readOnly,
      open,
      menu: (node, at) => setMenu({ node, at }),
      fold,
      add,
      goToLocked: (locked) => {
        const { doc } = opened.book.sheet(locked.file).state;
        const line = doc.line(Math.min(doc.lines, locked.line));
        goTo(locked.file, { from: line.from, to: line.to });
      },
      drag,
    }),
    [
      map,
      root,
      tree,
      lockedIn,
      edges,
      chosen,
      reachable,
      lit,
      coverage,
      company,
      readOnly,
      open,
      fold,
      add,
      opened,
      goTo,
      drag,
    ],
  );

  const moved = (node: CardNode) =>
    arrange((before) => ({
      ...before,
      moved: {
        ...before.moved,
        [keyOf(tree, node.data.node)]: { x: Math.round(node.position.x), y: Math.round(node.position.y) },
      },
    }));

  const orphans = map.locked.filter((locked) => locked.parent === null && locked.file === root.file);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys are those of the cards' buttons within
    <div className="flow" ref={field} onKeyDown={onKeyDown}>
      {orphans.map((locked) => (
        <button
          type="button"
          className="locked-file"
          key={`${locked.file}${locked.line}`}
          onClick={() => shared.goToLocked(locked)}
        >
          <Icon name="lock" /> {t("flow.locked", { line: locked.line })} {said(locked.reason)}
        </button>
      ))}
      <div className="flow-tools">
        {!readOnly && root.kind === "session" && (
          <button type="button" className="second small" onClick={() => setSlot(within(map, root, "phase"))}>
            ＋ {t("flow.addPhase")}
          </button>
        )}
        <button type="button" className="quiet small" onClick={() => open(root)}>
          {t("flow.settings", { name: nameOf(root) })}
        </button>
        {Object.keys(arranged.moved).length > 0 && (
          <button
            type="button"
            className="quiet small"
            onClick={() => arrange((before) => ({ ...nothingArranged, folded: before.folded }))}
          >
            {t("flow.tidy")}
          </button>
        )}
      </div>
      <SharedContext value={shared}>
        <ReactFlow
          defaultNodes={NONE}
          edges={edges}
          nodeTypes={cardTypes}
          onNodeDragStop={(_, node) => moved(node)}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          zoomOnDoubleClick={false}
          onlyRenderVisibleElements={drawing.placed.length > 30}
          minZoom={0.15}
          maxZoom={1.6}
          defaultViewport={{ x: 24, y: 64, zoom: 0.9 }}
          ariaLabelConfig={{
            "controls.zoomIn.ariaLabel": t("flow.zoomIn"),
            "controls.zoomOut.ariaLabel": t("flow.zoomOut"),
            "controls.fitView.ariaLabel": t("flow.fit"),
          }}
          proOptions={{ hideAttribution: true }}
          panOnScroll
        >
          <Background gap={22} />
          <Controls showInteractive={false} aria-label={t("flow.zoom")} />
          {drawing.placed.length > 12 && <MiniMap pannable ariaLabel={t("flow.overview")} />}
        </ReactFlow>
      </SharedContext>
      {menu && <NodeMenu {...menu} close={() => setMenu(null)} act={act} readOnly={readOnly} map={map} />}
      {slot && (
        <Palette
          accepts={slot.accepts}
          close={() => setSlot(null)}
          choose={(item) => {
            setSlot(null);
            void done(slot.file, () => acting.insert(slot, item), true);
          }}
        />
      )}
      {moving && (
        <MoveDialog
          map={map}
          node={moving}
          close={() => setMoving(null)}
          choose={(list, index) => {
            setMoving(null);
            void done(moving.file, () => acting.move(moving, list, index));
          }}
        />
      )}
      {extracting && (
        <ExtractDialog
          map={map}
          node={extracting}
          close={() => setExtracting(null)}
          choose={(count, name, id, goal) => {
            setExtracting(null);
            void done(extracting.file, () => acting.extract(extracting, count, name, id, goal));
          }}
        />
      )}
    </div>
  );
}

/** Where arrows begin and end on a card: known beforehand, so that nothing must be drawn to be measured. */
function handlesOf(node: MapNode, width: number, height: number, rows: { node: MapNode }[]): CardNode["handles"] {
  const at = (type: "source" | "target", id: string, position: Position, x: number, y: number) => ({
    ...{ type, id, position, x, y },
    width: 1,
    height: 1,
  });
  const middle = node.kind === "phase" ? 32 : height / 2;
  return [
    at("target", "in", Position.Left, 0, middle),
    at("target", "top", Position.Top, width / 2, 0),
    at("source", "out", Position.Right, width, middle),
    at("source", "bottom", Position.Bottom, width / 2, height),
    ...rows.map((row, number) =>
      at("source", row.node.id, Position.Right, width, CARD.head + (number + 0.5) * CARD.row),
    ),
  ];
}

/** What is drawn around a script rather than as a part of it. */
function isAround(node: MapNode, root: MapNode): boolean {
  return node.parent === null && node.id !== root.id;
}

function isBefore(event: DragEvent, sideways: boolean): boolean {
  const box = event.currentTarget.getBoundingClientRect();
  return sideways ? event.clientX < box.left + box.width / 2 : event.clientY < box.top + box.height / 2;
}

export type { Accepts };
