import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Bench } from "./session.js";
import type { Breakpoint } from "./shapes.js";

const ON = [
  ...(["action", "topic", "phase", "technique", "return", "round", "variable"] as const),
  ...(["directive", "verdict", "fault", "exit", "prompt"] as const),
] as const;

/** Breakpoints: at lines (set in the script) and when something happens. */
export function Points({ bench }: { bench: Bench }) {
  const { t } = useTranslation("debugger");
  const { state, points } = bench;
  const all = state.breakpoints;
  const replace = (index: number, next: Partial<Breakpoint>) =>
    points(all.map((each, at) => (at === index ? { ...each, ...next } : each)));
  const [on, setOn] = useState<(typeof ON)[number]>("action");
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const said = (name: string) => String(given.get(name) ?? "").trim();
    const made = {
      id: `${on}-${Date.now().toString(36)}`,
      on,
      name: said("name"),
      edge: said("edge") || "before",
      condition: said("condition"),
      hits: Number(said("hits")) || 0,
      log: said("log"),
    } as Breakpoint;
    points([...all, made]);
    form.reset();
  };
  return (
    <div className="debug-points">
      <ul>
        {all.map((each, index) => {
          const placed = state.placed.find((one) => one.id === each.id);
          return (
            <li key={each.id}>
              <label className="check">
                <input
                  type="checkbox"
                  checked={each.enabled !== false}
                  onChange={(event) => replace(index, { enabled: event.target.checked })}
                />
                {t(`on.${each.on}`)} {each.file ? `${each.file}:${placed?.line || each.line}` : each.name}
                {each.edge === "after" && ` ${t("points.after")}`}
              </label>{" "}
              <span className="soft">
                {each.condition && `${t("points.if")} ${each.condition}`} {each.hits ? `≥ ${each.hits}` : ""}{" "}
                {each.log && `“${each.log}”`} {placed && !placed.verified && t("points.nowhere")}
              </span>{" "}
              <button type="button" onClick={() => points(all.filter((_, at) => at !== index))}>
                {t("points.drop")}
              </button>
              {each.on === "line" && (
                <form
                  onSubmit={(event) => {
                    event.preventDefault();
                    const given = new FormData(event.currentTarget);
                    replace(index, { condition: String(given.get("condition") ?? "").trim() });
                  }}
                >
                  <label>
                    <span className="hidden">{t("points.condition")}</span>
                    <input name="condition" defaultValue={each.condition} placeholder={t("points.condition")} />
                  </label>
                  <button type="submit">{t("points.put")}</button>
                </form>
              )}
            </li>
          );
        })}
      </ul>
      <form onSubmit={add} className="debug-new-point">
        <h2>{t("points.new")}</h2>
        <label>
          {t("points.on")}
          <select value={on} onChange={(event) => setOn(event.target.value as typeof on)}>
            {ON.map((each) => (
              <option key={each} value={each}>
                {t(`on.${each}`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t("points.name")}
          <input name="name" />
        </label>
        {(on === "action" || on === "topic" || on === "phase") && (
          <label>
            {t("points.edge")}
            <select name="edge">
              <option value="before">{t("points.before")}</option>
              <option value="after">{t("points.after")}</option>
            </select>
          </label>
        )}
        <label>
          {t("points.condition")}
          <input name="condition" />
        </label>
        <label>
          {t("points.hits")}
          <input name="hits" type="number" min={0} />
        </label>
        <label>
          {t("points.log")}
          <input name="log" />
        </label>
        <button type="submit">{t("points.add")}</button>
      </form>
      {state.log.length > 0 && (
        <>
          <h2>{t("points.said")}</h2>
          <ol>
            {state.log.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the log only grows at its end
              <li key={index}>{each.text}</li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
