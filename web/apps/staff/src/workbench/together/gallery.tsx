import { useCallback, useEffect, useId, useState } from "react";
import { Link, useLocation } from "wouter";
import { ask } from "../../shell/api.js";
import { locale } from "../../shell/language.js";
import { useTitle } from "../../shell/title.js";
import type { Project } from "../text/shapes.js";
import { useWords } from "../words/speaking.js";

interface Package {
  name: string;
  version: string;
  licence: string;
  description: string;
  authors: string[];
  origin: string;
  sources: string[];
  requires: Record<string, string>;
  key: string;
}

interface Preview extends Package {
  may: Record<string, string[]>;
  reads_memory: boolean;
  keeps_memory: boolean;
  findings: { severity: string; file: string; line: number; message: string }[];
  passed: number;
  failed: { name: string; told: string[] }[];
  files: string[];
}

const MAY = ["sessions", "skills", "awareness", "forms", "directives", "models", "hosts"] as const;

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
  const install = () =>
    attempt(async () => {
      const made = await ask<Project>(path, { method: "POST", body: { locale: locale() } });
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
          <dl>
            {MAY.filter((kind) => preview.may[kind]?.length).map((kind) => (
              <div key={kind}>
                <dt>{t(`gallery.capability.${kind}`)}</dt>
                <dd>{preview.may[kind]?.join("、")}</dd>
              </div>
            ))}
          </dl>
          {preview.reads_memory && <p>{t("gallery.reads")}</p>}
          {preview.keeps_memory && <p>{t("gallery.keeps")}</p>}
          <h3>{t("gallery.findings")}</h3>
          {preview.findings.length ? (
            <ul>
              {preview.findings.map((finding) => (
                <li key={`${finding.file}${finding.line}${finding.message}`}>
                  {finding.file}:{finding.line} {finding.message}
                </li>
              ))}
            </ul>
          ) : (
            <p className="soft">{t("gallery.clean")}</p>
          )}
          <p>{t("gallery.tests", { passed: preview.passed, failed: preview.failed.length })}</p>
          {preview.failed.length > 0 && (
            <ul>
              {preview.failed.map((each) => (
                <li key={each.name}>
                  {each.name}: {each.told.join(" ")}
                </li>
              ))}
            </ul>
          )}
          <p className="soft">
            {preview.sources.length > 0 && `${t("gallery.sources")}: ${preview.sources.join("、")} · `}
            {Object.keys(preview.requires).length > 0 &&
              `${t("gallery.requires")}: ${Object.entries(preview.requires)
                .map(([name, range]) => `${name} ${range}`)
                .join("、")} · `}
            {t("gallery.by")}: <code>{preview.key}</code>
          </p>
          <details>
            <summary>{t("gallery.files")}</summary>
            <p>{preview.files.join("、")}</p>
          </details>
          <button type="button" className="main" disabled={busy} onClick={() => void install()}>
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
