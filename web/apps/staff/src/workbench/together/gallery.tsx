import { useCallback, useEffect, useId, useState } from "react";
import { Link, useLocation } from "wouter";
import { ask } from "../../shell/api.js";
import { useTitle } from "../../shell/title.js";
import type { Project } from "../text/shapes.js";
import { useWords } from "../words/speaking.js";
import {
  type Brought,
  BroughtList,
  type Capable,
  type Checked,
  CheckedLines,
  digestsOf,
  May,
  type Package,
} from "./packages.js";

interface Preview extends Package, Capable, Checked {
  digest: string;
  files: string[];
  brings: Brought[];
}

/** Packages of others: found, looked at, and made projects of one's own. */
export function Gallery() {
  const t = useWords();
  useTitle(t("gallery.name"));
  const id = useId();
  const [wanted, setWanted] = useState("");
  const [found, setFound] = useState<{ on: boolean; packages: Package[] } | null>(null);
  const [failed, setFailed] = useState("");
  const load = useCallback(
    (text: string) =>
      ask<{ on: boolean; packages: Package[] }>(`/workbench/packages?q=${encodeURIComponent(text)}`).then(
        (answer) => {
          setFailed("");
          setFound(answer);
        },
        (error: Error) => setFailed(error.message || t("failed")),
      ),
    [t],
  );
  useEffect(() => {
    const timer = setTimeout(() => void load(wanted), wanted ? 250 : 0);
    return () => clearTimeout(timer);
  }, [load, wanted]);
  return (
    <div className="page projects">
      <Link href="/">‹ {t("gallery.back")}</Link>
      <h1>{t("gallery.name")}</h1>
      <p className="soft">{t("gallery.about")}</p>
      <label htmlFor={id}>{t("gallery.search")}</label>
      <input id={id} type="search" value={wanted} onChange={(event) => setWanted(event.target.value)} />
      {failed && (
        <p className="notice" role="alert">
          {failed}
        </p>
      )}
      {!found && !failed && <p className="soft">{t("wait")}</p>}
      {found && !found.packages.length && <p className="soft">{t(found.on ? "gallery.none" : "gallery.off")}</p>}
      <ul className="gallery-list">
        {(found?.packages ?? []).map((each) => (
          <Item key={`${each.name} ${each.version}`} item={each} />
        ))}
      </ul>
    </div>
  );
}

function Item({ item }: { item: Package }) {
  const t = useWords();
  const [preview, setPreview] = useState<Preview | null>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState("");
  const [, go] = useLocation();
  const path = `/workbench/packages/${encodeURIComponent(item.name)}/${encodeURIComponent(item.version)}`;
  const attempt = async (act: () => Promise<unknown>) => {
    setBusy(true);
    setFailed("");
    try {
      await act();
    } catch (error) {
      setFailed((error as Error).message || t("failed"));
    } finally {
      setBusy(false);
    }
  };
  const install = (shown: Preview) =>
    attempt(async () => {
      const body = { digests: digestsOf([shown, ...shown.brings]) };
      const made = await ask<Project>(path, { method: "POST", body });
      go(`/${encodeURIComponent(made.id)}`);
    });
  return (
    <li>
      <h2>
        {item.name} <small>{item.version}</small>
      </h2>
      <p>{item.description}</p>
      <p className="soft">
        {t("gallery.licence")}: {item.licence}
        {item.authors.length > 0 && ` · ${item.authors.join("、")}`}
      </p>
      {!preview && (
        <button
          type="button"
          className="second small"
          disabled={busy}
          onClick={() => void attempt(async () => setPreview(await ask<Preview>(path)))}
        >
          {busy ? t("wait") : t("gallery.look")}
        </button>
      )}
      {preview && (
        <>
          <h3>{t("gallery.may")}</h3>
          <May of={preview} />
          <h3>{t("gallery.findings")}</h3>
          <CheckedLines of={preview} />
          <p className="soft">
            {preview.sources.length > 0 && `${t("gallery.sources")}: ${preview.sources.join("、")} · `}
            {Object.keys(preview.requires).length > 0 &&
              `${t("gallery.requires")}: ${Object.entries(preview.requires)
                .map(([name, range]) => `${name} ${range}`)
                .join("、")} · `}
            {t("gallery.by")}: <code>{preview.key}</code>
          </p>
          {preview.brings.length > 0 && (
            <>
              <h3>{t("gallery.brings", { count: preview.brings.length })}</h3>
              <BroughtList brings={preview.brings} />
            </>
          )}
          <details>
            <summary>{t("gallery.files")}</summary>
            <p>{preview.files.join("、")}</p>
          </details>
          <button type="button" className="main" disabled={busy} onClick={() => void install(preview)}>
            {t(preview.failed.length ? "gallery.installAnyway" : "gallery.install")}
          </button>
        </>
      )}
      {failed && (
        <p className="notice" role="alert">
          {failed}
        </p>
      )}
    </li>
  );
}
