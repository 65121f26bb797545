import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { useDeed } from "../shell/asking.js";
import type { Example, Impact as Shown } from "./shapes.js";

const KINDS = ["as_is", "safe", "lost", "stuck", "held", "unread"] as const;

/** What publishing would do to sessions that are not over: how many, and at which places. */
export function Impact({ release }: { release: string }) {
  const { t } = useTranslation("releases");
  const { busy, trouble, does } = useDeed();
  const [found, setFound] = useState<Shown | null>(null);

  const look = () =>
    does(async () =>
      setFound(await ask<Shown>(`/workbench/releases/${encodeURIComponent(release)}/impact`, { method: "POST" })),
    );

  return (
    <section>
      <h2>{t("impact")}</h2>
      <button type="button" className="second" disabled={busy} onClick={() => void look()}>
        {t("look")}
      </button>
      <p className="line" role="alert">
        {trouble}
      </p>
      <div role="status">
        {found && <p>{t("impactAll", { n: found.sessions })}</p>}
        {found && found.sessions > 0 && (
          <ul className="impact">
            {KINDS.filter((kind) => found[kind] > 0).map((kind) => (
              <li key={kind} className={`kind-${kind}`} style={{ flexGrow: found[kind] }}>
                <b>{found[kind]}</b> {t(`kinds.${kind}`)}
              </li>
            ))}
          </ul>
        )}
      </div>
      {found && found.examples.length > 0 && (
        <>
          <h3>{t("examples")}</h3>
          <ul className="rows">
            {found.examples.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: examples have no name
              <Case key={index} example={each} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Case({ example }: { example: Example }) {
  const { t, i18n } = useTranslation("releases");
  const place = [example.phase, example.topic, example.action].filter(Boolean).join(" › ") || t("start");
  const reason = `reasons.${example.reason}`;
  return (
    <li>
      <div>
        <span className={`tag kind-${example.kind}`}>{t(`kinds.${example.kind}`)}</span> <code>{place}</code>{" "}
        <span className="soft">{t("example", { count: example.sessions })}</span>
        <p className="soft">
          {example.reason
            ? `${i18n.exists(`releases:${reason}`) ? t(reason) : example.reason} (${example.about})`
            : example.parts.map((part) => `${part.name}: ${t(`fates.${part.fate}`)}`).join("; ")}
        </p>
      </div>
    </li>
  );
}
