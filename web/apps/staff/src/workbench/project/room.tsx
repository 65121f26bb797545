import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { locale } from "../../shell/language.js";
import { useTitle } from "../../shell/title.js";
import { answer, type Place } from "../code/commands.js";
import { extensionsOf } from "../code/extensions.js";
import { NameDialog, PlacesList } from "../code/named.js";
import { TextView } from "../code/textview.js";
import { FlowView } from "../flow/flowview.js";
import { FormView } from "../forms/formview.js";
import { RelationsView } from "../graph/relationsview.js";
import { Panel } from "../panel/panel.js";
import { flushed } from "../panel/pausing.js";
import { followed } from "../text/following.js";
import type { Coverage, Finding, FlowMap, MapNode, Project, Variable } from "../text/shapes.js";
import { Company } from "../together/company.js";
import { TogetherContext, useTogether } from "../together/context.js";
import { Newer } from "../together/newer.js";
import { RequiredDialog } from "../together/required.js";
import { ScoreDialog } from "../together/score.js";
import type { Spot } from "../together/shapes.js";
import { ThreadsPane } from "../together/threadspane.js";
import { Tour } from "../tour/tour.js";
import { TryPane } from "../try/trypane.js";
import { VariablesView } from "../variables/variablesview.js";
import { Icon } from "../words/icon.js";
import { said, useWords } from "../words/speaking.js";
import { Contents } from "./contents.js";
import { type Asked, type Focus, type Here, HereContext, useAsked, useHere, type ViewName } from "./context.js";
import { FindingsList } from "./findingslist.js";
import { RoomHead } from "./head.js";
import { KnownContext, useKnown } from "./names.js";
import { Notices } from "./notices.js";
import { Opened } from "./opened.js";
import { SaveDialog } from "./save.js";
import { projects } from "./server.js";
import { VersionsView } from "./versionsview.js";

const VIEWS: readonly ViewName[] = ["flow", "text", "variables", "relations", "versions"];

/** A project that is opened: what is said until it is, and when it cannot be. */
export function Room({ id }: { id: string }) {
  const t = useWords();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const language = locale();
  // biome-ignore lint/correctness/useExhaustiveDependencies: tries: opened anew after another version was put in its place
  useEffect(() => {
    let over = false;
    let made: Opened | null = null;
    setFailed(null);
    (async () => {
      const project = await projects.one(id);
      const label = (path: string) => t("text.editorOf", { path });
      made = await Opened.open(project, language, (own, path) => extensionsOf(own, path, language, label(path)));
      if (over) made.close();
      else setOpened(made);
    })().catch((error: Error) => !over && setFailed(error.message || t("failed")));
    return () => {
      over = true;
      setOpened(null);
      made?.close();
    };
  }, [id, language, t, tries]);
  if (failed !== null)
    return (
      <div className="page" role="alert">
        <p>{failed}</p>
        <button type="button" className="main" onClick={() => setTries(tries + 1)}>
          {t("again")}
        </button>
      </div>
    );
  if (!opened) return <p className="page soft">{t("opening")}</p>;
  return <OpenRoom opened={opened} reopen={() => setTries((before) => before + 1)} />;
}

function OpenRoom({ opened, reopen }: { opened: Opened; reopen(): void }) {
  const t = useWords();
  const [params, setParams] = useSearchParams();
  const [focus, setFocus] = useState<Focus | null>(null);
  const [file, setFile] = useState<string | null>(null);
  const [at, setAt] = useState<{ from: number; to: number } | null>(null);
  const [lit, light] = useState<string | null>(null);
  const [told, setTold] = useState<{ text: string; problem: boolean; number: number } | null>(null);
  const asked = params.get("view") as ViewName | null;
  const view = asked && VIEWS.includes(asked) ? asked : "flow";
  const script = params.get("script");
  useTitle(opened.project.name);

  useEffect(() => {
    opened.operated = (file, operation) =>
      setFocus((before) => {
        if (before?.file !== file) return before;
        const path = followed(before.path, operation);
        if (!path) return null;
        return String(path) === String(before.path) ? before : { file, path, quiet: true };
      });
    return () => {
      opened.operated = () => {};
    };
  }, [opened]);

  const look = useCallback(
    (next: ViewName) => {
      flushed();
      setParams((before) => {
        before.set("view", next);
        return before;
      });
    },
    [setParams],
  );
  const draw = useCallback(
    (next: string) => {
      flushed();
      setFocus(null);
      setParams((before) => {
        before.set("script", next);
        before.set("view", "flow");
        return before;
      });
    },
    [setParams],
  );
  const goTo = useCallback(
    (next: string, place?: { from: number; to: number }) => {
      setFile(next);
      if (place) setAt({ ...place });
      look("text");
    },
    [look],
  );
  const say = useCallback((text: string, problem = false) => {
    setTold((before) => ({ text, problem, number: (before?.number ?? 0) + 1 }));
  }, []);

  const company = useMemo(() => new Company(opened), [opened]);
  useEffect(() => {
    company.start();
    return () => company.close();
  }, [company]);
  useEffect(() => {
    company.look(focus?.file ?? null, focus?.path ?? [], focus !== null);
  }, [company, focus]);
  const [beside, setBeside] = useState<{ shown: boolean; at: Spot | null }>({ shown: false, at: null });
  const together = useMemo(
    () => ({ company, ...beside, show: (shown: boolean, at: Spot | null = null) => setBeside({ shown, at }) }),
    [company, beside],
  );
  const here: Here = useMemo(
    () => ({ opened, view, look, script, draw, focus, setFocus, file, goTo, lit, light, say }),
    [opened, view, look, script, draw, focus, file, goTo, lit, say],
  );
  useEffect(() => {
    if (!told) return;
    const timer = setTimeout(() => setTold(null), told.problem ? 12_000 : 5_000);
    return () => clearTimeout(timer);
  }, [told]);
  return (
    <HereContext value={here}>
      <TogetherContext value={together}>
        <Inner at={at} reopen={reopen} />
      </TogetherContext>
      <div className="said" role="status">
        {told && (
          <p key={told.number} className={told.problem ? "toast problem" : "toast"}>
            {told.text}
            <button type="button" className="icon" aria-label={t("act.close")} onClick={() => setTold(null)}>
              <Icon name="close" />
            </button>
          </p>
        )}
      </div>
    </HereContext>
  );
}

function Inner({ at, reopen }: { at: { from: number; to: number } | null; reopen(): void }) {
  const { opened, view, look, script, file, focus, setFocus, goTo, say } = useHere();
  const { shown: talking, at: talkedOf, show } = useTogether();
  const t = useWords();
  const found = useAsked<{ findings: Finding[] }>("findings", EVERYTHING);
  const map = useAsked<FlowMap>("map", EVERYTHING, view === "flow" ? undefined : SLOWLY);
  const vars = useAsked<{ variables: Variable[] }>("variables", EVERYTHING, SLOWLY);
  const [coverage, setCoverage] = useState<Coverage | null>(null);
  const [saving, setSaving] = useState(false);
  const [trying, setTrying] = useState(false);
  const [weighing, setWeighing] = useState(false);
  const [requiring, setRequiring] = useState(false);
  const [listing, setListing] = useState(false);
  const [contents, setContents] = useState(() => innerWidth > 960);
  const [naming, setNaming] = useState<{ old: string; done(name: string | null): void } | null>(null);
  const [places, setPlaces] = useState<{ name: string; places: Place[] } | null>(null);
  const findings = useFindings(opened, found);
  const variables = useLast(vars.answer?.variables) ?? NOTHING;
  const drawnMap = useLast(map.answer);
  const drawn = useRef(drawnMap);
  drawn.current = drawnMap;
  const known = useMemo(() => ({ map: drawnMap ?? null, variables }), [drawnMap, variables]);
  const root = useMemo(() => rootOf(drawnMap, script), [drawnMap, script]);
  const shownFile = file && opened.book.has(file) ? file : (root?.file ?? opened.book.paths[0] ?? null);

  const shown = useRef(shownFile);
  shown.current = view === "text" ? shownFile : (root?.file ?? null);
  const undo = useCallback(
    (back: boolean) => {
      flushed();
      const paths = back ? opened.book.undo() : opened.book.redo();
      if (!paths.length) return;
      opened.turned();
      const elsewhere = paths.filter((path) => path !== shown.current);
      const where = elsewhere.length ? t("inFiles", { files: elsewhere.join("、") }) : "";
      say(`${t(back ? "undone" : "redone")}${where}`);
    },
    [opened, say, t],
  );
  useEffect(() => {
    answer({
      name: (old) => new Promise((done) => setNaming({ old, done })),
      goTo: (place) => goTo(place.file, spanIn(opened, place.file, place.range)),
      list: (name, found) => setPlaces({ name, places: found }),
      say,
      undo: () => undo(true),
      redo: () => undo(false),
      save: () => setSaving(true),
      comment: (path, line) => {
        const node = deepest(drawn.current, path, line);
        show(true, { file: path, path: node?.path ?? [] });
      },
    });
    return () => answer(null);
  }, [opened, goTo, say, undo, show]);
  useKeys({ undo, save: () => opened.project.writable && setSaving(true), attempt: () => setTrying((now) => !now) });

  const runTests = async () => {
    try {
      const run = await opened.server.test(opened.unsaved());
      say(t("tests.ran", { passed: run.passed, failed: run.failed }), run.failed > 0);
      setCoverage(await opened.server.coverage());
    } catch (error) {
      say((error as Error).message || t("failed"), true);
    }
  };
  const isForm = view === "flow" && root?.kind === "form";
  return (
    <KnownContext value={known}>
      <div className="room">
        <RoomHead
          findings={findings}
          undo={undo}
          save={() => setSaving(true)}
          trying={trying}
          attempt={() => setTrying(!trying)}
          listing={listing}
          list={() => setListing(!listing)}
          contents={contents}
          showContents={() => setContents(!contents)}
          runTests={runTests}
          weigh={() => setWeighing(true)}
          packages={() => setRequiring(true)}
        />
        <Notices reopen={reopen} />
        <Newer reopen={reopen} />
        <div className={`room-body${trying ? " trying" : ""}`}>
          {contents && <Contents map={drawnMap ?? null} root={root} file={shownFile} findings={findings} />}
          <div className="view" data-view={view}>
            {view === "flow" && !drawnMap && <p className="soft inset">{map.failed || t("wait")}</p>}
            {view === "flow" && drawnMap && !root && <Empty map={drawnMap} />}
            {view === "flow" && drawnMap && root && !isForm && (
              <FlowView key={root.id} map={drawnMap} root={root} coverage={coverage} />
            )}
            {isForm && root && <FormView key={root.id} root={root} />}
            {view === "text" && shownFile && <TextView path={shownFile} findings={findings} at={at} />}
            {view === "variables" && <VariablesView />}
            {view === "relations" && <RelationsView />}
            {view === "versions" && <VersionsView reopen={reopen} />}
            {places && <PlacesList {...places} close={() => setPlaces(null)} />}
            {listing && <FindingsList findings={findings} close={() => setListing(false)} />}
          </div>
          {talking && <ThreadsPane key={String(talkedOf?.path)} />}
          {view === "flow" && focus && !talking && <Panel close={() => setFocus(null)} />}
          {trying && <TryPane root={root} close={() => setTrying(false)} />}
        </div>
        {naming && (
          <NameDialog
            old={naming.old}
            done={(name) => {
              setNaming(null);
              naming.done(name);
            }}
          />
        )}
        {requiring && <RequiredDialog close={() => setRequiring(false)} reopen={reopen} />}
        {weighing && <ScoreDialog close={() => setWeighing(false)} />}
        <Tour />
        {saving && <SaveDialog close={() => setSaving(false)} look={look} />}
      </div>
    </KnownContext>
  );
}

const EVERYTHING = {};
/** Milliseconds of rest for what is not in front of somebody who writes. */
const SLOWLY = 600;
const NONE: Finding[] = [];
const NOTHING: Variable[] = [];

/** What is found in the texts: at once as it is told, and with its mends as soon as they are known; what is told behind
 * that, of the same text, takes none of them away. */
function useFindings(opened: Opened, asked: Asked<{ findings: Finding[] }>): Finding[] {
  const [findings, setFindings] = useState(NONE);
  const known = useRef(NONE);
  known.current = asked.answer && !asked.stale ? asked.answer.findings : NONE;
  useEffect(() => {
    opened.language.found = (path, found) => {
      const whole = found.map((each) => known.current.find((one) => isSame(one, each)) ?? each);
      setFindings((before) => [...before.filter((each) => each.file !== path), ...whole]);
    };
    return () => {
      opened.language.found = () => {};
    };
  }, [opened]);
  useEffect(() => {
    if (asked.answer && !asked.stale) setFindings(asked.answer.findings);
  }, [asked.answer, asked.stale]);
  return findings;
}

function isSame(one: Finding, other: Finding): boolean {
  const at = ({ range: { start, end } }: Finding) => `${start.line}:${start.character}-${end.line}:${end.character}`;
  return one.file === other.file && one.code === other.code && one.message === other.message && at(one) === at(other);
}

/** What was there last, until there is something else. */
function useLast<T>(value: T | null | undefined): T | undefined {
  const last = useRef<T | undefined>(undefined);
  if (value !== null && value !== undefined) last.current = value;
  return last.current;
}

/** The script that is drawn: the one that was chosen, else the first session, else the first of all. */
export function rootOf(map: FlowMap | null | undefined, script: string | null): MapNode | null {
  const roots = (map?.nodes ?? []).filter((node) => node.parent === null && node.kind !== "variables");
  return (
    roots.find(
      (node) => node.id === script || (script !== null && `${node.kind}:${node.detail || node.label}` === script),
    ) ??
    roots.find((node) => node.kind === "session") ??
    roots[0] ??
    null
  );
}

/** The node within all others that a line belongs to. */
function deepest(map: FlowMap | undefined, file: string, line: number): MapNode | null {
  const around = (map?.nodes ?? []).filter(
    (node) => node.file === file && node.range.start.line <= line && line <= node.range.end.line,
  );
  return around.sort((one, other) => other.path.length - one.path.length)[0] ?? null;
}

/** How a script is named in the address: it stays when others come and go before it. */
export function scriptOf(node: MapNode): string {
  return `${node.kind}:${node.detail || node.label}`;
}

function spanIn(opened: Opened, file: string, range: Finding["range"]): { from: number; to: number } {
  const { doc } = opened.book.sheet(file).state;
  const at = ({ line, character }: { line: number; character: number }) =>
    Math.min(doc.line(Math.min(doc.lines, line + 1)).from + character, doc.length);
  return { from: at(range.start), to: at(range.end) };
}

function Empty({ map }: { map: FlowMap }) {
  const t = useWords();
  const { goTo } = useHere();
  const [locked] = map.locked;
  return (
    <div className="inset">
      <p>{t("flow.empty")}</p>
      {locked && (
        <button type="button" className="second" onClick={() => goTo(locked.file)}>
          {t("flow.locked", { line: locked.line })} {said(locked.reason)}
        </button>
      )}
    </div>
  );
}

/** The keys of the whole page; within the text the editor has the same. */
function useKeys(acts: { undo(back: boolean): void; save(): unknown; attempt(): void }): void {
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    const heard = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      const does =
        key === "z"
          ? () => latest.current.undo(!event.shiftKey)
          : key === "y"
            ? () => latest.current.undo(false)
            : key === "s"
              ? () => latest.current.save()
              : key === "enter"
                ? () => latest.current.attempt()
                : null;
      if (!does) return;
      event.preventDefault();
      does();
    };
    addEventListener("keydown", heard);
    return () => removeEventListener("keydown", heard);
  }, []);
}

export type { Project };
export { useKnown };
