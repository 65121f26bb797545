import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DebugClient } from "@vscode/debugadapter-testsupport";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

/** How long a program may take to start and to answer, in milliseconds: a busy machine needs most of a minute for it. */
const PATIENCE = 120_000;

const command = process.env.HEARTRULE_COMMAND ?? resolve(import.meta.dirname, "../../../../.venv/bin/heartrule");
const talk = readFileSync(join(import.meta.dirname, "talk.yaml"), "utf8");
const lines = talk.split("\n");
/** The line, from 1, on which the action of this id begins. */
const action = (id: string) => lines.findIndex((line) => line.trim() === `id: ${id}`);

const WATCHED = `awareness:
  - awareness: 困得不行
    id: sleepy
    priority: P1
    at: [answer]
    condition:
      judge: 困不困
      rules:
        explicit:
          - {pattern: 睁不开眼, reason: 说睁不开眼}
    then:
      - {directive: CALL_TECHNIQUE, technique: breathing}
`;
/** The same talk, watched by the script above, and with a value written that its variable does not take. */
const HAPPENING = talk
  .replace("    locale: zh-CN\n", "    locale: zh-CN\n    awareness: [sleepy]\n")
  .replace("var: 次数\n                value: 1", "var: 睡了\n                value: 99");

let folder: string;
let program: string;
let client: DebugClient;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "heartrule-dap-")));
  program = join(folder, "talk.yaml");
  writeFileSync(program, talk);
  writeFileSync(join(folder, "project.yaml"), "id: sleepy\nlocale: zh-CN\n");
  client = new DebugClient(command, "dap", "heartrule", {
    env: { ...process.env, HEARTRULE_DATA: join(folder, "data") },
  } as never);
  client.defaultTimeout = PATIENCE;
  await client.start();
}, PATIENCE);

afterEach(async () => {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
}, PATIENCE);

/** The innermost level, without how many rounds it has had. */
const top = async () => {
  const [first] = (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
  return { name: first?.name.replace(/ · .*/, "") };
};
const stopped = () => client.waitForEvent("stopped", PATIENCE);
const say = async (expression: string) => {
  const next = Promise.race([stopped(), client.waitForEvent("terminated", PATIENCE)]);
  await client.evaluateRequest({ expression, context: "repl" });
  return await next;
};

/** Launched, and waiting for the visitor. */
async function launched(more: Record<string, unknown> = {}): Promise<void> {
  await Promise.all([client.configurationSequence(), client.launch({ program, ...more }), stopped()]);
}

async function variables(): Promise<Record<string, { value: string; reference: number }>> {
  const found: Record<string, { value: string; reference: number }> = {};
  for (const scope of (await client.scopesRequest({ frameId: 1 })).body.scopes) {
    const held = await client.variablesRequest({ variablesReference: scope.variablesReference });
    for (const each of held.body.variables)
      found[each.name] ??= { value: each.value, reference: scope.variablesReference };
  }
  return found;
}

// A program starts for each of them: how long that takes is the machine's.
describe("heartrule dap, as an independent client meets it", { timeout: 3 * PATIENCE }, () => {
  it("holds at a line, shows the stack, and waits for the visitor", async () => {
    await client.hitBreakpoint({ program }, { path: program, line: action("name") });
    const frames = (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
    expect(frames.map((each) => each.name)).toEqual([
      "action: name",
      "topic: meet",
      "phase: opening",
      "session: sleepy/sleep",
    ]);
    expect((await client.threadsRequest()).body.threads).toHaveLength(1);
    const waiting = stopped();
    const spoken = client.waitForEvent("output", PATIENCE);
    await client.continueRequest({ threadId: 1 });
    expect((await spoken).body.output).toContain("怎么称呼");
    expect((await waiting).body.reason).toBe("pause");
  });

  it("steps in, over, out and back, and goes to a line", async () => {
    await launched();
    await client.setBreakpointsRequest({ source: { path: program }, breakpoints: [{ line: action("breathe") }] });
    await say("小林");
    await say("4 个小时");
    expect((await top()).name).toBe("action: breathe");
    const step = async (request: () => Promise<unknown>) => {
      const next = stopped();
      await request();
      await next;
      return (await top()).name;
    };
    expect(await step(() => client.stepInRequest({ threadId: 1 }))).toBe("technique: sleepy/breathing");
    expect(await step(() => client.stepInRequest({ threadId: 1 }))).toBe("action: breathe_in");
    expect(await step(() => client.nextRequest({ threadId: 1 }))).toBe("action: felt");
    expect(await step(() => client.stepBackRequest({ threadId: 1 }))).toBe("action: breathe_in");
    const targets = await client.gotoTargetsRequest({ source: { path: program }, line: action("felt") + 2 });
    const target = targets.body.targets[0]?.id ?? 0;
    expect(await step(() => client.gotoRequest({ threadId: 1, targetId: target }))).toBe("action: felt");
    const end = stopped();
    await client.stepOutRequest({ threadId: 1 });
    await end;
    await say("还好");
    expect((await top()).name).not.toContain("technique");
  });

  it("holds on conditions, hits, data, exceptions and names, and logs", async () => {
    await launched();
    const set = await client.setBreakpointsRequest({
      source: { path: program },
      breakpoints: [
        { line: action("how_long"), logMessage: "问 {名字}" },
        { line: action("good_night"), condition: "睡了 > 20" },
        { line: lines.length + 5 },
      ],
    });
    expect(set.body.breakpoints.map((each) => each.verified)).toEqual([true, true, false]);
    await client.setExceptionBreakpointsRequest({ filters: ["fault", "verdict"] });
    const info = await client.dataBreakpointInfoRequest({ variablesReference: 0, name: "睡了" });
    await client.setDataBreakpointsRequest({ breakpoints: [{ dataId: String(info.body.dataId) }] });
    await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: "good_night" }] });
    const logged = client.waitForEvent("output", PATIENCE);
    await say("小林");
    expect(JSON.stringify((await logged).body)).toContain("小林");
    const data = await say("8 个小时");
    expect(data.body.reason).toBe("data breakpoint");
    const next = stopped();
    await client.continueRequest({ threadId: 1 });
    await next;
    expect((await top()).name).toBe("action: good_night");
  });

  it("shows variables, sets them by their rules, and evaluates", async () => {
    await launched();
    await say("小林");
    await client.setBreakpointsRequest({ source: { path: program }, breakpoints: [{ line: action("enough") }] });
    await say("7");
    const held = await variables();
    expect(held.睡了?.value).toBe("7");
    const reference = held.睡了?.reference ?? 0;
    await client.setVariableRequest({ variablesReference: reference, name: "睡了", value: "9" });
    expect((await client.evaluateRequest({ expression: "睡了 + 1", context: "watch" })).body.result).toBe("10");
    await expect(
      client.setVariableRequest({ variablesReference: reference, name: "睡了", value: "99" }),
    ).rejects.toThrow();
    await expect(client.evaluateRequest({ expression: "睡了 +", context: "watch" })).rejects.toThrow();
  });

  it("holds where something of a kind happens, of a name and under a condition, and says what", async () => {
    writeFileSync(program, HAPPENING);
    writeFileSync(join(folder, "watch.yaml"), WATCHED);
    const { exceptionBreakpointFilters: known, ...can } = (await client.initializeRequest()).body ?? {};
    expect(can.supportsExceptionFilterOptions).toBe(true);
    expect(known?.every((each) => each.supportsCondition && each.conditionDescription)).toBe(true);
    const offered = ["fault", "verdict", "directive", "exit", "call", "variable", "round", "return"];
    expect(known?.map((each) => each.filter)).toEqual(offered);
    const begun = stopped();
    const ready = client.waitForEvent("initialized", PATIENCE);
    await client.launchRequest({ program } as never);
    await ready;
    await client.configurationDoneRequest();
    await begun;
    /** What is said, and all that it is held at until it waits again. */
    const held = async (words: string, ...filterOptions: { filterId: string; condition?: string }[]) => {
      const told = await client.setExceptionBreakpointsRequest({ filters: [], filterOptions });
      expect(told.body?.breakpoints?.map((each) => each.verified)).toEqual(filterOptions.map(() => true));
      const found: string[] = [];
      let event = await say(words);
      while (event.body?.reason === "exception") {
        const info = await client.customRequest("exceptionInfo", { threadId: 1 });
        found.push(`${info.body.exceptionId} ${info.body.description}`);
        const next = Promise.race([stopped(), client.waitForEvent("terminated", PATIENCE)]);
        await client.continueRequest({ threadId: 1 });
        event = await next;
      }
      return found;
    };
    const one = (pattern: RegExp) => [expect.stringMatching(pattern)];
    const called = { filterId: "directive", condition: "CALL_TECHNIQUE" };
    const other = { filterId: "directive", condition: "JUMP" };
    expect(await held("我睁不开眼了", called, other)).toEqual(one(/^directive .*"CALL_TECHNIQUE"/));
    const left = { filterId: "exit", condition: "exit_criteria" };
    const most = { filterId: "exit", condition: "max_rounds" };
    expect(await held("好些", left, most)).toEqual(one(/^exit .*"action": "felt".*"exit_criteria"/));
    const back = { filterId: "return", condition: "breathing" };
    expect(await held("小林", { filterId: "fault" }, back)).toEqual(one(/^fault .*睡了: range/));
    const few = { filterId: "variable", condition: "睡了 if 睡了 < 6" };
    const many = { filterId: "variable", condition: "睡了 if 睡了 >= 6" };
    expect(await held("4 个小时", few, many)).toEqual(one(/^variable .*"睡了"/));
    expect(await held("我想自杀", { filterId: "verdict" })).toEqual(one(/^verdict .*suicide_risk/));
  });

  it("holds before a prompt of one template, and tells what it cannot hold at", async () => {
    await launched({ answers: "test", table: {} });
    const wrong = await client.setExceptionBreakpointsRequest({
      filters: ["fault"],
      filterOptions: [{ filterId: "exit", condition: "if 睡了 <" }, { filterId: "weather" }],
    });
    const told = wrong.body?.breakpoints ?? [];
    expect(told.map((each) => each.verified)).toEqual([true, false, false]);
    expect(told[1]?.message).toContain("not an expression");
    expect(told[2]?.message).toContain("weather");
    const at = async (condition: string, words: string) => {
      await client.setExceptionBreakpointsRequest({ filters: [], filterOptions: [{ filterId: "call", condition }] });
      return (await say(words)).body?.reason;
    };
    expect(await at("no_such_template", "小林")).toBe("pause");
    expect(await at("risk", "4 个小时")).toBe("exception");
    const info = await client.customRequest("exceptionInfo", { threadId: 1 });
    expect(info.body).toMatchObject({ exceptionId: "prompt", description: expect.stringContaining("risk") });
  });

  it("shows session, phase, topic, action and technique as levels, and their scopes", async () => {
    await launched();
    await client.setBreakpointsRequest({ source: { path: program }, breakpoints: [{ line: action("felt") }] });
    await say("小林");
    await say("4 个小时");
    const frames = (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
    expect(frames.map((each) => each.name)).toEqual([
      "action: felt",
      "technique: sleepy/breathing",
      "action: breathe",
      "topic: hours",
      "phase: sleep",
      "session: sleepy/sleep",
    ]);
    expect(frames.every((each) => each.source?.path === program && each.line > 0)).toBe(true);
    const scopes = (await client.scopesRequest({ frameId: 1 })).body.scopes.map((each) => each.name);
    expect(scopes.some((each) => each.startsWith("topic"))).toBe(true);
    expect(scopes.some((each) => each.startsWith("session"))).toBe(true);
    const places = await client.customRequest("breakpointLocations", {
      source: { path: program },
      line: 1,
      endLine: lines.length,
    });
    expect(places.body.breakpoints).toHaveLength(9);
    const hover = await client.evaluateRequest({ expression: "睡了", context: "hover", frameId: 1 });
    expect(hover.body.result).toBe("4");
    const asked = await client.evaluateRequest({ expression: "= 睡了 * 2", context: "repl", frameId: 1 });
    expect(asked.body.result).toBe("8");
  });

  it("is left, kept in a data folder, and attached to where it stood", { timeout: 6 * PATIENCE }, async () => {
    const started = join(folder, "kept.sh");
    writeFileSync(started, `exec "${command}" dap --data "${join(folder, "kept")}"\n`);
    const inFolder = async () => {
      const made = new DebugClient("sh", started, "heartrule");
      made.defaultTimeout = PATIENCE;
      await made.start();
      return made;
    };
    await client.stop();
    const begun = await inFolder();
    await Promise.all([
      begun.configurationSequence(),
      begun.launch({ program }),
      begun.waitForEvent("stopped", PATIENCE),
    ]);
    const next = begun.waitForEvent("stopped", PATIENCE);
    await begun.evaluateRequest({ expression: "小林", context: "repl" });
    await next;
    const { id } = (await begun.customRequest("heartrule/session")).body;
    const left = begun.waitForEvent("terminated", PATIENCE);
    await begun.disconnectRequest({ terminateDebuggee: false });
    await left;
    client = await inFolder();
    await client.initializeRequest();
    await expect(client.attachRequest({ session: "none" } as never)).rejects.toThrow();
    const there = client.waitForEvent("stopped", PATIENCE);
    const ready = client.waitForEvent("initialized", PATIENCE);
    await client.attachRequest({ session: id, program } as never);
    await ready;
    await client.configurationDoneRequest();
    await there;
    expect((await top()).name).toBe("action: how_long");
    expect((await variables()).名字?.value).toBe("小林");
  });

  it("goes on with a text that was changed on disk, and restarts", async () => {
    await launched();
    await say("小林");
    writeFileSync(program, talk.replace("今晚早点睡", "今晚十一点前睡"));
    const next = stopped();
    const told = await client.customRequest("heartrule/reload");
    await next;
    expect(JSON.stringify(told.body.report)).toContain("how_long");
    const again = stopped();
    await client.restartRequest({});
    await again;
    expect((await top()).name).toBe("action: name");
  });

  it("refuses what it cannot do, and says why", async () => {
    writeFileSync(program, talk.replace("type: say", "type: sing"));
    await expect(client.launch({ program })).rejects.toThrow(/talk\.yaml:\d+/);
    await expect(client.customRequest("nonsense")).rejects.toThrow(/nonsense/);
  });
});
