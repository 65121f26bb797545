import { newKey } from "@heartrule/sdk";
import { type SubmitEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useDeed } from "../shell/asking.js";
import { Leaf } from "../shell/dialog.js";
import { PersonName } from "./people.js";
import { Next } from "./rota.js";
import type { Person } from "./shapes.js";

export const CLEARED = ["safe", "misheard", "with_somebody", "emergency", "referred", "other"] as const;

export const THEN = ["on", "wait", "end"] as const;
export type Then = (typeof THEN)[number];

/** How a counsellor leaves: the program goes on at once or once the person writes, or the session ends. That danger is
 * over is said with a reason. */
export function HandBack({
  id,
  person,
  given,
  then,
  open,
  onClose,
}: {
  id: string;
  person: Person;
  /** What is chosen already. */
  then: Then;
  /** It was assigned to who hands it back, which is done with by that. */
  given: boolean;
  open: boolean;
  onClose(done: boolean): void;
}) {
  const { t } = useTranslation(["desk", "shell"]);
  const { busy, trouble, does } = useDeed();
  const [closed, setClosed] = useState(false);
  const [next, setNext] = useState<Then | null>(null);
  const chosen = next ?? then;
  /** So that what is sent again hands nothing back twice. */
  const key = useRef(newKey());

  async function handBack(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const said = new FormData(event.currentTarget);
    const note = String(said.get("note") ?? "").trim();
    const text = String(said.get("text") ?? "").trim();
    const body = {
      key: key.current,
      next: chosen,
      ...(text && { text }),
      ...(closed && { closed: true, reason: String(said.get("reason") ?? "") }),
      ...(note && { note }),
    };
    const done = await does(() => ask(`/desk/sessions/${id}/hand-back`, { method: "POST", body }));
    if (!done) return;
    key.current = newKey();
    setNext(null);
    setClosed(false);
    if (given) await ask(`/desk/sessions/${id}/assignment`, { method: "PUT", body: { to: null } }).catch(() => {});
    onClose(true);
  }

  return (
    <Leaf title={t(chosen === "end" ? "handing.titleEnd" : "handing.title")} open={open} onClose={() => onClose(false)}>
      <p>
        <PersonName person={person} />
      </p>
      <Next />
      <form className="fields" onSubmit={(event) => void handBack(event)}>
        <fieldset>
          <legend>{t("handing.next")}</legend>
          {THEN.map((each) => (
            <label key={each} className="check">
              <input type="radio" name="then" checked={chosen === each} onChange={() => setNext(each)} />
              <span>
                {t(`handing.thens.${each}`)} <span className="soft">{t(`handing.thenText.${each}`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <label htmlFor="closing">{t("handing.closing")}</label>
        <textarea id="closing" name="text" rows={2} maxLength={4000} />
        <fieldset>
          <legend>{t("handing.how")}</legend>
          {[false, true].map((each) => (
            <label key={String(each)} className="check">
              <input type="radio" name="closed" checked={closed === each} onChange={() => setClosed(each)} />
              {t(each ? "handing.closed" : "handing.on")}
            </label>
          ))}
        </fieldset>
        {closed && (
          <>
            <label htmlFor="reason">{t("handing.reason")}</label>
            <select id="reason" name="reason" defaultValue="" required>
              <option value="" disabled>
                {t("handing.choose")}
              </option>
              {CLEARED.map((each) => (
                <option key={each} value={each}>
                  {t(`handing.reasons.${each}`)}
                </option>
              ))}
            </select>
          </>
        )}
        <label htmlFor="hand-note">{t("handing.note")}</label>
        <textarea id="hand-note" name="note" rows={2} maxLength={4000} />
        <div className="acts">
          <button type="submit" className="main" disabled={busy}>
            {t(chosen === "end" ? "handing.confirmEnd" : "handing.confirm")}
          </button>
          <button type="button" className="second" onClick={() => onClose(false)}>
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
