import { useCallback, useEffect, useState } from "react";
import { SideBySide } from "../code/sidebyside.js";
import type { Version } from "../text/shapes.js";
import { OriginNews, Words } from "../together/changes.js";
import { moment, useWords } from "../words/speaking.js";
import { useHere, useTry } from "./context.js";

type Full = Version & { texts: Record<string, string> };

/** All saved versions: who, when, what they said of it; each beside what stands now, and to be put in its place. */
export function VersionsView({ reopen }: { reopen(): void }) {
  const { opened } = useHere();
  const t = useWords();
  const attempt = useTry();
  const [versions, setVersions] = useState<Version[]>([]);
  const [more, setMore] = useState(false);
  const [chosen, setChosen] = useState<Full | null>(null);
  const [file, setFile] = useState("");
  const load = useCallback(
    (before?: number) =>
      attempt(async () => {
        const answer = await opened.server.versions(before);
        setVersions((now) => (before === undefined ? answer.versions : [...now, ...answer.versions]));
        setMore(answer.more);
      }),
    [attempt, opened],
  );
  useEffect(() => void load(), [load]);
  if (opened.project.origin !== "store") return <p className="soft inset">{t("versions.folder")}</p>;
  const now = opened.book.texts();
  const different = chosen
    ? [...new Set([...Object.keys(chosen.texts), ...Object.keys(now)])]
        .filter((path) => chosen.texts[path] !== now[path])
        .sort()
    : [];
  const shown = different.includes(file) ? file : (different[0] ?? "");
  const choose = (version: Version) =>
    attempt(async () => {
      setChosen(await opened.server.version(version.number));
    });
  return (
    <div className="versions">
      <OriginNews />
      <ol>
        {versions.map((version) => (
          <li key={version.number}>
            <button
              type="button"
              className={chosen?.number === version.number ? "version here" : "version"}
              aria-pressed={chosen?.number === version.number}
              onClick={() => void choose(version)}
            >
              <strong>{version.note || t("versions.unnamed", { number: version.number })}</strong>
              <small className="soft">
                {version.number} · {version.author} · {moment(version.at)}
              </small>
              <small className="soft">{version.changed.join("、")}</small>
            </button>
          </li>
        ))}
        {more && (
          <li>
            <button type="button" className="quiet" onClick={() => void load(versions.at(-1)?.number)}>
              {t("versions.older")}
            </button>
          </li>
        )}
      </ol>
      {chosen && (
        <section className="version-shown" aria-label={t("versions.unnamed", { number: chosen.number })}>
          <div className="text-tools">
            <strong>{chosen.note || t("versions.unnamed", { number: chosen.number })}</strong>
            {different.length > 1 && (
              <select aria-label={t("contents.files")} value={shown} onChange={(event) => setFile(event.target.value)}>
                {different.map((path) => (
                  <option key={path} value={path}>
                    {path}
                  </option>
                ))}
              </select>
            )}
            {opened.project.writable && (
              <button
                type="button"
                className="second small"
                disabled={!different.length && chosen.number === versions[0]?.number}
                onClick={() =>
                  void attempt(async () => {
                    await opened.drafts.discard();
                    await opened.server.restore(chosen.number, t("versions.restoredNote", { number: chosen.number }));
                    reopen();
                  })
                }
              >
                {t("versions.restore")}
              </button>
            )}
          </div>
          <Words before={chosen.number} />
          {shown ? (
            <SideBySide
              before={chosen.texts[shown] ?? ""}
              after={now[shown] ?? ""}
              names={[t("versions.unnamed", { number: chosen.number }), t("text.now")]}
            />
          ) : (
            <p className="soft inset">{t("versions.same")}</p>
          )}
        </section>
      )}
    </div>
  );
}
