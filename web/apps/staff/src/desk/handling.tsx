import { type SubmitEvent, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useDeed } from "../shell/asking.js";
import { Leaf } from "../shell/dialog.js";
import { board } from "./board.js";
import { isOver } from "./order.js";
import { PersonName } from "./people.js";
import { Next } from "./rota.js";
import type { Colleague, Item } from "./shapes.js";

type Asking = "assign" | "handover" | null;

/** Whose it is to be: assigned, passed on, left for the next shift. */
export function Handling({ item, onChanged }: { item: Item; onChanged(): void }) {
  const { t } = useTranslation("desk");
  const [asking, setAsking] = useState<Asking>(null);
  const { busy, does } = useDeed();
  const take = (next: Item) => {
    board.put(next);
    onChanged();
  };
  const off = () =>
    does(async () => take(await ask(`/desk/sessions/${item.id}/handover`, { method: "PUT", body: { note: null } })));
  return (
    <div className="handling">
      {!isOver(item) && (
        <button type="button" className="second" onClick={() => setAsking("assign")}>
          {item.holder?.me ? t("talk.transfer") : t("talk.assign")}
        </button>
      )}
      <button type="button" className="second" onClick={() => setAsking("handover")}>
        {item.handover ? t("talk.handoverChange") : t("talk.handover")}
      </button>
      {item.handover && (
        <button type="button" className="second" disabled={busy} onClick={() => void off()}>
          {t("talk.handoverOff")}
        </button>
      )}
      {asking === "assign" && <Assign item={item} onClose={() => setAsking(null)} onDone={take} />}
      {asking === "handover" && <LeaveFor item={item} onClose={() => setAsking(null)} onDone={take} />}
    </div>
  );
}

/** Whether a colleague is there for people, at a page of the desk, or neither. */
export function standingOf({ here, online }: Colleague): string {
  return here ? "assigning.here" : online ? "assigning.online" : "assigning.away";
}

interface Parts {
  item: Item;
  onClose(): void;
  onDone(item: Item): void;
}

export function Assign({ item, onClose, onDone }: Parts) {
  const { t } = useTranslation(["desk", "shell"]);
  const { colleagues } = useSyncExternalStore(board.subscribe, board.snapshot);
  const { busy, trouble, does } = useDeed();
  const mine = item.holder?.me === true;
  const near = ({ here, online }: Colleague) => Number(here) * 2 + Number(online);
  const choices = colleagues.filter(({ me }) => !(mine && me)).sort((one, other) => near(other) - near(one));

  async function assign(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const to = String(given.get("to") ?? "") || null;
    const note = String(given.get("note") ?? "").trim();
    const body = { to, ...(note && { note }) };
    await does(async () => {
      onDone(await ask(`/desk/sessions/${item.id}/assignment`, { method: "PUT", body }));
      onClose();
    });
  }

  return (
    <Leaf title={t(mine ? "assigning.transfer" : "assigning.assign")} open onClose={onClose}>
      <p>
        <PersonName person={item.person} />
      </p>
      {mine && <p>{t("assigning.transferText")}</p>}
      <form className="fields" onSubmit={(event) => void assign(event)}>
        <fieldset>
          <legend className="hidden">{t("assigning.assign")}</legend>
          {choices.map((each) => (
            <label key={each.id} className="check">
              <input
                type="radio"
                name="to"
                value={each.id}
                defaultChecked={item.assigned?.to.id === each.id}
                required
              />
              <span>
                {each.name}{" "}
                <span className="soft">
                  {t(standingOf(each))} · {t("assigning.holds", { n: each.holds })}
                </span>
              </span>
            </label>
          ))}
          {item.assigned && (
            <label className="check">
              <input type="radio" name="to" value="" required />
              {t("assigning.nobody")}
            </label>
          )}
        </fieldset>
        {choices.length === 0 && <p className="soft">{t("shift.nobody")}</p>}
        <label htmlFor="assign-note">{t("assigning.note")}</label>
        <textarea id="assign-note" name="note" rows={3} maxLength={4000} />
        <div className="acts">
          <button type="submit" className="main" disabled={busy}>
            {t("assigning.confirm")}
          </button>
          <button type="button" className="second" onClick={onClose}>
            {t("shell:cancel")}
          </button>
        </div>
      </form>
      <p className="line" role="alert">
        {trouble}
      </p>
    </Leaf>
  );
}

export function LeaveFor({ item, onClose, onDone }: Parts) {
  const { t } = useTranslation(["desk", "shell"]);
  const { busy, trouble, does } = useDeed();

  async function leave(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get("note") ?? "").trim();
    await does(async () => {
      onDone(await ask(`/desk/sessions/${item.id}/handover`, { method: "PUT", body: { note } }));
      onClose();
    });
  }

  return (
    <Leaf title={t("assigning.handover")} open onClose={onClose}>
      <p>
        <PersonName person={item.person} />
      </p>
      <p>{t("assigning.handoverText")}</p>
      <Next />
      <form className="fields" onSubmit={(event) => void leave(event)}>
        <label htmlFor="handover-note">{t("assigning.handoverNote")}</label>
        <textarea
          id="handover-note"
          name="note"
          rows={4}
          maxLength={4000}
          defaultValue={item.handover?.note}
          required
        />
        <div className="acts">
          <button type="submit" className="main" disabled={busy}>
            {t("assigning.confirm")}
          </button>
          <button type="button" className="second" onClick={onClose}>
            {t("shell:cancel")}
          </button>
        </div>
      </form>
      <p className="line" role="alert">
        {trouble}
      </p>
    </Leaf>
  );
}
