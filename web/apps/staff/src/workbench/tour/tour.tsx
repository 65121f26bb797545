import { useCallback, useEffect, useRef, useState } from "react";
import { keep, kept } from "../../shell/keeping.js";
import { useWords } from "../words/speaking.js";

const STEPS = ["welcome", "contents", "steps", "panel", "findings", "trying", "saving"] as const;

/** What each step of the tour points at, where it is on the page. */
const PLACES: Record<(typeof STEPS)[number], string> = {
  welcome: ".view",
  contents: ".contents",
  steps: ".card.topic",
  panel: ".panel, .card.topic .row",
  findings: ".findings-button",
  trying: "[data-tour=try]",
  saving: ".kept",
};

/** The first hour: what there is on the page, one thing after the other. It comes by itself once. */
export function Tour() {
  const t = useWords();
  const [at, setAt] = useState<number | null>(() => (kept("workbench.toured") ? null : 0));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const begin = () => setAt(0);
    addEventListener("workbench-tour", begin);
    return () => removeEventListener("workbench-tour", begin);
  }, []);
  const end = useCallback(() => {
    keep("workbench.toured", "1");
    setAt(null);
  }, []);
  const step = at === null ? null : STEPS[at];
  useEffect(() => {
    if (!step) return;
    heading.current?.focus();
    const place = document.querySelector(PLACES[step]);
    place?.classList.add("toured");
    return () => place?.classList.remove("toured");
  }, [step]);
  if (at === null || !step) return null;
  return (
    <section
      className="tour"
      aria-label={t("tour.begin")}
      onKeyDown={(event) => {
        if (event.key === "Escape") end();
      }}
    >
      <p className="soft">{t("tour.step", { number: at + 1, count: STEPS.length })}</p>
      <h2 ref={heading} tabIndex={-1}>
        {t(`tour.${step}`)}
      </h2>
      <p>{t(`tour.${step}Text`)}</p>
      <div className="acts">
        {at < STEPS.length - 1 ? (
          <button type="button" className="main" onClick={() => setAt(at + 1)}>
            {t("tour.next")}
          </button>
        ) : (
          <button type="button" className="main" onClick={end}>
            {t("tour.end")}
          </button>
        )}
        {at > 0 && (
          <button type="button" className="second" onClick={() => setAt(at - 1)}>
            {t("tour.back")}
          </button>
        )}
        {at < STEPS.length - 1 && (
          <button type="button" className="quiet" onClick={end}>
            {t("tour.end")}
          </button>
        )}
      </div>
    </section>
  );
}
