import { useTranslation } from "react-i18next";
import type { Trial } from "./shapes.js";

/** What a sentence would come to if it were said now: verdicts, why, and what would be ordered. */
export function Tried({ trial }: { trial: Trial }) {
  const { t } = useTranslation("debugger");
  return (
    <ul>
      {trial.found
        .filter((one) => one.verdict !== "no")
        .map((one) => (
          <li key={one.awareness}>
            {one.awareness} ({one.priority}): {t(`verdict.${one.verdict}`)} · {one.source}
            {one.evidence && ` · “${one.evidence}”`} {one.reason}
            {one.rest && ` · ${one.rest}`}
          </li>
        ))}
      {!trial.found.some((one) => one.verdict !== "no") && <li className="soft">{t("awareness.nothing")}</li>}
      {trial.directives.map((one) => (
        <li key={JSON.stringify(one)}>
          {String(one.directive)} {one.refused ? `· ${String(one.refused)}` : ""}
        </li>
      ))}
      {Object.entries(trial.unasked).map(([why, names]) => (
        <li key={why} className="soft">
          {t("awareness.unasked")} {why}: {names.join(", ")}
        </li>
      ))}
    </ul>
  );
}
