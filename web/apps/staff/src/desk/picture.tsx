import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Asked } from "../shell/asking.js";
import { moment } from "../shell/times.js";
import { CourseChart } from "./chart.js";
import { useTitleOf } from "./people.js";
import type { Answered, Earlier, Picture, Trigger } from "./shapes.js";
import { TakenDown } from "./values.js";

/** The clinical picture: what was found, where it stands, what was measured, answered and taken down. */
export function PictureView({
  session,
  picture,
  onShow,
}: {
  session: string;
  picture: Asked<Picture>;
  onShow(message: number): void;
}) {
  const { t } = useTranslation("desk");
  const { found, failed, again } = picture;
  if (!found)
    return (
      <div className="stack">
        <p role="status">{failed ? t("picture.failed") : t("talk.opening")}</p>
        {failed && (
          <button type="button" className="second" onClick={() => void again()}>
            {t("picture.again")}
          </button>
        )}
      </div>
    );
  return (
    <div className="stack">
      <Risk triggers={found.triggers} onShow={onShow} />
      <Next next={found.next} />
      <Filling filling={found.filling} />
      <section>
        <h2>{t("picture.scores")}</h2>
        {found.scores.length === 0 && <p className="soft">{t("picture.noScores")}</p>}
        {found.scores.map((course) => (
          <CourseChart key={course.name} course={course} />
        ))}
      </section>
      <Forms forms={found.forms} />
      {found.summary.length > 0 && (
        <section>
          <h2>{t("picture.summary")}</h2>
          <dl>
            {found.summary.map(({ label, words }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      <TakenDown session={session} picture={picture} found={found} onShow={onShow} />
      <EarlierOnes earlier={found.earlier} />
    </div>
  );
}

function Risk({ triggers, onShow }: { triggers: readonly Trigger[]; onShow(message: number): void }) {
  const { t } = useTranslation("desk");
  const titleOf = useTitleOf();
  const rank = { urgent: 0, attention: 1, watch: 2 };
  // What has no words of its own was set off by what has some in the same turn.
  const own = triggers.filter(
    ({ words, turn }) => words !== "" || !triggers.some((other) => other.turn === turn && other.words !== ""),
  );
  const sorted = own.sort((one, other) => rank[one.level] - rank[other.level] || other.turn - one.turn);
  return (
    <section>
      <h2>{t("picture.risk")}</h2>
      {sorted.length === 0 && <p className="soft">{t("picture.noRisk")}</p>}
      <ul className="risks">
        {sorted.map((each) => (
          <li key={`${each.awareness}${each.turn}${each.start}`} className={each.level}>
            <p>
              <b>{titleOf(each)}</b>{" "}
              <span className={`tag ${each.level === "watch" ? "" : "urgent"}`}>
                {t(`picture.levels.${each.level}`)}
              </span>
            </p>
            {each.words && <p className="quoted">“{each.words}”</p>}
            <p className="soft">
              {moment(each.at)}{" "}
              {each.message !== null && (
                <button type="button" className="link" onClick={() => each.message !== null && onShow(each.message)}>
                  {t("picture.jump")}
                </button>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Next({ next }: { next: Picture["next"] }) {
  const { t } = useTranslation("desk");
  return (
    <section>
      <h2>{t("picture.next")}</h2>
      {next ? (
        <>
          <p>{[next.phase, next.topic].filter((each) => each).join(" › ")}</p>
          {next.asks && <p>{t("picture.nextAsks", { asks: next.asks })}</p>}
          {next.waiting && <p className="soft">{t("picture.nextWaiting")}</p>}
        </>
      ) : (
        <p className="soft">{t("picture.noNext")}</p>
      )}
    </section>
  );
}

function Filling({ filling }: { filling: Picture["filling"] }) {
  const { t } = useTranslation("desk");
  if (!filling) return null;
  const { form, answered, of } = filling;
  return (
    <section>
      <h2>{t("picture.filling")}</h2>
      <p>{t("picture.fillingCount", { name: form.name, answered, of })}</p>
      <progress value={answered} max={of} aria-label={t("picture.fillingCount", { name: form.name, answered, of })} />
      <details>
        <summary>{t("picture.soFar")}</summary>
        <dl className="answers">
          {form.fields
            .filter(({ type, id }) => type !== "note" && !form.hidden.includes(id))
            .map(({ id, label, options }) => {
              const value = form.values[id];
              const words = (one: unknown) => options.find((option) => option.value === one)?.label ?? String(one);
              const said = Array.isArray(value) ? value.map(words).join(", ") : words(value);
              return (
                <div key={id}>
                  <dt>{label}</dt>
                  <dd className={value === undefined ? "soft" : ""}>
                    {value === undefined ? t("picture.unanswered") : said}
                  </dd>
                </div>
              );
            })}
        </dl>
      </details>
    </section>
  );
}

function Forms({ forms }: { forms: readonly Answered[] }) {
  const { t } = useTranslation("desk");
  return (
    <section>
      <h2>{t("picture.answers")}</h2>
      {forms.length === 0 && <p className="soft">{t("picture.noAnswers")}</p>}
      {forms.map((form, at) => (
        <FormAnswers key={`${form.session}${form.form}${form.at}`} form={form} open={at === 0} />
      ))}
    </section>
  );
}

/** One form as it was filled; answers that the form itself watches, such as item 9, come first. */
function FormAnswers({ form, open }: { form: Answered; open: boolean }) {
  const { t } = useTranslation("desk");
  const alarms = form.answers.filter(({ alarm }) => alarm);
  return (
    <details className="form-answers" open={open || alarms.length > 0}>
      <summary>
        <b>{form.name}</b>{" "}
        {form.scores.map(({ name, label, value, band }) => (
          <span key={name} className="tag">
            {label} {value ?? "–"}
            {band && ` · ${band}`}
          </span>
        ))}{" "}
        <span className="soft">
          {moment(form.at)} · {t(form.by === "counsellor" ? "picture.byCounsellor" : "picture.byPerson")}
        </span>
      </summary>
      {form.source && <p className="soft small">{form.source}</p>}
      <dl className="answers">
        {[...alarms, ...form.answers.filter(({ alarm }) => !alarm)].map(
          ({ field, label, words, value, own, alarm }) => (
            <div key={field} className={alarm ? "alarm" : ""}>
              <dt>
                {label} {alarm && <span className="tag urgent">{t("picture.alarm")}</span>}
              </dt>
              <dd>
                {words || <span className="soft">{t("picture.unanswered")}</span>}{" "}
                {typeof value === "number" && words !== String(value) && <span className="soft">{value}</span>}{" "}
                {own && <span className="soft">{t("picture.own")}</span>}
              </dd>
            </div>
          ),
        )}
      </dl>
    </details>
  );
}

function EarlierOnes({ earlier }: { earlier: readonly Earlier[] }) {
  const { t } = useTranslation("desk");
  return (
    <section>
      <h2>{t("picture.earlier")}</h2>
      {earlier.length === 0 && <p className="soft">{t("picture.noEarlier")}</p>}
      <ul className="rows">
        {earlier.map((each) => (
          <li key={each.session}>
            <div>
              <Link href={`/s/${each.session}`}>{each.name}</Link>{" "}
              <span className="soft">{moment(each.last_active_at)}</span>
              <p className="tags">
                {each.crisis && <span className="tag urgent">{t("picture.crisis")}</span>}
                {each.taken_over && <span className="tag">{t("picture.takenOver")}</span>}
                {each.forms.map(({ name, score, band }) => (
                  <span key={name} className="tag">
                    {name} {score ?? "–"}
                    {band && ` · ${band}`}
                  </span>
                ))}
                {each.notes > 0 && <span className="tag">{t("picture.notes", { n: each.notes })}</span>}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
