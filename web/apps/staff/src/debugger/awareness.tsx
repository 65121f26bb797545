import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAsked } from "../shell/asking.js";
import type { Bench } from "./session.js";
import type { Happened, Trial } from "./shapes.js";

const KINDS = ["awareness", "unasked", "directive", "escalated"];

/** What watched, what it came to, and why it acted or did not; and a rule tried on sentences at once. */
export function Awareness({ bench }: { bench: Bench }) {
  const { t } = useTranslation("debugger");
  const { id, state, act, does, busy } = bench;
  const { found } = useAsked<{ events: Happened[] }>(`/debug/sessions/${id}/history?v=${state.version}`);
  const [last, setLast] = useState<Happened[]>([]);
  if (found && found.events !== last) setLast(found.events);
  const events = last.filter(
    (each) => KINDS.includes(each.kind) && (each.kind !== "awareness" || each.data.verdict !== "no"),
  );
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
            <ul>
              {each.found
                .filter((one) => one.verdict !== "no")
                .map((one) => (
                  <li key={one.awareness}>
                    {one.awareness} ({one.priority}): {t(`verdict.${one.verdict}`)} · {one.source}
                    {one.evidence && ` · “${one.evidence}”`} {one.reason}
                    {one.rest && ` · ${one.rest}`}
                  </li>
                ))}
              {!each.found.some((one) => one.verdict !== "no") && <li className="soft">{t("awareness.nothing")}</li>}
              {each.directives.map((one) => (
                <li key={JSON.stringify(one)}>
                  {String(one.directive)} {one.refused ? `· ${String(one.refused)}` : ""}
                </li>
              ))}
              {Object.entries(each.unasked).map(([why, names]) => (
                <li key={why} className="soft">
                  {t("awareness.unasked")} {why}: {names.join(", ")}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <h2>{t("awareness.log")}</h2>
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
