import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useAsked } from "../shell/asking.js";
import { line, meant } from "./place.js";
import type { Bench } from "./session.js";
import type { Descent, Reader, Variable } from "./shapes.js";

/** What the session knows, by scope; watches; and where a sentence or a value comes from. */
export function Variables({ bench }: { bench: Bench }) {
  const { t } = useTranslation("debugger");
  const { found } = useAsked<{ variables: Variable[] }>(
    `/debug/sessions/${bench.id}/variables?v=${bench.state.version}`,
  );
  const last = useLast(found?.variables);
  const scopes = [...new Set(last.map((each) => each.scope))].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  return (
    <div className="debug-variables">
      <Watches bench={bench} />
      {last.length === 0 && <p className="soft">{t("variables.none")}</p>}
      {scopes.map((scope) => (
        <section key={scope} aria-label={t(`scope.${scope}`)}>
          <h2>{t(`scope.${scope}`)}</h2>
          <ul>
            {last
              .filter((each) => each.scope === scope)
              .map((each) => (
                <One key={`${each.scope_key} ${each.name}`} bench={bench} variable={each} />
              ))}
          </ul>
        </section>
      ))}
      <Lineage bench={bench} />
    </div>
  );
}

const ORDER = ["topic", "phase", "session", "global"];

/** What came last, so that nothing flickers while it is asked again. */
function useLast(found: Variable[] | undefined): Variable[] {
  const [last, setLast] = useState<Variable[]>([]);
  if (found && found !== last) setLast(found);
  return found ?? last;
}

function One({ bench, variable }: { bench: Bench; variable: Variable }) {
  const { t } = useTranslation("debugger");
  const { act, does, state } = bench;
  const [text, setText] = useState<string | null>(null);
  const [readers, setReaders] = useState<Reader[] | null>(null);
  const value = line(variable.value);
  const set = (event: FormEvent) => {
    event.preventDefault();
    void does(async () => {
      const name = `${variable.scope}.${variable.name}`;
      const told = await act<{ written: boolean }>("variables", { name, value: meant(text ?? "") }, "PUT");
      if (!told.written) throw new Error(t("variables.refused"));
      setText(null);
    });
  };
  const look = () =>
    void does(async () => {
      const name = encodeURIComponent(variable.name);
      setReaders((await ask<{ readers: Reader[] }>(`/debug/sessions/${bench.id}/lineage/variable/${name}`)).readers);
    });
  return (
    <li className={variable.changed ? "changed" : ""}>
      <details>
        <summary>
          <b>{variable.name}</b> = <span className="debug-value">{value}</span>
          {!variable.seen && <span className="soft"> {t("variables.hidden")}</span>}
        </summary>
        <dl>
          <dt>{t("variables.type")}</dt>
          <dd>{variable.type}</dd>
          <dt>{t("variables.source")}</dt>
          <dd>
            {variable.source} · {variable.strategy}
          </dd>
          {variable.evidence && (
            <>
              <dt>{t("variables.evidence")}</dt>
              <dd>“{variable.evidence}”</dd>
            </>
          )}
          <dt>{t("variables.history")}</dt>
          <dd>
            <ol>
              {variable.history.map((each, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: history only grows at its end
                <li key={index}>
                  {t("turnShort", { turn: each.turn })} {line(each.value)} · {each.source} · {each.strategy}
                  {each.outcome !== "written" && ` · ${each.outcome} ${each.reason}`}
                </li>
              ))}
            </ol>
          </dd>
        </dl>
        {text === null ? (
          <p className="acts">
            <button type="button" disabled={state.status === "closed"} onClick={() => setText(value)}>
              {t("variables.edit")}
            </button>
            <button type="button" onClick={look}>
              {t("variables.readers")}
            </button>
            <button
              type="button"
              onClick={() =>
                bench.points([
                  ...state.breakpoints,
                  {
                    id: `variable-${state.breakpoints.length}-${variable.name.length}`,
                    on: "variable",
                    name: variable.name,
                  } as never,
                ])
              }
            >
              {t("variables.hold")}
            </button>
          </p>
        ) : (
          <form onSubmit={set}>
            <label>
              <span className="hidden">{t("variables.value", { name: variable.name })}</span>
              <input value={text} onChange={(event) => setText(event.target.value)} />
            </label>
            <button type="submit">{t("variables.set")}</button>
            <button type="button" onClick={() => setText(null)}>
              {t("drop")}
            </button>
          </form>
        )}
        {readers && (
          <ul className="debug-readers">
            {readers.length === 0 && <li className="soft">{t("variables.nobody")}</li>}
            {readers.map((each) => (
              <li key={`${each.kind} ${each.what} ${each.turn} ${each.key}`}>
                {t(`reader.${each.kind}`)} {each.what}
                {each.at && ` · ${each.at.file}:${each.at.line}`}
                {each.turn > 0 ? ` · ${t("turnShort", { turn: each.turn })}` : ` · ${t("reader.notYet")}`}
              </li>
            ))}
          </ul>
        )}
      </details>
    </li>
  );
}

function Watches({ bench }: { bench: Bench }) {
  const { t } = useTranslation("debugger");
  const { state, act, does } = bench;
  const [text, setText] = useState("");
  const all = state.watches.map((each) => each.expression);
  const put = (watches: string[]) => does(() => act("watches", { watches }, "PUT"));
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) void put([...all, text.trim()]).then(() => setText(""));
  };
  return (
    <section aria-label={t("watch.title")}>
      <h2>{t("watch.title")}</h2>
      <ul>
        {state.watches.map((each) => (
          <li key={each.expression}>
            <code>{each.expression}</code> ={" "}
            <span className="debug-value">{each.problem || line(each.value ?? null)}</span>{" "}
            <button type="button" onClick={() => void put(all.filter((one) => one !== each.expression))}>
              {t("watch.drop", { expression: each.expression })}
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={add}>
        <label>
          <span className="hidden">{t("watch.expression")}</span>
          <input value={text} placeholder={t("watch.expression")} onChange={(event) => setText(event.target.value)} />
        </label>
        <button type="submit">{t("watch.add")}</button>
      </form>
    </section>
  );
}

/** Where a sentence comes from. */
function Lineage({ bench }: { bench: Bench }) {
  const { t } = useTranslation("debugger");
  const [number, setNumber] = useState("");
  const [found, setFound] = useState<Descent | null>(null);
  const look = (event: FormEvent) => {
    event.preventDefault();
    void bench.does(async () =>
      setFound(await ask<Descent>(`/debug/sessions/${bench.id}/lineage/message/${Number(number)}`)),
    );
  };
  const origins = found ? [...found.through.flatMap((each) => each.variables), ...found.written] : [];
  return (
    <section aria-label={t("lineage.title")}>
      <h2>{t("lineage.title")}</h2>
      <form onSubmit={look}>
        <label>
          {t("lineage.number")}
          <input inputMode="numeric" size={4} value={number} onChange={(event) => setNumber(event.target.value)} />
        </label>
        <button type="submit" disabled={!number}>
          {t("lineage.look")}
        </button>
      </form>
      {found && (
        <div className="debug-lineage">
          <p>“{found.message.content}”</p>
          <p className="soft">
            {t("turnShort", { turn: found.turn })} · {found.action ?? "–"}
            {found.at && ` · ${found.at.file}:${found.at.line}`}
          </p>
          {found.through.map((each) => (
            <p key={each.key}>
              {t("lineage.call")} {each.template}
            </p>
          ))}
          <ul>
            {origins.map((each) => (
              <li key={`${each.scope} ${each.name}`}>
                {each.name} = {line(each.value)} · {each.source} · {each.strategy}
                {each.evidence && ` · “${each.evidence}”`}
                {each.message && ` · ${t("lineage.message", { number: each.message })}`}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
