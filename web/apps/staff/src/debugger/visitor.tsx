import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Recorded } from "./recorded.js";
import type { Bench } from "./session.js";

const PERSONAS = [
  "cooperative",
  "terse",
  "avoidant",
  "contradicting",
  "confused",
  "hostile",
  "at_risk",
  "off_topic",
] as const;
const SPANS = { minutes: 60, hours: 3_600, days: 86_400 };

/** Who plays the visitor where nobody types, and time that passes. */
export function Visitor({ bench }: { bench: Bench }) {
  const { t } = useTranslation("debugger");
  const { state, act, does, busy } = bench;
  const [test, setTest] = useState("");
  const visit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const number = (name: string) => Number(given.get(name)) || 0;
    const body = { persona: String(given.get("persona")), moves: number("moves") || 5, seed: number("seed") };
    void does(() => act("visit", body));
  };
  const hold = (event: FormEvent) => {
    event.preventDefault();
    void does(() => act("visit", { test }));
  };
  const forward = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const span = SPANS[String(given.get("unit")) as keyof typeof SPANS] ?? 60;
    void does(() => act("forward", { seconds: Number(given.get("amount")) * span }));
  };
  return (
    <div className="debug-visitor">
      <form onSubmit={visit}>
        <h2>{t("visitor.simulated")}</h2>
        <label>
          {t("visitor.persona")}
          <select name="persona">
            {PERSONAS.map((each) => (
              <option key={each} value={each}>
                {t(`persona.${each}`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t("visitor.moves")}
          <input name="moves" type="number" min={1} max={100} defaultValue={5} />
        </label>
        <label>
          {t("visitor.seed")}
          <input name="seed" type="number" min={0} defaultValue={0} />
        </label>
        <button type="submit" disabled={busy || state.status !== "waiting"}>
          {t("visitor.visit")}
        </button>
      </form>
      <form onSubmit={hold}>
        <h2>{t("visitor.test")}</h2>
        <label>
          {t("visitor.case")}
          <textarea rows={6} value={test} onChange={(event) => setTest(event.target.value)} />
        </label>
        <button type="submit" disabled={busy || !test.trim()}>
          {t("visitor.hold")}
        </button>
      </form>
      <section aria-label={t("visitor.recording")}>
        <h2>{t("visitor.recording")}</h2>
        <p className="soft">{t("visitor.recordingAbout")}</p>
        {state.branches.map((each) => (
          <button
            key={each.name}
            type="button"
            disabled={busy || each.turns === 0}
            onClick={() => void does(() => act("play", { branch: each.name, texts: bench.changed }))}
          >
            {t("visitor.play", { branch: each.name })}
          </button>
        ))}
      </section>
      <Recorded />
      <form onSubmit={forward}>
        <h2>{t("visitor.time")}</h2>
        <p className="soft">
          {new Date(state.now).toLocaleString()}
          {state.due && ` · ${t("visitor.due", { at: new Date(state.due).toLocaleString() })}`}
        </p>
        <label>
          <span className="hidden">{t("visitor.amount")}</span>
          <input name="amount" type="number" min={1} defaultValue={10} />
        </label>
        <label>
          <span className="hidden">{t("visitor.unit")}</span>
          <select name="unit">
            {(["minutes", "hours", "days"] as const).map((each) => (
              <option key={each} value={each}>
                {t(`unit.${each}`)}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" disabled={busy || state.status !== "waiting"}>
          {t("visitor.forward")}
        </button>
      </form>
    </div>
  );
}
