import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useAsked } from "../shell/asking.js";
import { line } from "./place.js";
import type { Bench } from "./session.js";
import type { Carried, Comparison, Snapshot } from "./shapes.js";

interface OpenedSnapshot {
  variables: Record<string, Record<string, unknown>>;
  messages: { seq: number; sender: string; content: string }[];
  llm_calls: { key: string; template: string; answer: unknown }[];
  timestamp: string;
}

/** Every place that can be gone back to, the branches that came of it, and two of them beside each other. */
export function Timeline({ bench }: { bench: Bench }) {
  const { t } = useTranslation("debugger");
  const { id, state, act, does, busy, setOffer } = bench;
  const { found } = useAsked<{ snapshots: Snapshot[] }>(`/debug/sessions/${id}/snapshots?v=${state.version}`);
  const [last, setLast] = useState<Snapshot[]>([]);
  if (found && found.snapshots !== last) setLast(found.snapshots);
  const [opened, setOpened] = useState<{ id: string; snapshot: OpenedSnapshot } | null>(null);
  const [told, setTold] = useState<Comparison | null>(null);
  const [report, setReport] = useState<Carried[]>([]);
  const [number, setNumber] = useState("");
  const back = (body: object) =>
    void does(async () => {
      const found = await act<{ words: string[]; report: Carried[] }>("back", body);
      setOffer(found.words.join("\n"));
      setReport(found.report);
    });
  const open = (snapshot: string) =>
    void does(async () =>
      setOpened({ id: snapshot, snapshot: await ask<OpenedSnapshot>(`/debug/sessions/${id}/snapshots/${snapshot}`) }),
    );
  const compare = (other: string) =>
    void does(async () =>
      setTold(await ask<Comparison>(`/debug/sessions/${id}/compare?one=${other}&other=${state.branch}`)),
    );
  return (
    <div className="debug-timeline">
      <h2>{t("timeline.branches")}</h2>
      <ul>
        {state.branches.map((each) => (
          <li key={each.name} aria-current={each.name === state.branch ? "true" : undefined}>
            <b>{each.name}</b> {t("timeline.turns", { count: each.turns })}
            {each.came_from && (
              <span className="soft">
                {" "}
                {t("timeline.from", { branch: each.came_from })} · {t(`because.${each.because}`)}
              </span>
            )}{" "}
            {each.name !== state.branch && (
              <>
                <button
                  type="button"
                  disabled={busy}
                  onClick={() => void does(() => act("branch", { branch: each.name }))}
                >
                  {t("timeline.to", { branch: each.name })}
                </button>
                <button type="button" disabled={busy} onClick={() => compare(each.name)}>
                  {t("timeline.compare", { branch: each.name })}
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
      {told && <Compared told={told} />}
      {state.named.length > 0 && (
        <>
          <h2>{t("timeline.named")}</h2>
          <ul>
            {state.named.map((each) => (
              <li key={each}>
                {each}{" "}
                <button type="button" disabled={busy} onClick={() => back({ snapshot: each })}>
                  {t("timeline.back")}
                </button>
              </li>
            ))}
          </ul>
          {report.length > 0 && (
            <p className="soft">{report.map((each) => `${each.name}: ${t(`report.fate.${each.fate}`)}`).join(" · ")}</p>
          )}
        </>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          back({ message: Number(number) });
        }}
      >
        <label>
          {t("timeline.message")}
          <input inputMode="numeric" size={4} value={number} onChange={(event) => setNumber(event.target.value)} />
        </label>
        <button type="submit" disabled={busy || !number}>
          {t("timeline.back")}
        </button>
      </form>
      <h2>{t("timeline.snapshots")}</h2>
      <ol>
        {[...last].reverse().map((each) => (
          <li key={each.id}>
            {t("turnShort", { turn: each.turn })} {t(`points.${each.kind}`)} <b>{each.action}</b>{" "}
            <span className="soft">
              {each.topic} {each.outcome}
            </span>{" "}
            <button type="button" disabled={busy} onClick={() => back({ snapshot: each.id })}>
              {t("timeline.backTo", { action: each.action })}
            </button>
            <button type="button" onClick={() => open(each.id)}>
              {t("timeline.open", { action: each.action })}
            </button>
            {opened?.id === each.id && <Opened snapshot={opened.snapshot} />}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Opened({ snapshot }: { snapshot: OpenedSnapshot }) {
  return (
    <div className="debug-snapshot">
      {Object.entries(snapshot.variables).map(([scope, held]) => (
        <p key={scope}>
          <b>{scope}</b>{" "}
          {Object.entries(held)
            .map(([name, value]) => `${name} = ${line(value)}`)
            .join("; ")}
        </p>
      ))}
      <ol>
        {snapshot.messages.slice(-6).map((each) => (
          <li key={each.seq}>
            {each.sender}: {each.content}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Compared({ told }: { told: Comparison }) {
  const { t } = useTranslation("debugger");
  return (
    <section className="debug-compared" aria-label={t("compare.title", { one: told.one, other: told.other })}>
      <p role="status">{told.same ? t("compare.same") : t("compare.shared", { count: told.shared })}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("compare.turn")}</th>
            <th scope="col">{told.one}</th>
            <th scope="col">{told.other}</th>
          </tr>
        </thead>
        <tbody>
          {told.pairs.map((each) => (
            <tr key={`${each.one?.turn} ${each.other?.turn}`} className={each.differs.length ? "differs" : ""}>
              <th scope="row">
                {each.one?.turn ?? each.other?.turn} {each.differs.map((one) => t(`compare.${one}`)).join(", ")}
                {each.misfits.length > 0 && ` · ${t("calls.misfit")}`}
              </th>
              {[each.one, each.other].map((side, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: there are two sides
                <td key={index}>
                  {side?.said.map(([who, words], at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: messages in their order
                    <p key={at}>
                      <span className="soft">{String(who)}</span> {String(words)}
                    </p>
                  ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {Object.entries(told.variables).map(([name, [one, other]]) => (
        <p key={name}>
          <b>{name}</b>: {line(one)} → {line(other)}
        </p>
      ))}
    </section>
  );
}
