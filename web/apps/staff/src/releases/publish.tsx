import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useDeed } from "../shell/asking.js";
import type { Published } from "./shapes.js";

const EXISTING = ["pinned", "safe", "rule"] as const;
const ALLOWED = ["begins_again", "gone", "dropped"] as const;

/** To whom, and what becomes of sessions that are not over. */
export function Publish({ path, open, onDone }: { path: string; open: boolean; onDone(): Promise<void> }) {
  const { t } = useTranslation("releases");
  const { busy, trouble, does } = useDeed();
  const [existing, setExisting] = useState<(typeof EXISTING)[number]>("pinned");
  const [done, setDone] = useState<Published | null>(null);

  async function publish(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const body = { share: Number(given.get("share")) / 100, existing, allowed: given.getAll("allowed") };
    await does(async () => {
      setDone(await ask<Published>(path, { method: "POST", body }));
      await onDone();
    });
  }

  return (
    <section>
      <h2>{t("publish")}</h2>
      <form className="fields" onSubmit={(event) => void publish(event)}>
        <label htmlFor="share">{t("share")}</label>
        <input
          id="share"
          name="share"
          type="number"
          min={1}
          max={100}
          defaultValue={100}
          required
          aria-describedby="share-help"
        />
        <p id="share-help" className="soft">
          {t("shareHelp")}
        </p>
        <fieldset>
          <legend>{t("existing")}</legend>
          {EXISTING.map((each) => (
            <label key={each} className="check">
              <input
                type="radio"
                name="existing"
                value={each}
                checked={existing === each}
                onChange={() => setExisting(each)}
              />
              <span>{t(`existings.${each}`)}</span>
            </label>
          ))}
          {existing === "rule" &&
            ALLOWED.map((each) => (
              <label key={each} className="check inner">
                <input type="checkbox" name="allowed" value={each} defaultChecked={each === "begins_again"} />
                <span>{t(`allowed.${each}`)}</span>
              </label>
            ))}
        </fieldset>
        <div>
          <button type="submit" className="main" disabled={busy || !open}>
            {t("publish")}
          </button>
        </div>
      </form>
      <p className="line" role="alert">
        {trouble}
      </p>
      <p role="status">
        {done && t("isPublished")} {done && existing !== "pinned" && t("movedSome", { ...done.moved })}
      </p>
    </section>
  );
}
