import { expect, test } from "vitest";
import { hits } from "../src/workbench/code/hits.js";
import { dropped, stepOf } from "../src/workbench/flow/acting.js";
import { drawn, keyOf, nothingArranged, treeOf } from "../src/workbench/flow/layout.js";
import { led, readingOrder } from "../src/workbench/flow/reading.js";
import { treeOf as conditionOf, readValue, rowsOf } from "../src/workbench/panel/condition.js";
import { spanOf, written } from "../src/workbench/panel/duration.js";
import { freshItem } from "../src/workbench/panel/freshitem.js";
import { plainOf } from "../src/workbench/panel/plain.js";
import { Book, difference } from "../src/workbench/text/book.js";
import { followed } from "../src/workbench/text/following.js";
import { changesOf } from "../src/workbench/text/places.js";
import { sanitized } from "../src/workbench/text/sanitize.js";
import type { FieldShape, Finding, FlowMap, Json, MapNode, Path } from "../src/workbench/text/shapes.js";

import { en } from "../src/workbench/words/labels.en.js";
import { zh } from "../src/workbench/words/labels.zh-CN.js";
import { telling } from "../src/workbench/words/telling.js";

const edit = (from: number, to: number, insert: string) => ({ from, to, insert });

test("a step over several files is undone as one, in the order of all steps", () => {
  const book = new Book();
  book.open("a.yaml", "name: x\r\n# 注\n");
  book.open("b.yaml", "use: x\n");
  book.apply(
    new Map([
      ["a.yaml", edit(6, 7, "y")],
      ["b.yaml", edit(5, 6, "y")],
    ]),
  );
  book.dispatch("a.yaml", { changes: edit(0, 0, "1"), userEvent: "input.type" });
  book.dispatch("b.yaml", { changes: edit(0, 0, "2"), userEvent: "input.type" });
  book.dispatch("a.yaml", { changes: edit(1, 1, "3"), userEvent: "input.type" });
  expect([book.undo(), book.undo(), book.undo()]).toEqual([["a.yaml"], ["b.yaml"], ["a.yaml"]]);
  expect(book.texts()).toEqual({ "a.yaml": "name: y\r\n# 注\n", "b.yaml": "use: y\n" });
  expect(book.undo()).toEqual(["a.yaml", "b.yaml"]);
  expect(book.texts()).toEqual({ "a.yaml": "name: x\r\n# 注\n", "b.yaml": "use: x\n" });
  expect(book.changed).toEqual([]);
  expect(book.canUndo).toBe(false);
  for (let step = 0; step < 4; step += 1) book.redo();
  expect(book.texts()).toEqual({ "a.yaml": "13name: y\r\n# 注\n", "b.yaml": "2use: y\n" });
});

test("what comes after undoing makes nothing of what was undone", () => {
  const book = new Book();
  book.open("a.yaml", "a");
  book.apply(new Map([["a.yaml", edit(1, 1, "b")]]));
  book.undo();
  book.apply(new Map([["a.yaml", edit(1, 1, "c")]]));
  expect(book.canRedo).toBe(false);
  expect(book.text("a.yaml")).toBe("ac");
});

test("edits of the protocol count in UTF-16, and the least is touched", () => {
  const book = new Book();
  const { state } = book.open("a.yaml", "x: 😀情绪\ny: 1\n");
  const range = { start: { line: 0, character: 5 }, end: { line: 0, character: 7 } };
  book.apply(new Map([["a.yaml", changesOf(state.doc, [{ range, newText: "心情" }])]]));
  expect(book.text("a.yaml")).toBe("x: 😀心情\ny: 1\n");
  expect(difference("abcd", "abXd")).toEqual(edit(2, 3, "X"));
  expect(difference("aa", "aaa")).toEqual(edit(2, 2, "a"));
});

const list: Path = [0, "steps"];

test.each<[string, Path, Parameters<typeof followed>[1], Path | null]>([
  [
    "an item before it goes",
    [0, "steps", 2, "actions", 1],
    { kind: "delete", path: [0, "steps", 0] },
    [0, "steps", 1, "actions", 1],
  ],
  ["it goes itself", [0, "steps", 2, "actions", 1], { kind: "delete", path: [0, "steps", 2] }, null],
  ["one comes before it", [0, "steps", 2], { kind: "insert", path: list, index: 2, item: "" }, [0, "steps", 3]],
  [
    "it is moved down",
    [0, "steps", 0, "id"],
    { kind: "move", path: [0, "steps", 0], to: list, index: 2 },
    [0, "steps", 1, "id"],
  ],
  [
    "one is moved over it",
    [0, "steps", 1],
    { kind: "move", path: [0, "steps", 0], to: list, index: 2 },
    [0, "steps", 0],
  ],
  ["one is copied before it", [0, "steps", 1], { kind: "duplicate", path: [0, "steps", 0] }, [0, "steps", 2]],
  ["a value is set", [0, "steps", 1], { kind: "set", path: [0, "steps", 0, "id"], value: 1 }, [0, "steps", 1]],
])("who looks at something goes on looking at it: %s", (_, path, operation, expected) => {
  expect(followed(path, operation)).toEqual(expected);
});

function node(path: Path, kind: MapNode["kind"], more: Partial<MapNode> = {}): MapNode {
  const parent = path.slice(0, -2);
  const key = kind === "session" ? "phases" : kind === "phase" ? "steps" : kind === "topic" ? "actions" : "";
  const accepts = kind === "session" ? "phase" : kind === "phase" ? "topic" : "action";
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  return {
    id: `s.yaml#${path.join("/")}`,
    kind,
    type: kind === "action" ? "say" : "",
    parent: kind === "session" ? null : `s.yaml#${parent.join("/")}`,
    file: "s.yaml",
    path,
    list: path.slice(0, -1),
    index: Number(path.at(-1)),
    range,
    label: path.join("."),
    detail: path.join("."),
    badges: [],
    errors: 0,
    warnings: 0,
    children: key ? [{ key, path: [...path, key], accepts }] : [],
    ...more,
  };
}

const S: Path = [0, "sessions", 0];
const P = (phase: number): Path => [...S, "phases", phase];
const T = (phase: number, topic: number): Path => [...P(phase), "steps", topic];
const A = (phase: number, topic: number, action: number): Path => [...T(phase, topic), "actions", action];
const nodes = [
  node(S, "session"),
  node(P(0), "phase"),
  node(T(0, 0), "topic"),
  node(A(0, 0, 0), "action"),
  node(A(0, 0, 1), "action"),
  node(T(0, 1), "topic"),
  node(P(1), "phase"),
  node(T(1, 0), "topic"),
  node(A(1, 0, 0), "action"),
];
const map: FlowMap = { files: {}, nodes, edges: [], locked: [] };
const at = (path: Path) => nodes.find((each) => String(each.path) === String(path)) as MapNode;

test("phases are columns, topics stand in them, and what was moved or folded stays so", () => {
  const drawing = drawn(map, at(S), nothingArranged);
  const placed = (path: Path) => drawing.placed.find((each) => each.node === at(path));
  expect(placed(P(1))?.x).toBeGreaterThan(placed(P(0))?.x ?? 0);
  expect(placed(T(0, 1))?.y).toBeGreaterThan((placed(T(0, 0))?.y ?? 0) + (placed(T(0, 0))?.height ?? 0));
  expect(drawing.cardOf.get(at(A(0, 0, 1)).id)).toBe(at(T(0, 0)).id);
  const tree = treeOf(map);
  const arranged = { moved: { [keyOf(tree, at(P(1)))]: { x: 7, y: 9 } }, folded: [keyOf(tree, at(P(0)))] };
  const again = drawn(map, at(S), arranged);
  expect(again.placed.find((each) => each.node === at(P(1)))).toMatchObject({ x: 7, y: 9 });
  expect(again.placed.some((each) => each.node === at(T(0, 0)))).toBe(false);
  expect(again.cardOf.get(at(A(0, 0, 1)).id)).toBe(at(P(0)).id);
});

test("the arrow keys read the map as it is drawn", () => {
  const order = readingOrder(drawn(map, at(S), nothingArranged), treeOf(map));
  expect(order).toEqual(nodes.slice(1));
  expect(led(order, at(T(0, 0)).id, "ArrowDown")).toBe(at(A(0, 0, 0)));
  expect(led(order, at(A(0, 0, 1)).id, "ArrowRight")).toBe(at(P(1)));
  expect(led(order, at(A(1, 0, 0)).id, "Home")).toBe(at(P(0)));
});

test("a step up or down goes on in the topic beside it", () => {
  expect(stepOf(map, at(A(0, 0, 0)), 1)).toEqual({ list: [...T(0, 0), "actions"], index: 2 });
  expect(stepOf(map, at(A(0, 0, 1)), 1)).toEqual({ list: [...T(0, 1), "actions"], index: 0 });
  expect(stepOf(map, at(A(1, 0, 0)), -1)).toEqual({ list: [...T(0, 1), "actions"], index: 0 });
  expect(stepOf(map, at(A(0, 0, 0)), -1)).toBeNull();
});

test("what is dropped goes beside its like, or into what holds such things", () => {
  expect(dropped(map, at(A(0, 0, 0)), at(A(1, 0, 0)), false)).toMatchObject({
    list: [...T(1, 0), "actions"],
    index: 1,
  });
  expect(dropped(map, at(A(0, 0, 0)), at(T(0, 1)), true)).toMatchObject({ list: [...T(0, 1), "actions"], index: 0 });
  expect(dropped(map, at(P(0)), at(T(1, 0)), true)).toBeNull();
});

test("a condition is rows where rows can say it, and nothing is lost where they cannot", () => {
  const tree = {
    all: [
      { var: "情绪", op: ">=" as const, value: 7 },
      { var: "名", op: "known" as const },
    ],
  };
  const rows = rowsOf(tree);
  expect(rows && conditionOf(rows)).toEqual(tree);
  expect(rowsOf({ any: [{ not: { var: "x", op: "known" } }] })).toBeNull();
  expect(rowsOf({ expr: "len(x) > 2" })).toBeNull();
  expect(conditionOf({ joined: "all", rows: [] })).toBeNull();
  expect([readValue("7", "=="), readValue("是", "=="), readValue("a，b", "in")]).toEqual([7, "是", ["a", "b"]]);
});

test("a value is a number, a truth or words, and a text that looks like a number stays one", () => {
  expect(["2", "-1.5", "true", "false", "很多", " 是"].map((typed) => plainOf(typed, 0))).toEqual([
    ...[2, -1.5, true, false, "很多", " 是"],
  ]);
  expect([plainOf("12", "1"), plainOf("3", "很多"), plainOf("", 1)]).toEqual(["12", 3, null]);
});

test("a new item is no other one's, however many are added, and has what it needs", () => {
  const field = (key: string, control = "line", options: string[] | null = null) =>
    ({ key, control, options, required: true }) as FieldShape;
  const added = (list: string, items: Json[], fields = [field("id"), field("label"), field("type", "choice")]) => {
    const all = [...items];
    for (let count = 0; count < 2; count += 1)
      all.push(freshItem({ list, fields, items: all, questions: ["q1"] }, "新的"));
    return all.slice(items.length);
  };
  expect(added("options", [])).toEqual([
    { value: "option_1", label: "新的" },
    { value: "option_2", label: "新的 2" },
  ]);
  expect(added("options", [{ value: "option_2", label: "有" }])).toMatchObject([
    ...[{ value: "option_3" }, { value: "option_4" }],
  ]);
  expect(added("options", [{ value: 0, label: "没有" }])).toMatchObject([{ value: 1 }, { value: 2 }]);
  const scale = { id: "q2", label: "？", type: "single", required: true, options: [{ value: 0, label: "没有" }] };
  expect(added("fields", [scale])).toEqual([
    { ...scale, id: "q3", label: "新的" },
    { ...scale, id: "q4", label: "新的 2" },
  ]);
  expect(added("fields", [])).toEqual([
    { id: "q1", label: "新的", type: "text" },
    { id: "q2", label: "新的 2", type: "text" },
  ]);
  expect(added("output", [])).toEqual([{ get: "新的" }, { get: "新的_2" }]);
  expect(added("bands", [{ from: 0, to: 3, label: "少" }])).toMatchObject([{ from: 4 }, { from: 5 }]);
  expect(added("scores", [])).toMatchObject([{ id: "score_1", sum: ["q1"] }, { id: "score_2" }]);
  const rule = [field("name"), field("kind", "choice", ["甲", "乙"])];
  expect(added("parameters", [], rule)).toEqual([
    { name: "新的", kind: "甲" },
    { name: "新的_2", kind: "甲" },
  ]);
});

test("durations keep their unit", () => {
  for (const text of ["90s", "5m", "2h", "3 turns"]) {
    const span = spanOf(text);
    expect(span && written(span)).toBe(text);
  }
  expect(spanOf("1h30m")).toBeNull();
});

test("a search finds words in all files, whatever their case", () => {
  const found = hits({ "a.yaml": "Goal: 睡眠\n", "b.yaml": "x\ngoal 睡" }, "goal");
  expect(found.map(({ path, line }) => [path, line])).toEqual([
    ["a.yaml", 1],
    ["b.yaml", 2],
  ]);
});

test("what an author wrote becomes no element that acts", () => {
  const html = sanitized('<p onclick="x()">a<img src=x onerror=y><script>z</script><a href="javascript:1">b</a></p>');
  expect(html).toBe("<p>ab</p>");
});

test("a finding is said in the words of the page, and names that people gave stay as they are", () => {
  const words = (names: Record<string, string>) => (_: "fields", name: string) => names[name] ?? name;
  const say = (finding: Partial<Finding>, names: Record<string, string> = zh.fields) =>
    telling(
      { about: "", hint: "", ...finding } as Finding,
      words(names),
      ((key: string, { about }: { about: string }) => `${key} ${about}`) as never,
    );
  expect(say({ code: "E102", about: "content" }).message).toBe("findings.told.E102 内容");
  expect(say({ code: "E102", about: "content" }, en.fields).message).toBe(`findings.told.E102 ${en.fields.content}`);
  expect(say({ code: "W236", about: "label" }).message).toBe("findings.told.W236 label");
  expect(say({ code: "E101", message: "没有字段“content”，写在 actions 里", about: "content" }).message).toBe(
    "没有字段“内容”，写在 “步骤” 里",
  );
  expect(say({ code: "W211", message: "“value”没有声明，在 declare 里声明它", about: "value" }).message).toBe(
    "“value”没有声明，在 “在这里声明的变量” 里声明它",
  );
  expect(say({ code: "W211", message: "The text holds “to”, give it a value" }, en.fields).message).toContain(
    "give it a value",
  );
  expect(say({ code: "E102", message: "缺少字段“content”" }).message).toBe("缺少字段“内容”");
});
