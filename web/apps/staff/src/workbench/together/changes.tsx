import { useEffect, useState } from "react";
import { useHere } from "../project/context.js";
import { said, useWords } from "../words/speaking.js";
import { useTogether } from "./context.js";
import type { Change, Origin } from "./shapes.js";

/** What has changed from a version to the newest saved one, in words. */
export function Words({ before }: { before: number }) {
  const { opened } = useHere();
  const { company } = useTogether();
  const t = useWords();
  const [changes, setChanges] = useState<Change[] | null>(null);
  const { base } = opened;
  useEffect(() => {
    let over = false;
    setChanges(null);
    company.server.changes(before, base).then(
      (found) => !over && setChanges(found),
      () => {},
    );
    return () => {
      over = true;
    };
  }, [company, before, base]);
  if (!changes?.length) return null;
  return (
    <details className="in-words" open>
      <summary>{t("changes.since", { count: changes.length })}</summary>
      <Told changes={changes} />
    </details>
  );
}

/** What a copy was made of, and what has changed there since. */
export function OriginNews() {
  const { company } = useTogether();
  const t = useWords();
  const [origin, setOrigin] = useState<Origin | null>(null);
  useEffect(() => {
    company.server.origin().then(setOrigin, () => {});
  }, [company]);
  if (!origin?.origin) return null;
  return (
    <details className="in-words origin">
      <summary>
        {t("changes.origin", { name: origin.name })} ·{" "}
        {origin.there ? t("changes.there", { count: origin.changes.length }) : t("changes.away")}
      </summary>
      {origin.there && (
        <a href={`/staff/workbench/${encodeURIComponent(origin.origin)}`}>{t("changes.open", { name: origin.name })}</a>
      )}
      <Told changes={origin.changes} />
    </details>
  );
}

/** Changes, in words. */
export function Told({ changes }: { changes: Change[] }) {
  return (
    <ul>
      {changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they come at once and never change
        <li key={index}>
          <small className="soft">{change.file}</small> {said(change.says)}
        </li>
      ))}
    </ul>
  );
}
