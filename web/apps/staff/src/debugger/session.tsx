import { useCallback, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useAsked, useDeed } from "../shell/asking.js";
import { Awareness } from "./awareness.js";
import { Calls } from "./calls.js";
import { Chat } from "./chat.js";
import { Controls, useKeys } from "./controls.js";
import { type Following, useFollowing } from "./following.js";
import { Points } from "./points.js";
import { Report } from "./report.js";
import { Script } from "./script.js";
import type { Breakpoint, Carried, State, Texts } from "./shapes.js";
import { Tabs } from "./tabs.js";
import { Timeline } from "./timeline.js";
import { Variables } from "./variables.js";
import { Visitor } from "./visitor.js";

export interface Bench {
  id: string;
  state: State;
  act: Following["act"];
  put: Following["put"];
  /** Do it, and say what went wrong. */
  does(deed: () => Promise<unknown>): Promise<boolean>;
  busy: boolean;
  texts: Texts;
  /** What was changed here and is not in the session yet. */
  changed: Readonly<Record<string, string>>;
  change(file: string, text: string): void;
  /** Edit and go on. */
  apply(more?: Readonly<Record<string, string>>): Promise<void>;
  points(next: readonly Breakpoint[]): void;
  /** A message of the person's, to be said again. */
  offer: string;
  setOffer(words: string): void;
}

const TABS = {
  variables: Variables,
  calls: Calls,
  awareness: Awareness,
  points: Points,
  timeline: Timeline,
  visitor: Visitor,
} as const;

/** One debug session: the conversation, the script, what it knows, what it asked, and how it goes on. */
export function Session({ id }: { id: string }) {
  const { t } = useTranslation("debugger");
  const { state, gone, act, put } = useFollowing(id);
  if (gone)
    return (
      <div className="page">
        <p role="alert">{t("gone")}</p>
        <Link href="/">{t("title")}</Link>
      </div>
    );
  if (!state)
    return (
      <p className="page" role="status">
        {t("opening")}
      </p>
    );
  return <Held id={id} state={state} act={act} put={put} />;
}

function Held({ id, state, act, put }: { id: string; state: State } & Pick<Following, "act" | "put">) {
  const { t } = useTranslation("debugger");
  const { busy, trouble, does, clear } = useDeed();
  const { found, again } = useAsked<{ texts: Record<string, string> }>(`/debug/sessions/${id}/texts`);
  const [typed, setChanged] = useState<Record<string, string>>({});
  const [report, setReport] = useState<Carried[]>([]);
  const [offer, setOffer] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts are other ones when their hash is
  useEffect(() => void again(), [state.text, again]);
  const texts = useMemo(() => found?.texts ?? {}, [found]);
  // What the session has come to by another way, such as playing it again, is no change any more.
  const changed = useMemo(
    () => Object.fromEntries(Object.entries(typed).filter(([file, text]) => text !== texts[file])),
    [typed, texts],
  );

  const apply = useCallback(
    async (more: Readonly<Record<string, string>> = {}) => {
      const told = await act<{ report: Carried[] }>("text", { texts: { ...changed, ...more } });
      setReport(told.report);
      setChanged({});
    },
    [act, changed],
  );
  const change = useCallback(
    (file: string, text: string) => {
      clear();
      setChanged((before) => {
        const { [file]: _, ...rest } = before;
        return text === texts[file] ? rest : { ...rest, [file]: text };
      });
    },
    [texts, clear],
  );
  const points = useCallback(
    (next: readonly Breakpoint[]) => void does(() => act("breakpoints", { breakpoints: next }, "PUT")),
    [act, does],
  );
  const bench: Bench = { id, state, act, put, does, busy, texts, changed, change, apply, points, offer, setOffer };
  useKeys(bench);

  return (
    <div className="debug">
      <header className="debug-head">
        <h1>{state.name}</h1>
        <p className="soft">
          {t(`status.${state.status}`)} · {t("turn", { turn: state.turn })} · {t("branch", { branch: state.branch })}
        </p>
      </header>
      <Controls bench={bench} />
      <p role="alert" className="line debug-trouble">
        {trouble}
      </p>
      <Report report={report} onDone={() => setReport([])} />
      <div className="debug-panes">
        <section className="debug-chat" aria-label={t("panes.chat")}>
          <Chat bench={bench} />
        </section>
        <section className="debug-script" aria-label={t("panes.script")}>
          <Script bench={bench} />
        </section>
        <section className="debug-side" aria-label={t("panes.side")}>
          <Tabs
            label={t("panes.side")}
            tabs={(Object.keys(TABS) as (keyof typeof TABS)[]).map((name) => {
              const Panel = TABS[name];
              return { name, title: t(`tabs.${name}`), panel: () => <Panel bench={bench} /> };
            })}
          />
        </section>
      </div>
    </div>
  );
}
