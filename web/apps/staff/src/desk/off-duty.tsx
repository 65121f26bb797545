import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Leaf } from "../shell/dialog.js";
import { board } from "./board.js";
import { HandBack } from "./hand-back.js";
import { Assign, LeaveFor } from "./handling.js";
import { Standing } from "./list.js";
import { inDanger } from "./order.js";
import { PersonName } from "./people.js";
import { Next } from "./rota.js";
import type { Colleague, Item } from "./shapes.js";

type What = "hand-back" | "assign" | "handover";

/** Asked of who goes off duty with people in their hands: nobody is left behind without being named. */
export function OffDuty({
  held,
  colleagues,
  minutes,
  onStay,
  onLeave,
}: {
  held: readonly Item[];
  colleagues: readonly Colleague[];
  /** So long after they went off duty what they still hold goes back to the program. */
  minutes: number;
  onStay(): void;
  onLeave(): void;
}) {
  const { t } = useTranslation("desk");
  const [asking, setAsking] = useState<{ what: What; item: Item } | null>(null);
  const others = colleagues.filter(({ me, here }) => here && !me).length;
  const danger = held.filter(inDanger).length;
  const close = () => setAsking(null);
  if (asking?.what === "hand-back")
    return (
      <HandBack
        id={asking.item.id}
        person={asking.item.person}
        then={inDanger(asking.item) ? "wait" : "on"}
        given={asking.item.assigned?.to.me === true}
        open
        onClose={(done) => {
          close();
          if (done) void board.refresh();
        }}
      />
    );
  if (asking?.what === "assign")
    return <Assign item={asking.item} onClose={close} onDone={(item) => board.put(item)} />;
  if (asking) return <LeaveFor item={asking.item} onClose={close} onDone={(item) => board.put(item)} />;
  return (
    <Leaf title={t("leaving.title")} open alert onClose={onStay}>
      <p role="status">
        <b>{held.length === 0 ? t("leaving.none") : t("leaving.held", { n: held.length })}</b>{" "}
        {danger > 0 && <b className="waits">{t("leaving.danger", { n: danger })}</b>}
      </p>
      <p className="soft">{others > 0 ? t("leaving.others", { n: others }) : t("leaving.alone")}</p>
      <Next />
      <ul className="rows">
        {held.map((item) => (
          <li key={item.id}>
            <div>
              <PersonName person={item.person} />
              <Standing item={item} />
            </div>
            <div className="row-acts">
              {(["hand-back", "assign", "handover"] as const).map((what) => (
                <button
                  key={what}
                  type="button"
                  className="second"
                  aria-label={`${t(`leaving.${what}`)}: ${item.person.key}`}
                  onClick={() => setAsking({ what, item })}
                >
                  {t(`leaving.${what}`)}
                </button>
              ))}
            </div>
          </li>
        ))}
      </ul>
      {held.length > 0 && <p>{t("leaving.text", { n: minutes })}</p>}
      <div className="acts">
        <button type="button" className="main" onClick={onStay}>
          {t("leaving.stay")}
        </button>
        <button type="button" className="second" onClick={onLeave}>
          {held.length > 0 ? t("leaving.leave") : t("leaving.go")}
        </button>
      </div>
    </Leaf>
  );
}
