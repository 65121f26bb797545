import { type SubmitEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useAsked, useDeed } from "../shell/asking.js";
import { locale } from "../shell/language.js";
import { clock, moment, useNow } from "../shell/times.js";
import type { Hours, Rota } from "./shapes.js";

const DAYS = [0, 1, 2, 3, 4, 5, 6] as const;
/** A Monday, for the names of days. */
const MONDAY = Date.UTC(2026, 0, 5, 12);

function dayName(day: number): string {
  const date = new Date(MONDAY + day * 86_400_000);
  return date.toLocaleDateString(locale(), { weekday: "short", timeZone: "UTC" });
}

/** Which of the colleagues means to be there next, or is already. Nothing where nobody has said so. */
export function Next() {
  const { t } = useTranslation("desk");
  const { found } = useAsked<Rota>("/desk/rota");
  const now = useNow();
  const next = found?.hours.find(({ who }) => !who.me);
  if (!found) return null;
  if (!next) return <p className="soft">{t("rota.nobody")}</p>;
  const begun = Date.parse(next.since) <= now;
  return (
    <p>
      {begun
        ? t("rota.there", { name: next.who.name, until: clock(next.until) })
        : t("rota.next", { name: next.who.name, at: moment(next.since, now) })}
    </p>
  );
}

/** Planned hours of all, one's own to change. They inform: who is on duty says so. */
export function RotaPart() {
  const { t } = useTranslation("desk");
  const { found, again } = useAsked<Rota>("/desk/rota");
  const [made, setMade] = useState(0); // empties the form once hours were added, never because a list came late
  const { busy, trouble, does } = useDeed();
  const now = useNow();

  const when = (hours: Hours) =>
    hours.date
      ? t("rota.once", { at: moment(hours.since, now), until: clock(hours.until) })
      : t("rota.weekly", {
          days: hours.days.map(dayName).join(t("rota.and")),
          start: clock(hours.since),
          until: clock(hours.until),
        });

  return (
    <section>
      <h2>{t("rota.title")}</h2>
      <p className="soft">{t("rota.text")}</p>
      <ul className="rows">
        {(found?.hours ?? []).map((each) => (
          <li key={each.id}>
            <div>
              <b>{each.who.me ? t("rota.you") : each.who.name}</b> {when(each)}{" "}
              {each.days.length > 0 && <span className="soft">{t("rota.again", { at: moment(each.since, now) })}</span>}
            </div>
            {each.who.me && (
              <div className="row-acts">
                <button
                  type="button"
                  className="second"
                  disabled={busy}
                  aria-label={`${t("rota.remove")}: ${when(each)}`}
                  onClick={() => void does(() => ask(`/desk/rota/${each.id}`, { method: "DELETE" })).then(again)}
                >
                  {t("rota.remove")}
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {found?.hours.length === 0 && <p className="soft">{t("rota.none")}</p>}
      <p className="line" role="alert">
        {trouble}
      </p>
      <details>
        <summary>{t("rota.add")}</summary>
        <HoursForm
          key={made}
          onDone={async () => {
            setMade(made + 1);
            await again();
          }}
        />
      </details>
    </section>
  );
}

function HoursForm({ onDone }: { onDone(): Promise<void> }) {
  const { t } = useTranslation("desk");
  const { busy, trouble, does } = useDeed();
  const [weekly, setWeekly] = useState(true);

  async function save(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name) ?? "");
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const body = {
      ...(weekly ? { days: given.getAll("day").map(Number) } : { date: text("date") }),
      start: text("start"),
      end: text("end"),
      zone: timeZone,
    };
    if (await does(() => ask("/desk/rota", { method: "POST", body }))) await onDone();
  }

  return (
    <form className="fields" onSubmit={(event) => void save(event)}>
      <fieldset>
        <legend>{t("rota.when")}</legend>
        {[true, false].map((each) => (
          <label key={String(each)} className="check">
            <input type="radio" name="kind" checked={weekly === each} onChange={() => setWeekly(each)} />
            {t(each ? "rota.everyWeek" : "rota.oneDay")}
          </label>
        ))}
      </fieldset>
      {weekly ? (
        <fieldset>
          <legend>{t("rota.days")}</legend>
          <div className="one-line">
            {DAYS.map((each) => (
              <label key={each} className="check">
                <input type="checkbox" name="day" value={each} />
                {dayName(each)}
              </label>
            ))}
          </div>
        </fieldset>
      ) : (
        <>
          <label htmlFor="rota-date">{t("rota.date")}</label>
          <input id="rota-date" type="date" name="date" required />
        </>
      )}
      <div className="one-line">
        <label htmlFor="rota-start">{t("rota.start")}</label>
        <input id="rota-start" type="time" name="start" required />
        <label htmlFor="rota-end">{t("rota.end")}</label>
        <input id="rota-end" type="time" name="end" required />
      </div>
      <div className="one-line">
        <button type="submit" className="main" disabled={busy}>
          {t("rota.save")}
        </button>
      </div>
      <p className="line" role="alert">
        {trouble}
      </p>
    </form>
  );
}
