import { expect, test } from "vitest";
import { drawn } from "../src/desk/chart.js";
import { marked } from "../src/desk/marking.js";
import { inDanger, shown, waitingSince, wanted } from "../src/desk/order.js";
import type { Course, Item, Trigger } from "../src/desk/shapes.js";
import { meant } from "../src/desk/values.js";

const ME = { id: "me", name: "王", me: true };
const OTHER = { id: "other", name: "李", me: false };

function item(id: string, more: Partial<Item> = {}): Item {
  return {
    id,
    project: "cbt",
    script: "cbt/first",
    name: "初次会谈",
    locale: "zh-CN",
    status: "active",
    created_at: "2026-01-01T08:00:00Z",
    last_active_at: "2026-01-01T09:00:00Z",
    ended_at: null,
    turn: 3,
    person: { key: id, pseudonym: { zh: "竹", en: "Bamboo" }, hue: 1 },
    reasons: [],
    since: null,
    urgent: false,
    holder: null,
    escalations: 0,
    waiting_since: null,
    unread: 0,
    last_person_at: null,
    seen: [],
    tags: [],
    assigned: null,
    handover: null,
    notes: 0,
    ...more,
  };
}

const held = { ...ME, since: "2026-01-01T09:00:00Z" };
const ALL: Item[] = [
  item("quiet"),
  item("late-call", { reasons: ["escalated"], since: "2026-01-01T09:10:00Z", urgent: true, escalations: 1 }),
  item("early-danger", { reasons: ["crisis"], since: "2026-01-01T09:00:00Z", urgent: true }),
  item("seen-crisis", { reasons: ["crisis"], since: "2026-01-01T08:00:00Z" }),
  item("mine", { reasons: ["taken_over"], holder: held, waiting_since: "2026-01-01T09:05:00Z" }),
  item("mine-answered", { reasons: ["taken_over"], holder: held }),
  item("theirs", { reasons: ["crisis", "taken_over"], holder: { ...OTHER, since: held.since } }),
  item("given", { assigned: { to: ME, by: "李", at: held.since, note: "" } }),
  item("over", {
    status: "ended",
    ended_at: "2026-01-01T09:30:00Z",
    reasons: ["crisis"],
    since: "2026-01-01T09:20:00Z",
  }),
];
const ids = (items: Item[]) => items.map(({ id }) => id);

test("who may be in danger stands first, the longest waiting before the others", () => {
  expect(ids(shown(ALL, "waiting"))).toEqual(["early-danger", "late-call", "seen-crisis", "over", "mine", "given"]);
  expect(ids(shown(ALL, "all")).slice(0, 5)).toEqual(["early-danger", "late-call", "seen-crisis", "theirs", "mine"]);
});

test("who is in danger stays before the others once somebody is with them", () => {
  const answered = item("danger-answered", { reasons: ["crisis", "taken_over"], holder: held });
  const writes = item("danger-writes", { ...answered, id: "danger-writes", waiting_since: "2026-01-01T09:40:00Z" });
  const all = ids(shown([...ALL, answered, writes], "mine"));
  expect(all).toEqual(["danger-writes", "danger-answered", "mine", "given", "mine-answered"]);
  expect(ids(shown([...ALL, answered, writes], "all")).slice(0, 3)).toEqual([
    "early-danger",
    "danger-writes",
    "late-call",
  ]);
  expect(inDanger(answered)).toBe(true);
  expect(inDanger({ ...answered, status: "ended" })).toBe(false);
});

test("a counsellor's own are those held and those given, and a colleague's are neither", () => {
  expect(ids(shown(ALL, "mine"))[0]).toBe("mine");
  expect(ids(shown(ALL, "mine")).sort()).toEqual(["given", "mine", "mine-answered"]);
  expect(ids(shown(ALL, "held"))).toEqual(["theirs"]);
  expect(ids(shown(ALL, "ended"))).toEqual(["over"]);
  expect(ids(shown(ALL, "all"))).not.toContain("over");
});

test("the title counts what wants this counsellor", () => {
  expect(wanted(ALL)).toBe(4); // two in need, one that waits for an answer, one that was given
  expect(wanted([])).toBe(0);
});

test("waiting is counted from the call, or from what nobody has answered", () => {
  const [by] = ALL.filter(({ id }) => id === "mine");
  expect(waitingSince(by as Item)).toBe("2026-01-01T09:05:00Z");
  expect(waitingSince(item("x", { reasons: ["crisis"], since: "2026-01-01T07:00:00Z" }))).toBe("2026-01-01T07:00:00Z");
  expect(waitingSince(item("x", { reasons: ["crisis"], since: "2026-01-01T07:00:00Z", holder: held }))).toBeNull();
});

function trigger(more: Partial<Trigger>): Trigger {
  return {
    message: 1,
    start: null,
    end: null,
    words: "",
    awareness: "a",
    name: "t",
    verdict: "yes",
    source: "rules",
    level: "watch",
    turn: 1,
    at: held.since,
    ...more,
  };
}

test("what triggered is marked by code points, so that an emoji before it moves nothing", () => {
  const pieces = marked("🙂我不想活了。", [trigger({ start: 1, end: 6, level: "urgent" })]);
  expect(pieces.map(({ text, of }) => [text, of.length])).toEqual([
    ["🙂", 0],
    ["我不想活了", 1],
    ["。", 0],
  ]);
});

test("overlapping findings are each told, the most urgent first, and no word is lost or doubled", () => {
  const text = "我想死，睡不着";
  const pieces = marked(text, [
    trigger({ start: 0, end: 7, level: "watch" }),
    trigger({ start: 1, end: 3, level: "urgent" }),
    trigger({ start: 90, end: 99 }),
  ]);
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  expect(pieces.find((piece) => piece.text === "想死")?.of.map(({ level }) => level)).toEqual(["urgent", "watch"]);
});

test("words without a place are found, and where they are not there nothing is marked", () => {
  expect(marked("真的😀没意思", [trigger({ words: "没意思" })]).map(({ text }) => text)).toEqual(["真的😀", "没意思"]);
  expect(marked("还好", [trigger({ words: "没意思" })])).toEqual([{ text: "还好", of: [] }]);
});

test("a course lies within its limits", () => {
  const course: Course = {
    name: "PHQ-9",
    points: [
      { at: "1", value: 0, band: "", session: "a" },
      { at: "3", value: 27, band: "重", session: "c" },
    ],
    ranges: [{ label: "轻", low: 0, high: 9 }],
    limits: [0, 27],
  };
  const found = drawn(course);
  expect(found?.points.map(({ value }) => value)).toEqual([0, 27]);
  const [low, high] = found?.points ?? [];
  expect(low?.y).toBeGreaterThan(high?.y ?? 0);
  expect(low?.x).toBeLessThan(high?.x ?? 0);
  expect(found?.bands[0]?.height).toBeGreaterThan(0);
  expect(drawn({ ...course, points: [] })).toBeNull();
});

test("a correction keeps the kind of what it corrects", () => {
  const as = (type: string, value: unknown = null) => ({ type, value, options: null });
  expect(meant("3", as("number"))).toBe(3);
  expect(meant("三", as("number"))).toBe("三"); // the server says what is wrong with it
  expect(meant(" 妈妈 \n\n 爸爸 ", as("list"))).toEqual(["妈妈", "爸爸"]);
  expect(meant("", as("text"))).toBeNull();
  expect(meant("true", { ...as("boolean") })).toBe(true);
  expect(meant('"b"', { type: "text", value: "a", options: ["a", "b"] })).toBe("b");
});
