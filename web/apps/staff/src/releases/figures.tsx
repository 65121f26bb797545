import { useTranslation } from "react-i18next";
import { useAsked } from "../shell/asking.js";
import type { Figures, SideBySide as Shown } from "./shapes.js";
import { percent, said } from "./words.js";

const COLUMNS = ["release", "candidate", "former"] as const;
const SHARES = ["completed", "noticed", "faulty", "reported", "unsuitable"] as const;

/** How sessions of what is published go, beside what is being tried and what was there before. */
export function SideBySide({ path }: { path: string }) {
  const { t } = useTranslation("releases");
  const { found } = useAsked<Shown>(path);
  if (!found) return null;
  const shown = COLUMNS.filter((name) => found[name] !== null);
  const cell = (name: (typeof COLUMNS)[number]) => found[name] as Figures;
  return (
    <section>
      <h2>{t("figures")}</h2>
      {found.crossed.length > 0 && (
        <p role="alert">
          {t("crossed")} {found.crossed.map((each) => said(each.says)).join(" ")}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section className="scrolls" tabIndex={0} aria-label={t("figures")}>
        <table>
          <thead>
            <tr>
              <td />
              {shown.map((name) => (
                <th key={name} scope="col">
                  {t(`figuresOf.${name}`)} · {t("number", { n: cell(name).number })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(["sessions", "decided"] as const).map((row) => (
              <tr key={row}>
                <th scope="row">{t(row)}</th>
                {shown.map((name) => (
                  <td key={name}>{cell(name)[row]}</td>
                ))}
              </tr>
            ))}
            {SHARES.map((row) => (
              <tr key={row}>
                <th scope="row">{t(row)}</th>
                {shown.map((name) => (
                  <td key={name}>{percent(cell(name)[row])}</td>
                ))}
              </tr>
            ))}
            <tr>
              <th scope="row">{t("left")}</th>
              {shown.map((name) => (
                <td key={name}>
                  {Object.entries(cell(name).left)
                    .map(([topic, count]) => `${topic} ${count}`)
                    .join(", ") || "–"}
                </td>
              ))}
            </tr>
            <tr>
              <th scope="row">{t("cost")}</th>
              {shown.map((name) => (
                <td key={name}>
                  {Object.entries(cell(name).cost)
                    .map(([currency, micro]) => `${(micro / 1_000_000).toFixed(4)} ${currency}`)
                    .join(", ") || "–"}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </section>
    </section>
  );
}
