import type { OpenedEscalation } from "@heartrule/sdk";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useDeed } from "../shell/asking.js";
import { deskClient } from "../shell/client.js";
import { moment } from "../shell/times.js";
import { inOne } from "./people.js";
import type { Picture } from "./shapes.js";

type Cause = "heard" | "answered" | "asked" | "vanished" | "script";

/** Calls for somebody that nobody has seen, or else the last one: what called, and whether it is over. */
export function Calls({
  calls,
  picture,
  danger,
  onDone,
}: {
  calls: readonly OpenedEscalation[];
  picture: Picture | null;
  /** Somebody is in danger still. */
  danger: boolean;
  onDone(): void;
}) {
  const { t } = useTranslation("desk");
  const { busy, trouble, does } = useDeed();
  const client = useMemo(() => deskClient(), []);
  const open = calls.filter((each) => !each.acknowledged_by);
  const shown = open.length > 0 ? open : calls.slice(-1);
  if (shown.length === 0) return null;
  return (
    <section className="calls" aria-label={t("talk.call")}>
      <ul>
        {shown.map((call) => {
          const cause = causeOf(call, picture);
          const over = Boolean(call.acknowledged_by) && !danger && cause !== "asked" && cause !== "script";
          return (
            <li key={call.id} className={call.acknowledged_by ? "" : "urgent"}>
              <span>
                <b>{t(`talk.causes.${cause}`)}</b> <span className="soft">{moment(call.at)}</span>
                {over ? <p>{t("talk.callOver")}</p> : call.note && <p>{inOne(call.note)}</p>}
              </span>
              {call.acknowledged_by ? (
                <span className="soft">{t("talk.acknowledged", { name: call.acknowledged_by })}</span>
              ) : (
                <button
                  type="button"
                  className="second"
                  disabled={busy}
                  onClick={() => void does(() => client.acknowledge(call, "")).then(onDone)}
                >
                  {t("talk.acknowledge")}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <p className="line" role="alert">
        {trouble}
      </p>
    </section>
  );
}

/** What called, as one says it: priorities and names of scripts are no words for people. Danger that no words before
 * the call tell of stood in an answer to a form. */
function causeOf({ cause, level, at }: OpenedEscalation, picture: Picture | null): Cause {
  if (cause === "vanished") return "vanished";
  if (/human|tell_the_desk|somebody|counsel/i.test(cause)) return "asked";
  if (level !== "P0" && !/crisis|risk|danger|suicid|harm|^awareness safety\//i.test(cause)) return "script";
  const before = (time: string) => Date.parse(time) <= Date.parse(at);
  const heard = picture?.triggers.some((each) => each.level === "urgent" && each.words !== "" && before(each.at));
  const answered = picture?.forms.some((form) => before(form.at) && form.answers.some(({ alarm }) => alarm));
  return answered && !heard ? "answered" : "heard";
}
