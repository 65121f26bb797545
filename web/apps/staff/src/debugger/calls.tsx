import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useAsked } from "../shell/asking.js";
import { line } from "./place.js";
import type { Bench } from "./session.js";
import type { Accepted, Call, OpenedCall, Run } from "./shapes.js";

/** A long text scrolls in itself: by keyboard, too. */
const scrolls = { tabIndex: 0 };

/** What models were asked, what came back, and work on one prompt. */
export function Calls({ bench }: { bench: Bench }) {
  const { t } = useTranslation("debugger");
  const { id, state } = bench;
  const { found } = useAsked<{ calls: Call[] }>(`/debug/sessions/${id}/calls?v=${state.version}`);
  const [last, setLast] = useState<Call[]>([]);
  if (found && found.calls !== last) setLast(found.calls);
  const calls = found?.calls ?? last;
  return (
    <div className="debug-calls">
      {calls.length === 0 && <p className="soft">{t("calls.none")}</p>}
      <ol>
        {[...calls].reverse().map((each) => (
          <One key={`${each.move} ${each.key}`} bench={bench} call={each} />
        ))}
      </ol>
    </div>
  );
}

function One({ bench, call }: { bench: Bench; call: Call }) {
  const { t } = useTranslation("debugger");
  const { id, act, does, state } = bench;
  const waits = call.status === "waiting";
  const [words, setWords] = useState("");
  const [opened, setOpened] = useState<OpenedCall | null>(null);
  const path = `calls/${call.move}/${encodeURIComponent(call.key)}`;
  const typed = (event: FormEvent) => {
    event.preventDefault();
    void does(() => act("answer", { key: call.key, words }));
  };
  const open = () => void does(async () => setOpened(await ask<OpenedCall>(`/debug/sessions/${id}/${path}`)));
  return (
    <li>
      <details open={waits || undefined}>
        <summary>
          {t("turnShort", { turn: call.turn })} <b>{call.template}</b>{" "}
          <span className={waits ? "waits" : "soft"}>
            {waits ? t("calls.waits") : `${t(`origin.${call.origin}`, { defaultValue: call.origin })} · ${call.status}`}
            {call.misfit && ` · ${t("calls.misfit")}`}
          </span>
        </summary>
        {call.layers.map((layer, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: layers have no other name
          <section key={index} aria-label={layer.role}>
            <h2>{layer.role}</h2>
            <pre {...scrolls}>{inserted(layer.text, layer.inserted)}</pre>
          </section>
        ))}
        {!waits && (
          <>
            <h2>{t("calls.answer")}</h2>
            <pre {...scrolls}>
              {call.answer ? JSON.stringify(call.answer, null, 1) : call.raw || call.problem || "–"}
            </pre>
            <p className="soft">
              {call.model} {call.seconds.toFixed(2)} s · {call.tokens_in ?? "–"} → {call.tokens_out ?? "–"}
              {call.variables.length > 0 && ` · ${t("calls.changed")} ${call.variables.join(", ")}`}
            </p>
          </>
        )}
        {state.status === "held" && (
          <form onSubmit={typed}>
            <label>
              {t("calls.whatIf")}
              <textarea
                rows={3}
                value={words}
                placeholder='{"content": "…"}'
                onChange={(event) => setWords(event.target.value)}
              />
            </label>
            <button type="submit" disabled={!words.trim()}>
              {t("calls.type")}
            </button>
          </form>
        )}
        {opened ? (
          <Prompt bench={bench} path={path} opened={opened} />
        ) : (
          <button type="button" onClick={open}>
            {t("calls.work")}
          </button>
        )}
      </details>
    </li>
  );
}

/** The text with marks where a variable was put in. Offsets count code points. */
function inserted(text: string, spans: Call["layers"][number]["inserted"]) {
  const points = [...text];
  const parts = [];
  let at = 0;
  for (const span of [...spans].sort((a, b) => a.offset - b.offset)) {
    if (span.offset < at) continue;
    parts.push(points.slice(at, span.offset).join(""));
    parts.push(
      <mark key={span.offset} title={`${span.scope}.${span.name} ← ${span.source}`}>
        {points.slice(span.offset, span.offset + span.length).join("")}
      </mark>,
    );
    at = span.offset + span.length;
  }
  return [...parts, points.slice(at).join("")];
}

/** One prompt, edited, asked several times, and written back. */
function Prompt({ bench, path, opened }: { bench: Bench; path: string; opened: OpenedCall }) {
  const { t } = useTranslation("debugger");
  const { act, does, busy, state, apply } = bench;
  const names = Object.keys(opened.fields);
  const [field, setField] = useState(names[0] ?? "");
  const [words, setWords] = useState<Record<string, string>>({ ...opened.fields, "": opened.template_text });
  const [times, setTimes] = useState(1);
  const [models, setModels] = useState<string[]>(state.models.slice(0, 1));
  const [runs, setRuns] = useState<Run[]>([]);
  const accepted = () => {
    const body = field
      ? { field, words: words[field] ?? "" }
      : { template: opened.template_file, words: words[""] ?? "" };
    return act<Accepted>(`${path}/accept`, body);
  };
  const run = () =>
    void does(async () => {
      const file = await accepted();
      const told = await act<{ runs: Run[] }>(`${path}/run`, { texts: { [file.file]: file.text }, times, models });
      setRuns(told.runs);
    });
  const accept = () =>
    void does(async () => {
      const file = await accepted();
      await apply({ [file.file]: file.text });
    });
  return (
    <section className="debug-prompt" aria-label={t("prompt.title")}>
      <h2>
        {t("prompt.title")} {opened.action}
      </h2>
      <label>
        {t("prompt.what")}
        <select value={field} onChange={(event) => setField(event.target.value)}>
          {names.map((each) => (
            <option key={each}>{each}</option>
          ))}
          <option value="">{opened.template_file}</option>
        </select>
      </label>
      <label>
        <span className="hidden">{t("prompt.words")}</span>
        <textarea
          rows={6}
          value={words[field] ?? ""}
          onChange={(event) => setWords({ ...words, [field]: event.target.value })}
        />
      </label>
      {state.models.length > 0 && (
        <p className="acts">
          <label>
            {t("prompt.times")}
            <input
              type="number"
              min={1}
              max={10}
              value={times}
              onChange={(event) => setTimes(Math.min(10, Math.max(1, event.target.valueAsNumber || 1)))}
            />
          </label>
          {state.models.map((each) => (
            <label key={each} className="check">
              <input
                type="checkbox"
                checked={models.includes(each)}
                onChange={(event) =>
                  setModels(event.target.checked ? [...models, each] : models.filter((one) => one !== each))
                }
              />
              {each}
            </label>
          ))}
          <button type="button" disabled={busy || models.length === 0} onClick={run}>
            {t("prompt.run")}
          </button>
        </p>
      )}
      <button type="button" className="main" disabled={busy} onClick={accept}>
        {t("prompt.accept")}
      </button>
      {runs.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("prompt.model")}</th>
              <th scope="col">{t("calls.answer")}</th>
              <th scope="col">{t("prompt.cost")}</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((each) => (
              <tr key={`${each.model} ${each.number}`}>
                <td>
                  {each.model} {each.number}
                </td>
                <td>
                  <pre {...scrolls}>{each.data ? line(each.data) : `${each.status} ${each.problem}`}</pre>
                </td>
                <td>
                  {each.seconds.toFixed(2)} s · {each.tokens_in ?? "–"} → {each.tokens_out ?? "–"}
                  {each.cost !== null && ` · ${(each.cost / 1e9).toFixed(5)} ${each.currency}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
