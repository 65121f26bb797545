import { useId, useState } from "react";
import { useHere } from "../project/context.js";
import { spanOf } from "../text/places.js";
import { Icon } from "../words/icon.js";
import { useWords } from "../words/speaking.js";
import { Window } from "../words/window.js";
import type { Place } from "./commands.js";

/** A new name for something, in the whole project. */
export function NameDialog({ old, done }: { old: string; done(name: string | null): void }) {
  const t = useWords();
  const id = useId();
  const [name, setName] = useState(old);
  return (
    <Window title={t("text.rename")} close={() => done(null)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          done(name.trim() || null);
        }}
      >
        <label htmlFor={id}>{t("text.newName", { name: old })}</label>
        <input
          id={id}
          value={name}
          // biome-ignore lint/a11y/noAutofocus: it is the only thing that is asked
          autoFocus
          onFocus={(event) => event.target.select()}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="acts">
          <button type="submit" className="main" disabled={!name.trim()}>
            {t("text.rename")}
          </button>
          <button type="button" className="second" onClick={() => done(null)}>
            {t("act.cancel")}
          </button>
        </div>
      </form>
    </Window>
  );
}

/** All places of something, each with the line it stands in. */
export function PlacesList({ name, places, close }: { name: string; places: Place[]; close(): void }) {
  const { opened, goTo } = useHere();
  const t = useWords();
  return (
    <section className="findings" aria-label={t("text.places", { name, count: places.length })}>
      <header>
        <h2>{t("text.places", { name, count: places.length })}</h2>
        <button type="button" className="icon" aria-label={t("act.close")} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <ul className="project-search">
        {places.map((place) => {
          const { doc } = opened.book.sheet(place.file).state;
          const line = doc.line(Math.min(doc.lines, place.range.start.line + 1));
          return (
            <li key={`${place.file}${line.number}:${place.range.start.character}`}>
              <button type="button" onClick={() => goTo(place.file, spanOf(doc, place.range))}>
                <small>
                  {place.file}:{line.number}
                </small>
                <span>{line.text.trim()}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
