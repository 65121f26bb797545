import { useWords } from "../words/speaking.js";
import { spanOf, type Unit, written } from "./duration.js";
import type { Given } from "./fieldcontrol.js";
import { usePausing } from "./pausing.js";
import { TextControl } from "./textcontrol.js";

const UNITS: readonly Unit[] = ["s", "m", "h"];

export function DurationControl(given: Given) {
  const { shape, value, disabled, set, labelled } = given;
  const t = useWords();
  const text = value === undefined || value === null ? "" : String(value);
  const span = text === "" ? { amount: 0, unit: "m" as Unit } : spanOf(text);
  const units = shape.key === "every" || shape.key === "cooldown" ? [...UNITS, "turns" as Unit] : UNITS;
  const { typed, type, now } = usePausing(span?.amount ? String(span.amount) : "", (next) =>
    set(next === "" || !span ? null : written({ amount: Number(next), unit: span.unit })),
  );
  if (!span) return <TextControl {...given} />;
  return (
    <div className="pair">
      <input
        {...labelled}
        type="number"
        min={0}
        value={typed}
        disabled={disabled}
        onBlur={now}
        onChange={(event) => type(event.target.value)}
      />
      <select
        aria-label={t("panel.unit")}
        value={span.unit}
        disabled={disabled || !span.amount}
        onChange={(event) => set(written({ amount: span.amount, unit: event.target.value as Unit }))}
      >
        {units.map((unit) => (
          <option key={unit} value={unit}>
            {t(`panel.units.${unit}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
