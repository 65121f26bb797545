import { type ConversationState, Problem } from "@heartrule/sdk";
import { expect, test } from "vitest";
import { now } from "../src/session/progress.js";
import { type Standing, standing, unsent } from "../src/session/standing.js";
import { session } from "./tokens.js";

const plain: ConversationState = {
  session: session("one"),
  messages: [],
  growing: [],
  more: false,
  request: { type: "message", choices: [] },
  progress: { phases: [], milestones: [] },
  position: null,
  status: "ready",
  reply: "none",
  outbox: [],
  inCrisis: false,
  human: null,
  quiet: false,
  typing: false,
  problem: null,
  filling: { pending: {}, closing: null, refused: null },
};
const failed = (code: string, status: number): ConversationState => ({
  ...plain,
  status: "failed",
  problem: new Problem(code, status),
});

test.each<[Standing, ConversationState]>([
  ["open", { ...plain, status: "loading", session: null }],
  ["open", plain],
  ["open", { ...plain, status: "offline" }],
  ["open", { ...plain, session: session("one", { status: "away" }) }],
  ["open", { ...plain, session: session("one", { status: "suspended" }) }],
  ["paused", { ...plain, status: "paused" }],
  ["ended", { ...plain, status: "ended", session: session("one", { status: "ended" }) }],
  ["archived", { ...plain, status: "ended", session: session("one", { status: "archived" }) }],
  ["lost", failed("cannot-restore", 409)],
  ["lost", { ...plain, session: session("one", { restorable: false }) }],
  ["ended", { ...plain, session: session("one", { restorable: false, status: "ended" }) }],
  ["gone", failed("not-found", 404)],
  ["gone", failed("token-expired", 401)],
  ["gone", failed("unauthorized", 401)],
  ["ended", failed("closed", 409)],
  ["closed", failed("internal", 500)],
  ["closed", failed("network", 0)],
])("%s", (wanted, state) => {
  expect(standing(state)).toBe(wanted);
});

test("only what is on its way keeps somebody from closing the page", () => {
  const entry = { key: "k", input: { type: "message", text: "嗯" }, after: 1, at: 0, problem: null } as const;
  expect(unsent(plain)).toBe(false);
  expect(unsent({ ...plain, outbox: [{ ...entry, state: "waiting" }] })).toBe(true);
  expect(unsent({ ...plain, outbox: [{ ...entry, state: "refused" }] })).toBe(false);
});

test("the step somebody is in is the current one, else the next, else the last", () => {
  const phase = (done: boolean, current = false) => ({ id: "", name: "", done, current });
  expect(now({ phases: [phase(true), phase(false, true), phase(false)], milestones: [] })).toBe(1);
  expect(now({ phases: [phase(true), phase(true), phase(false)], milestones: [] })).toBe(2);
  expect(now({ phases: [phase(true), phase(true)], milestones: [] })).toBe(1);
});
