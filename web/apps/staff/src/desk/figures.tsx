import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAsked } from "../shell/asking.js";
import { day, span } from "../shell/times.js";
import type { Figures } from "./shapes.js";
import "./words.js";

const DAYS = [1, 7, 30, 90];
const COUNTS = ["calls", "acknowledged", "taken_over", "handed_back", "ended", "vanished", "open"] as const;
const NAMES: Record<(typeof COUNTS)[number], string> = {
  calls: "calls",
  acknowledged: "acknowledged",
  taken_over: "takenOver",
  handed_back: "handedBack",
  ended: "ended",
  vanished: "vanished",
  open: "open",
};

/** How long people waited, and what became of calls. */
export function FiguresPage() {
  const { t, i18n } = useTranslation(["desk", "shell"]);
  const [days, setDays] = useState(7);
  const { found, failed } = useAsked<Figures>(`/desk/figures?days=${days}`);
  const seconds = (value: number | null) => (value === null ? "–" : span(value * 1000));
  const reason = (name: string) => (i18n.exists(`desk:handing.reasons.${name}`) ? t(`handing.reasons.${name}`) : name);
  return (
    <div className="page wide stack scrolling">
      <h1>{t("figures.title")}</h1>
      <label className="one-line">
        {t("figures.days")}
        <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
          {DAYS.map((each) => (
            <option key={each} value={each}>
              {t("figures.lastDays", { n: each })}
            </option>
          ))}
        </select>
      </label>
      {!found && <p role="status">{failed ? failed.message || t("shell:unreachable") : t("shell:loading")}</p>}
      {found && (
        <>
          <dl className="counts">
            {COUNTS.map((name) => (
              <div key={name}>
                <dt>{t(`figures.${NAMES[name]}`)}</dt>
                <dd>{found[name]}</dd>
              </div>
            ))}
          </dl>
          <section>
            <h2>{t("figures.waiting")}</h2>
            {found.waiting.count === 0 ? (
              <p className="soft">{t("figures.noWaiting")}</p>
            ) : (
              <ul>
                <li>{t("figures.median", { span: seconds(found.waiting.p50) })}</li>
                <li>{t("figures.p95", { span: seconds(found.waiting.p95) })}</li>
                <li>{t("figures.longest", { span: seconds(found.waiting.longest) })}</li>
              </ul>
            )}
          </section>
          <section>
            <h2>{t("figures.cleared")}</h2>
            {Object.keys(found.cleared).length === 0 && <p className="soft">{t("figures.noCleared")}</p>}
            <ul>
              {Object.entries(found.cleared).map(([name, count]) => (
                <li key={name}>
                  {reason(name)}: {count}
                </li>
              ))}
            </ul>
          </section>
          <ByDay days={found.by_day} />
        </>
      )}
    </div>
  );
}

function ByDay({ days }: { days: Figures["by_day"] }) {
  const { t } = useTranslation("desk");
  const most = Math.max(1, ...days.map(({ calls }) => calls));
  return (
    <section>
      <h2>{t("figures.byDay")}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("figures.day")}</th>
            <th scope="col">{t("figures.calls")}</th>
            <th scope="col">{t("figures.takenOver")}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {days.map((each) => (
            <tr key={each.day}>
              <th scope="row">{day(each.day)}</th>
              <td>{each.calls}</td>
              <td>{each.taken_over}</td>
              <td className="bar">
                <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={(each.calls / most) * 100} height="8" />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
