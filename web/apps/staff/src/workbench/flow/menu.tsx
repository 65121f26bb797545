import { useMemo, useRef } from "react";
import { Menu, MenuItem, Popover, Separator } from "react-aria-components";
import type { FlowMap, MapNode } from "../text/shapes.js";
import { useWords } from "../words/speaking.js";
import { stepOf } from "./acting.js";
import { nameOf } from "./layout.js";

export type Act =
  | "open"
  | "add"
  | "after"
  | "up"
  | "down"
  | "move"
  | "duplicate"
  | "delete"
  | "extract"
  | "fold"
  | "comment"
  | "text";

interface MenuProps {
  node: MapNode;
  at: HTMLElement;
  map: FlowMap;
  readOnly: boolean;
  close(): void;
  act(what: Act, node: MapNode): void;
}

/** All that can be done with a node. */
export function NodeMenu({ node, at, map, readOnly, close, act }: MenuProps) {
  const t = useWords();
  const trigger = useRef<HTMLElement>(at);
  trigger.current = at;
  const groups = useMemo(() => actsOf(map, node, readOnly), [map, node, readOnly]);
  return (
    <Popover
      isOpen
      triggerRef={trigger}
      onOpenChange={(open) => !open && close()}
      placement="bottom start"
      className="popover"
    >
      <Menu
        className="menu"
        aria-label={t("flow.menuOf", { name: nameOf(node) })}
        autoFocus="first"
        onAction={(key) => act(key as Act, node)}
        onClose={close}
      >
        {groups.flatMap((group, number) => [
          number > 0 && <Separator key={`s${group[0]}`} />,
          ...group.map((each) => (
            <MenuItem key={each} id={each} className={each === "delete" ? "menu-item grave" : "menu-item"}>
              <span>{t(`act.${each}`)}</span>
              {KEYS[each] && <kbd>{KEYS[each]}</kbd>}
            </MenuItem>
          )),
        ])}
      </Menu>
    </Popover>
  );
}

const KEYS: Partial<Record<Act, string>> = {
  open: "Enter",
  after: "Insert",
  up: "Alt ↑",
  down: "Alt ↓",
  duplicate: "Ctrl D",
  delete: "Delete",
  comment: "Ctrl Alt M",
};

function actsOf(map: FlowMap, node: MapNode, readOnly: boolean): Act[][] {
  if (readOnly) return [["open", "comment", "text"]];
  const isItem = node.list !== null;
  const shape: Act[] = [];
  if (node.children.length) shape.push("add");
  if (isItem) shape.push("after");
  const order: Act[] = [];
  if (stepOf(map, node, -1)) order.push("up");
  if (stepOf(map, node, 1)) order.push("down");
  if (isItem && (node.kind === "action" || node.kind === "topic")) order.push("move");
  const copy: Act[] = isItem ? ["duplicate"] : [];
  if (node.kind === "action") copy.push("extract");
  const folds: Act[] = node.kind === "phase" || node.kind === "topic" ? ["fold"] : [];
  return [["open", ...shape], order, copy, [...folds, "comment", "text"], isItem ? ["delete"] : []].filter(
    (group) => group.length,
  ) as Act[][];
}
