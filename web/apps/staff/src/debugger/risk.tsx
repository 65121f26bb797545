import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAsked, useDeed } from "../shell/asking.js";
import type { Bench } from "./session.js";
import type { Listened, RiskFiles, RiskHeard, Sentence, Trial, Watching } from "./shapes.js";
import { Tried } from "./trial.js";

/** Sentences that are sent for at first; twice as many where these came soon, up to the most. */
const PART = 100;
const MOST = 1_600;
const SOON = 500;
/** Sentences shown of a list; who has more to mend than that sees the rest when these are mended. */
const SHOWN = 100;
const GIVEN = "given";

interface Source {
  of: "project" | "server" | "given";
  file: string;
  text: string;
}

/** A file of labelled sentences put before the awareness scripts: what each hears, misses, and raises wrongly. */
export function RiskFile({
  bench,
  scripts,
  rule,
  setRule,
}: {
  bench: Bench;
  scripts: readonly Watching[];
  rule: string;
  setRule(awareness: string): void;
}) {
  const { t } = useTranslation("debugger");
  const { busy, trouble, does } = useDeed();
  const { found: there } = useAsked<RiskFiles>(`/debug/sessions/${bench.id}/risk-files`);
  const files = there?.files ?? [];
  const [chosen, setChosen] = useState("");
  const [given, setGiven] = useState("");
  const [wanted, setWanted] = useState<readonly string[]>([]);
  const [heard, setHeard] = useState<RiskHeard | null>(null);
  const stopped = useRef(false);
  const first = files[0];
  const at = chosen || (first ? `${first.of} ${first.name}` : GIVEN);
  const source = (): Source => {
    const [of = "", ...rest] = at.split(" ");
    return at === GIVEN
      ? { of: "given", file: "", text: given }
      : { of: of as "project" | "server", file: rest.join(" "), text: "" };
  };
  const choose = (next: string) => {
    setChosen(next);
    setHeard(null);
    setWanted([]);
  };
  const listen = (event: FormEvent) => {
    event.preventDefault();
    stopped.current = false;
    setHeard(null);
    void does(async () => {
      let whole: RiskHeard | null = null;
      let many = PART;
      do {
        const begun = performance.now();
        const body = { ...source(), awareness: rule, wanted, first: whole?.done ?? 0, many };
        const part: RiskHeard = await bench.act<RiskHeard>("risk", body);
        whole = whole ? joined(whole, part) : part;
        setHeard(whole);
        if (performance.now() - begun < SOON) many = Math.min(2 * many, MOST);
      } while (whole.done < whole.all && !stopped.current);
    });
  };
  return (
    <section className="debug-risk" aria-label={t("risk.title")}>
      <h2>{t("risk.title")}</h2>
      <p className="soft">{t("risk.about")}</p>
      <form onSubmit={listen}>
        <label>
          {t("risk.file")}
          <select name="file" value={at} onChange={(event) => choose(event.target.value)}>
            {files.map((each) => (
              <option key={`${each.of} ${each.name}`} value={`${each.of} ${each.name}`}>
                {t(`risk.of.${each.of}`, { name: each.name })}
              </option>
            ))}
            <option value={GIVEN}>{t("risk.of.given")}</option>
          </select>
        </label>
        {at === GIVEN && (
          <label>
            {t("risk.given")}
            <input
              type="file"
              accept=".jsonl,.json,.txt"
              onClick={(event) => {
                event.currentTarget.value = ""; // the same file again, mended meanwhile, is to be read again
              }}
              onChange={(event) => {
                const file = event.target.files?.[0];
                if (!file) return;
                setHeard(null);
                setWanted([]);
                void file.text().then((text) => setGiven(text));
              }}
            />
          </label>
        )}
        <label>
          {t("risk.rule")}
          <select name="rule" value={rule} onChange={(event) => setRule(event.target.value)}>
            <option value="">{t("risk.every")}</option>
            {scripts.map((each) => (
              <option key={each.awareness} value={each.awareness}>
                {each.name} ({each.awareness})
              </option>
            ))}
          </select>
        </label>
        {heard && (
          <fieldset>
            <legend>{t("risk.wanted")}</legend>
            {Object.entries(heard.labels).map(([label, count]) => (
              <label key={label} className="check">
                <input
                  type="checkbox"
                  checked={wanted.includes(label)}
                  onChange={(event) =>
                    setWanted(event.target.checked ? [...wanted, label] : wanted.filter((each) => each !== label))
                  }
                />{" "}
                {label} ({count})
              </label>
            ))}
          </fieldset>
        )}
        <button type="submit" disabled={busy || (at === GIVEN && !given)}>
          {t("risk.run")}
        </button>
        {busy && (
          <button
            type="button"
            onClick={() => {
              stopped.current = true;
            }}
          >
            {t("risk.stop")}
          </button>
        )}
      </form>
      <p role="alert" className="debug-trouble">
        {trouble}
      </p>
      {heard && (
        <div className="debug-heard">
          <p role="status">
            {t("risk.done", { done: heard.done, all: heard.all })}{" "}
            {busy && <progress value={heard.done} max={heard.all} aria-label={t("risk.title")} />}
          </p>
          {heard.scripts
            .filter((each) => rule || told(each))
            .map((each) => (
              <Script key={each.awareness} bench={bench} script={each} />
            ))}
          {!rule && (
            <p className="soft">{t("risk.quiet", { count: heard.scripts.filter((each) => !told(each)).length })}</p>
          )}
        </div>
      )}
    </section>
  );
}

/** Whether there is anything to tell of a script. */
const told = (script: Listened) =>
  script.wanted.length > 0 || script.counts.some((each) => each.explicit > 0 || each.watch > 0);

function Script({ bench, script }: { bench: Bench; script: Listened }) {
  const { t } = useTranslation("debugger");
  const { name, awareness, priority, missed, wrong, wanted, counts } = script;
  return (
    <details open>
      <summary>
        <b>{name}</b> {awareness} · {priority} ·{" "}
        {wanted.length > 0 && `${t("risk.missed", { count: missed.length, labels: wanted.join(", ") })} · `}
        {t("risk.wrong", { count: wrong.length })}
      </summary>
      {script.by_model ? (
        <p className="soft">{t("risk.byModel")}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("risk.label")}</th>
              {(["explicit", "watch", "none"] as const).map((level) => (
                <th key={level} scope="col">
                  {t(`risk.level.${level}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {counts.map((each) => (
              <tr key={each.label}>
                <th scope="row">{each.label}</th>
                <td>{each.explicit}</td>
                <td>{each.watch}</td>
                <td>{each.none}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Sentences bench={bench} script={script} title={t("risk.missedTitle")} sentences={missed} />
      <Sentences bench={bench} script={script} title={t("risk.wrongTitle")} sentences={wrong} />
    </details>
  );
}

function Sentences({
  bench,
  script,
  title,
  sentences,
}: {
  bench: Bench;
  script: Listened;
  title: string;
  sentences: readonly Sentence[];
}) {
  const { t } = useTranslation("debugger");
  if (sentences.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {sentences.slice(0, SHOWN).map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: ids are the file's own, and may come twice
          <Line key={`${index} ${each.id}`} bench={bench} script={script} sentence={each} />
        ))}
      </ul>
      {sentences.length > SHOWN && <p className="soft">{t("risk.more", { count: sentences.length - SHOWN })}</p>}
    </>
  );
}

/** A sentence; pressed, it says why it got what it got, and what would come of it if it were said now. */
function Line({ bench, script, sentence }: { bench: Bench; script: Listened; sentence: Sentence }) {
  const { t } = useTranslation("debugger");
  const [open, setOpen] = useState(false);
  const [trial, setTrial] = useState<Trial | null>(null);
  const { trouble, does } = useDeed();
  const look = () => {
    setOpen(!open);
    if (open || trial) return;
    void does(async () => {
      const body = { sentences: [sentence.text], awareness: script.awareness };
      setTrial((await bench.act<{ trials: Trial[] }>("try", body)).trials[0] ?? null);
    });
  };
  return (
    <li>
      <button type="button" className="debug-sentence" aria-expanded={open} onClick={look}>
        {sentence.text} <span className="soft">{sentence.labels.join(", ")}</span>
      </button>
      {open && (
        <div className="debug-why">
          <p>{why(sentence, t)}</p>
          {trouble && <p role="alert">{trouble}</p>}
          {trial && (
            <>
              <p className="soft">{t("risk.ifSaid")}</p>
              <Tried trial={trial} />
            </>
          )}
        </div>
      )}
    </li>
  );
}

function why(sentence: Sentence, t: ReturnType<typeof useTranslation<"debugger">>["t"]): string {
  const { level, source, reason, evidence, about, doubted, score } = sentence;
  const by = level === "none" && !doubted ? t("risk.noRule") : `${source}: ${reason}`;
  return [
    t(`risk.level.${level}`),
    by,
    evidence && `“${evidence}”`,
    about === "other" && t("risk.other"),
    doubted && t("risk.doubted"),
    score !== null && t(level === "none" ? "risk.tooLow" : "risk.score", { score }),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Two parts of a file as one. */
function joined(one: RiskHeard, next: RiskHeard): RiskHeard {
  return {
    ...next,
    scripts: next.scripts.map((each) => {
      const before = one.scripts.find((other) => other.awareness === each.awareness);
      if (!before) return each;
      const counts = [...before.counts, ...each.counts].reduce((sums, { label, explicit, watch, none }) => {
        const sum = sums.get(label) ?? { label, explicit: 0, watch: 0, none: 0 };
        return sums.set(label, {
          label,
          explicit: sum.explicit + explicit,
          watch: sum.watch + watch,
          none: sum.none + none,
        });
      }, new Map<string, Listened["counts"][number]>());
      return {
        ...each,
        counts: [...counts.values()],
        missed: [...before.missed, ...each.missed],
        wrong: [...before.wrong, ...each.wrong],
      };
    }),
  };
}
