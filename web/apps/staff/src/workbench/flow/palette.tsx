import { useEffect, useMemo, useState } from "react";
import { locale } from "../../shell/language.js";
import { blocks } from "../project/server.js";
import type { Accepts, Block } from "../text/shapes.js";
import { said, useLabel, useWords } from "../words/speaking.js";
import { Window } from "../words/window.js";

const loaded = new Map<string, Promise<Block[]>>();

function blocksOf(language: string): Promise<Block[]> {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const asked = blocks(language);
  asked.catch(() => loaded.delete(language));
  loaded.set(language, asked);
  return asked;
}

/** What can be added at a place, with a search. */
export function Palette(props: { accepts: Accepts; close(): void; choose(item: string): void }) {
  const { accepts, close, choose } = props;
  const t = useWords();
  const label = useLabel();
  const language = locale();
  const [all, setAll] = useState<Block[] | null>(null);
  const [search, setSearch] = useState("");
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    blocksOf(language).then(setAll, () => setFailed(true));
  }, [language]);
  const found = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return (all ?? []).filter((block) => {
      const text = `${block.id} ${block.name.zh} ${block.name.en} ${block.about.zh} ${block.about.en}`.toLowerCase();
      return block.accepts === accepts && words.every((word) => text.includes(word));
    });
  }, [all, accepts, search]);
  return (
    <Window title={t("palette.title", { what: label("kinds", accepts) })} close={close} wide>
      <input
        type="search"
        aria-label={t("palette.search")}
        placeholder={t("palette.search")}
        value={search}
        // biome-ignore lint/a11y/noAutofocus: the dialog is opened to search in it
        autoFocus
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          const [first] = found;
          if (event.key === "Enter" && first) choose(first.item);
        }}
      />
      {failed && <p role="alert">{t("failed")}</p>}
      <ul className="palette">
        {found.map((block) => (
          <li key={block.id}>
            <button type="button" onClick={() => choose(block.item)}>
              <strong>{said(block.name)}</strong>
              <small>{said(block.about)}</small>
            </button>
          </li>
        ))}
      </ul>
      {all && !found.length && <p className="soft">{t("palette.none")}</p>}
    </Window>
  );
}
