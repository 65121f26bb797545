import { newKey } from "@heartrule/sdk";
import { type SubmitEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useDeed } from "../shell/asking.js";
import { Leaf } from "../shell/dialog.js";

export const CLEARED = ["safe", "misheard", "with_somebody", "emergency", "referred", "other"] as const;

/** Hands a session back to the program; that danger is over is said with a reason. */
export function HandBack({
  id,
  given,
  open,
  onClose,
}: {
  id: string;
  /** It was assigned to who hands it back, which is done with by that. */
  given: boolean;
  open: boolean;
  onClose(done: boolean): void;
}) {
  const { t } = useTranslation(["desk", "shell"]);
  const { busy, trouble, does } = useDeed();
  const [closed, setClosed] = useState(false);
  /** So that what is sent again hands nothing back twice. */
  const key = useRef(newKey());

  async function handBack(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const said = new FormData(event.currentTarget);
    const note = String(said.get("note") ?? "").trim();
    const body = {
      key: key.current,
      ...(closed && { closed: true, reason: String(said.get("reason") ?? "") }),
      ...(note && { note }),
    };
    const done = await does(() => ask(`/desk/sessions/${id}/hand-back`, { method: "POST", body }));
    if (!done) return;
    key.current = newKey();
    if (given) await ask(`/desk/sessions/${id}/assignment`, { method: "PUT", body: { to: null } }).catch(() => {});
    onClose(true);
  }

  return (
    <Leaf title={t("handing.title")} open={open} onClose={() => onClose(false)}>
      <p>{t("handing.text")}</p>
      <form className="fields" onSubmit={(event) => void handBack(event)}>
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
            {t("handing.confirm")}
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
