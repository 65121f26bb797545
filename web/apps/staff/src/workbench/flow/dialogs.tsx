import { useId, useMemo, useState } from "react";
import type { FlowMap, MapNode, Path } from "../text/shapes.js";
import { useLabel, useWords } from "../words/speaking.js";
import { Window } from "../words/window.js";
import { same, within } from "./acting.js";
import { nameOf } from "./layout.js";

/** Where a step or a topic is to go, chosen by name. */
export function MoveDialog(props: {
  map: FlowMap;
  node: MapNode;
  close(): void;
  choose(list: Path, index: number): void;
}) {
  const { map, node, close, choose } = props;
  const t = useWords();
  const id = useId();
  const targets = useMemo(() => {
    const byId = new Map(map.nodes.map((each) => [each.id, each]));
    const name = (each: MapNode): string => {
      const parent = each.parent ? byId.get(each.parent) : undefined;
      return parent ? `${name(parent)} › ${each.label}` : each.label;
    };
    return map.nodes.flatMap((each) => {
      const child = each.children.find((list) => list.accepts === node.kind);
      if (!child || each.file !== node.file || each.id.startsWith(node.id)) return [];
      const slot = within(map, each, child.accepts);
      return slot ? [{ id: each.id, name: name(each), list: slot.list, index: slot.index }] : [];
    });
  }, [map, node]);
  const [chosen, setChosen] = useState(targets.find((each) => !same(each.list, node.list))?.id ?? "");
  const target = targets.find((each) => each.id === chosen);
  return (
    <Window title={t("flow.moveTitle", { name: nameOf(node) })} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (target) choose(target.list, target.index);
        }}
      >
        <label htmlFor={id}>{t("flow.moveTo")}</label>
        <select id={id} value={chosen} onChange={(event) => setChosen(event.target.value)}>
          {targets.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </select>
        <div className="acts">
          <button type="submit" className="main" disabled={!target}>
            {t("act.move")}
          </button>
          <button type="button" className="second" onClick={close}>
            {t("act.cancel")}
          </button>
        </div>
      </form>
    </Window>
  );
}

/** Steps that become a technique of their own, so that they can be used elsewhere. */
export function ExtractDialog(props: {
  map: FlowMap;
  node: MapNode;
  close(): void;
  choose(count: number, name: string, id: string, goal: string): void;
}) {
  const { map, node, close, choose } = props;
  const t = useWords();
  const label = useLabel();
  const base = useId();
  const most = map.nodes.filter(
    (each) => each.file === node.file && same(each.list, node.list) && each.index >= node.index,
  );
  const [count, setCount] = useState(most.length);
  const [name, setName] = useState("");
  const [goal, setGoal] = useState("");
  return (
    <Window title={t("act.extract")} close={close}>
      <p className="soft">{t("flow.extractAbout")}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          choose(count, name.trim(), slug(map, name.trim()), goal.trim());
        }}
      >
        <label htmlFor={`${base}-to`}>{t("flow.extractTo")}</label>
        <select id={`${base}-to`} value={count} onChange={(event) => setCount(Number(event.target.value))}>
          {most.map((each, number) => (
            <option key={each.id} value={number + 1}>
              {nameOf(each) || label("types", each.type)}
            </option>
          ))}
        </select>
        <label htmlFor={`${base}-name`}>{t("flow.extractName")}</label>
        <input id={`${base}-name`} required value={name} onChange={(event) => setName(event.target.value)} />
        <label htmlFor={`${base}-goal`}>{label("fields", "goal")}</label>
        <input id={`${base}-goal`} required value={goal} onChange={(event) => setGoal(event.target.value)} />
        <div className="acts">
          <button type="submit" className="main">
            {t("act.extract")}
          </button>
          <button type="button" className="second" onClick={close}>
            {t("act.cancel")}
          </button>
        </div>
      </form>
    </Window>
  );
}

/** An id that nothing in the project has. */
export function slug(map: FlowMap, name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  const taken = new Set(map.nodes.flatMap((node) => [node.detail, node.label]));
  const first = plain || "technique";
  for (let number = 1; ; number += 1) {
    const id = number === 1 && plain ? first : `${first}_${number}`;
    if (!taken.has(id)) return id;
  }
}
