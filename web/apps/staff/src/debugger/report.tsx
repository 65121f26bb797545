import { useTranslation } from "react-i18next";
import type { Carried } from "./shapes.js";

/** What carried over to the changed script, and what did not. */
export function Report({ report, onDone }: { report: readonly Carried[]; onDone(): void }) {
  const { t } = useTranslation("debugger");
  if (report.length === 0) return null;
  return (
    <section className="debug-report" aria-label={t("report.title")} role="status">
      <h2>{t("report.title")}</h2>
      <ul>
        {report.map((each) => (
          <li key={`${each.what} ${each.name}`} className={each.fate}>
            {t(`report.what.${each.what}`, { defaultValue: each.what })} <b>{each.name}</b>{" "}
            {t(`report.fate.${each.fate}`)}
            {each.now && each.now !== each.name && ` (${each.now})`}
          </li>
        ))}
      </ul>
      <button type="button" onClick={onDone}>
        {t("report.done")}
      </button>
    </section>
  );
}
