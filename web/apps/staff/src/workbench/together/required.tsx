import { type ReactNode, useCallback, useEffect, useId, useState } from "react";
import { ask, Refusal } from "../../shell/api.js";
import { useBook, useHere } from "../project/context.js";
import type { Both } from "../text/shapes.js";
import { said, useWords } from "../words/speaking.js";
import { Window } from "../words/window.js";
import {
  type Brought,
  BroughtList,
  type Capable,
  digestsOf,
  FindingLines,
  May,
  type Package,
  type PackageFinding,
} from "./packages.js";

interface Requirement extends Capable {
  name: string;
  version: string;
  wanted: string;
  by: string[];
  licence: string;
  description: string;
  newer: string;
}

interface Standing {
  on: boolean;
  unread: Both | null;
  required: Requirement[];
}

interface Plan {
  name: string;
  version: string;
  brings: Brought[];
  gone: string[];
  findings: PackageFinding[];
}

interface Wrong {
  message: string;
  findings: PackageFinding[];
}

type Shown = { plan: Plan } | { name: string; texts: Record<string, string> } | null;

/** The packages that a project requires: looked at, added, changed for newer ones, left out. */
export function RequiredDialog({ close, reopen }: { close(): void; reopen(): void }) {
  const { opened } = useHere();
  const t = useWords();
  useBook();
  const [standing, setStanding] = useState<Standing | null>(null);
  const [shown, setShown] = useState<Shown>(null);
  const [changed, setChanged] = useState(false);
  const { busy, wrong, attempt } = useAttempt();
  const at = `/workbench/projects/${encodeURIComponent(opened.project.id)}/requires`;
  useEffect(() => void attempt(async () => setStanding(await ask<Standing>(at))), [attempt, at]);
  const unsaved = opened.book.changed.length > 0;
  const writable = opened.project.writable && !unsaved;
  const look = (name: string, version: string) =>
    attempt(async () => {
      const plan = await ask<Omit<Plan, "name" | "version">>(`${at}/${encodeURIComponent(name)}/${version}`);
      setShown({ plan: { name, version, ...plan } });
    });
  const done = (now: Standing) => {
    setStanding(now);
    setShown(null);
    setChanged(true);
  };
  const take = ({ name, version, brings }: Plan) =>
    attempt(async () => {
      const body = { version, digests: digestsOf(brings) };
      done(await ask<Standing>(`${at}/${encodeURIComponent(name)}`, { method: "PUT", body }));
    });
  const leave = (name: string) =>
    attempt(async () => done(await ask<Standing>(`${at}/${encodeURIComponent(name)}`, { method: "DELETE" })));
  const read = (name: string) =>
    attempt(async () => {
      const { texts } = await ask<{ texts: Record<string, string> }>(`${at}/${encodeURIComponent(name)}/texts`);
      setShown({ name, texts });
    });
  const shut = () => {
    close();
    if (changed) reopen();
  };
  return (
    <Window title={t("required.name")} close={shut} wide>
      {wrong && (
        <div className="notice" role="alert">
          <p>{wrong.message}</p>
          <FindingLines findings={wrong.findings} />
        </div>
      )}
      {!standing && !wrong && <p role="status">{t("wait")}</p>}
      {shown && "plan" in shown && (
        <PlanShown plan={shown.plan} busy={busy} back={() => setShown(null)} take={() => void take(shown.plan)} />
      )}
      {shown && "texts" in shown && <TextsShown {...shown} back={() => setShown(null)} />}
      {standing && !shown && (
        <>
          <p className="soft">{t("required.about")}</p>
          {opened.project.writable && unsaved && <p className="notice">{t("required.unsaved")}</p>}
          {standing.unread && <p className="notice">{said(standing.unread)}</p>}
          {!standing.required.length && <p>{t("required.none")}</p>}
          <ul className="gallery-list">
            {standing.required.map((each) => (
              <Item key={each.name} item={each}>
                {each.version && (
                  <button type="button" className="second small" disabled={busy} onClick={() => void read(each.name)}>
                    {t("required.read")}
                  </button>
                )}
                {writable && each.newer && (
                  <button
                    type="button"
                    className="second small"
                    disabled={busy}
                    onClick={() => void look(each.name, each.newer)}
                  >
                    {t(each.version ? "required.update" : "required.mend", { version: each.newer })}
                  </button>
                )}
                {writable && (each.wanted || !each.by.length) && (
                  <button type="button" className="quiet small" disabled={busy} onClick={() => void leave(each.name)}>
                    {t("required.leave")}
                  </button>
                )}
              </Item>
            ))}
          </ul>
          {writable && standing.on && (
            <Adding there={standing.required.map((each) => each.name)} busy={busy} look={look} />
          )}
          {opened.project.writable && !standing.on && <p className="soft">{t("gallery.off")}</p>}
        </>
      )}
    </Window>
  );
}

function Item({ item, children }: { item: Requirement; children: ReactNode }) {
  const t = useWords();
  const facts = [
    item.licence,
    item.wanted && `${t("gallery.requires")} ${item.wanted}`,
    item.by.length > 0 && t("required.by", { by: item.by.join("、") }),
  ];
  return (
    <li>
      <h3>
        {item.name} <small>{item.version}</small>
      </h3>
      {!item.version && <p className="notice">{t("required.missing")}</p>}
      {item.description && <p>{item.description}</p>}
      <p className="soft">{facts.filter(Boolean).join(" · ")}</p>
      {item.version && (
        <details>
          <summary>{t("gallery.may")}</summary>
          <May of={item} />
        </details>
      )}
      <p className="acts">{children}</p>
    </li>
  );
}

/** What would come, before anything is kept. */
function PlanShown(props: { plan: Plan; busy: boolean; back(): void; take(): void }) {
  const { plan } = props;
  const t = useWords();
  return (
    <>
      <p>{t("required.before", { name: plan.name, version: plan.version })}</p>
      <BroughtList brings={plan.brings} />
      {plan.gone.length > 0 && <p>{t("required.gone", { names: plan.gone.join("、") })}</p>}
      {plan.findings.length > 0 && (
        <div className="notice">
          <p>{t("required.worse")}</p>
          <FindingLines findings={plan.findings} />
        </div>
      )}
      <p className="acts">
        <button type="button" className="main" disabled={props.busy} onClick={props.take}>
          {t(plan.findings.length ? "required.takeAnyway" : "required.take")}
        </button>
        <button type="button" className="quiet" onClick={props.back}>
          {t("required.back")}
        </button>
      </p>
    </>
  );
}

/** The texts of a package, to be read. */
function TextsShown({ name, texts, back }: { name: string; texts: Record<string, string>; back(): void }) {
  const t = useWords();
  return (
    <>
      <p className="soft">{t("required.readOnly", { name })}</p>
      {Object.entries(texts).map(([path, text]) => (
        <details key={path}>
          <summary>{path}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is come to by keyboard */}
          <pre className="package-text" tabIndex={0}>
            {text}
          </pre>
        </details>
      ))}
      <p className="acts">
        <button type="button" className="quiet" onClick={back}>
          {t("required.back")}
        </button>
      </p>
    </>
  );
}

/** Others of the index. */
function Adding(props: { there: string[]; busy: boolean; look(name: string, version: string): Promise<void> }) {
  const t = useWords();
  const id = useId();
  const [wanted, setWanted] = useState("");
  const [found, setFound] = useState<Package[] | null>(null);
  useEffect(() => {
    let over = false;
    const timer = setTimeout(() => {
      ask<{ packages: Package[] }>(`/workbench/packages?q=${encodeURIComponent(wanted)}`).then(
        (answer) => !over && setFound(answer.packages),
        () => {},
      );
    }, 250);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [wanted]);
  const others = (found ?? []).filter((each) => !props.there.includes(each.name));
  return (
    <section className="adding">
      <label htmlFor={id}>{t("required.add")}</label>
      <input id={id} type="search" value={wanted} onChange={(event) => setWanted(event.target.value)} />
      {found && !others.length && <p className="soft">{t("gallery.none")}</p>}
      <ul className="gallery-list">
        {others.map((each) => (
          <li key={each.name}>
            <h3>
              {each.name} <small>{each.version}</small>
            </h3>
            <p>{each.description}</p>
            <button
              type="button"
              className="second small"
              disabled={props.busy}
              onClick={() => void props.look(each.name, each.version)}
            >
              {t("required.look")}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function useAttempt() {
  const t = useWords();
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const attempt = useCallback(
    async (act: () => Promise<unknown>) => {
      setBusy(true);
      setWrong(null);
      try {
        await act();
      } catch (error) {
        const body = error instanceof Refusal ? error.body : {};
        const findings = Array.isArray(body["findings"]) ? (body["findings"] as PackageFinding[]) : [];
        setWrong({ message: (error as Error).message || t("failed"), findings });
      } finally {
        setBusy(false);
      }
    },
    [t],
  );
  return { busy, wrong, attempt };
}
