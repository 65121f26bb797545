import { type SubmitEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ask } from "../shell/api.js";
import { useDeed } from "../shell/asking.js";
import { moment } from "../shell/times.js";
import { Standing } from "./list.js";
import { PersonName } from "./people.js";
import type { Hits } from "./shapes.js";

const SENDERS = ["person", "ai", "system", "human"];

/** Words in all sessions and notes that somebody may see. */
export function SearchPage() {
  const { t } = useTranslation("desk");
  const { busy, trouble, does } = useDeed();
  const [found, setFound] = useState<Hits | null>(null);

  async function search(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const words = String(new FormData(event.currentTarget).get("q") ?? "").trim();
    if (words === "") return;
    await does(async () => setFound(await ask(`/desk/search?q=${encodeURIComponent(words)}&limit=50`)));
  }

  return (
    <div className="page wide stack scrolling">
      <h1>{t("search.title")}</h1>
      <p className="soft">{t("search.text")}</p>
      <search>
        <form className="one-line" onSubmit={(event) => void search(event)}>
          <label className="hidden" htmlFor="q">
            {t("search.query")}
          </label>
          <input id="q" name="q" type="search" maxLength={200} placeholder={t("search.query")} required />
          <button type="submit" className="main" disabled={busy}>
            {t("search.go")}
          </button>
        </form>
      </search>
      <p className="line" role="alert">
        {trouble}
      </p>
      <p role="status">
        {found && (found.hits.length === 0 ? t("search.none") : t("search.found", { n: found.hits.length }))}{" "}
        {found && !found.complete && t("search.incomplete")}
      </p>
      <ul className="rows">
        {(found?.hits ?? []).map((hit) => (
          <li key={`${hit.session}${hit.message}${hit.note}${hit.at}`}>
            <div>
              <p>
                <PersonName person={hit.item.person} />{" "}
                <span className="soft">
                  {hit.note !== null
                    ? t("search.note")
                    : SENDERS.includes(hit.sender)
                      ? t(`talk.${hit.sender}`)
                      : hit.sender}{" "}
                  · {moment(hit.at)}
                </span>
              </p>
              <p>
                <Link href={`/s/${hit.session}${hit.message !== null ? `?m=${hit.message}` : ""}`} className="hit">
                  {hit.before}
                  <mark>{hit.match}</mark>
                  {hit.after}
                </Link>
              </p>
              <Standing item={hit.item} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
