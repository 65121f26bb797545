import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAsked } from "../shell/asking.js";
import { RiskFile } from "./risk.js";
import type { Bench } from "./session.js";
import type { Happened, Trial, Watching } from "./shapes.js";
import { Tried } from "./trial.js";

const KINDS = ["awareness", "unasked", "directive", "escalated"];

/** What watched, what it came to, and why it acted or did not; and a rule tried on sentences at once. */
export function Awareness({ bench }: { bench: Bench }) {
  const { t } = useTranslation("debugger");
  const { id, state, act, does, busy } = bench;
  const { found } = useAsked<{ events: Happened[] }>(`/debug/sessions/${id}/history?v=${state.version}`);
  const [last, setLast] = useState<Happened[]>([]);
  if (found && found.events !== last) setLast(found.events);
  const [all, setAll] = useState(false);
  const events = last.filter(
    (each) => KINDS.includes(each.kind) && (all || each.kind !== "awareness" || each.data.verdict !== "no"),
  );
  const { found: watching } = useAsked<{ scripts: Watching[] }>(`/debug/sessions/${id}/awareness?v=${state.version}`);
  const [watchers, setWatchers] = useState<Watching[]>([]);
  if (watching && watching.scripts !== watchers) setWatchers(watching.scripts);
  const [rule, setRule] = useState("");
  const [text, setText] = useState("");
  const [trials, setTrials] = useState<Trial[]>([]);
  const attempt = (event: FormEvent) => {
    event.preventDefault();
    const sentences = text
      .split("\n")
      .map((each) => each.trim())
      .filter(Boolean);
    void does(async () => setTrials((await act<{ trials: Trial[] }>("try", { sentences })).trials));
  };
  return (
    <div className="debug-awareness">
      <form onSubmit={attempt}>
        <label>
          {t("awareness.try")}
          <textarea rows={3} value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <button type="submit" disabled={busy || !text.trim()}>
          {t("awareness.doTry")}
        </button>
      </form>
      <ul>
        {trials.map((each) => (
          <li key={each.words}>
            <b>{each.words}</b>
            <Tried trial={each} />
          </li>
        ))}
      </ul>
      <RiskFile bench={bench} scripts={watchers} rule={rule} setRule={setRule} />
      <Watchers scripts={watchers} onListen={setRule} />
      <h2>{t("awareness.log")}</h2>
      <label className="check">
        <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} /> {t("awareness.all")}
      </label>
      {events.length === 0 && <p className="soft">{t("awareness.none")}</p>}
      <ol>
        {events.map((each) => (
          <li key={`${each.move} ${each.number}`}>
            {t("turnShort", { turn: each.turn })} {told(each, t("awareness.unasked"))}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Which scripts watch where the session stands, which do not, and why. */
function Watchers({ scripts, onListen }: { scripts: readonly Watching[]; onListen(awareness: string): void }) {
  const { t } = useTranslation("debugger");
  return (
    <>
      <h2>{t("awareness.watching")}</h2>
      <ul className="debug-watchers">
        {scripts.map((each) => (
          <li key={each.awareness} className={each.on ? "" : "soft"}>
            <b>{each.name}</b> {each.awareness} · {each.priority} · {each.on ? t("awareness.on") : t("awareness.off")}
            {t(`awareness.because.${each.on ? "on" : "off"}.${each.because}`, { where: each.where.join(", ") })}
            {each.hook_points.length > 0 && ` · ${t("awareness.hookPoints", { places: each.hook_points.join(", ") })}`}
            {each.rest && ` · ${t("awareness.rests")} ${each.rest}`}
            {each.times > 0 && ` · ${t("awareness.hits", { count: each.times, turn: each.turn })}`}{" "}
            <button
              type="button"
              onClick={() => {
                onListen(each.awareness);
                document.querySelector(".debug-risk")?.scrollIntoView({ block: "start" });
              }}
            >
              {t("risk.withFile", { name: each.name })}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function told(event: Happened, unasked: string): string {
  const data = event.data as Record<string, unknown>;
  const said = (name: string) => (data[name] ? String(data[name]) : "");
  if (event.kind === "awareness")
    return [
      said("awareness"),
      said("priority"),
      said("verdict"),
      said("source"),
      said("evidence"),
      said("reason"),
      said("rest"),
    ]
      .filter(Boolean)
      .join(" · ");
  if (event.kind === "unasked")
    return Object.entries(data.awareness as Record<string, string[]>)
      .map(([why, names]) => `${unasked} ${why}: ${names.join(", ")}`)
      .join("; ");
  if (event.kind === "directive")
    return [said("directive"), said("cause"), said("refused")].filter(Boolean).join(" · ");
  return `${event.kind} ${said("to")} ${said("cause")}`;
}
