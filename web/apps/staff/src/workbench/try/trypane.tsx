import { useCallback, useEffect, useRef, useState } from "react";
import { Refusal } from "../../shell/api.js";
import { locale } from "../../shell/language.js";
import { flushed } from "../panel/pausing.js";
import { useBook, useHere } from "../project/context.js";
import { rootAbove } from "../project/findingslist.js";
import { useKnown } from "../project/names.js";
import type { Finding, MapNode } from "../text/shapes.js";
import { Icon } from "../words/icon.js";
import { useWords } from "../words/speaking.js";

interface Tried {
  session: string;
  token: string;
  script: string;
  /** The state of the texts that is tried. */
  version: number;
}

/** The present texts, saved or not, in the real engine, with the real chat. */
export function TryPane({ root, close }: { root: MapNode | null; close(): void }) {
  const { opened, goTo } = useHere();
  const { map } = useKnown();
  const t = useWords();
  const version = useBook();
  const sessions = (map?.nodes ?? []).filter((node) => node.kind === "session");
  const [chosen, setChosen] = useState("");
  const [model, setModel] = useState(false);
  const [tried, setTried] = useState<Tried | null>(null);
  const [wrong, setWrong] = useState<Finding[]>([]);
  const [told, setTold] = useState("");
  const [busy, setBusy] = useState(false);
  const host = useRef<HTMLDivElement>(null);
  const wanted = root && map ? rootAbove(map, root) : null;
  const script =
    sessions.find((node) => node.detail === chosen) ?? (wanted?.kind === "session" ? wanted : sessions[0]) ?? null;

  const begin = useCallback(async () => {
    if (!script) return;
    flushed();
    setBusy(true);
    setWrong([]);
    setTold("");
    try {
      const body = { script: script.detail || script.label, locale: locale(), texts: opened.unsaved(), model };
      const made = await opened.server.tryIt(body);
      setTried({ ...made, version: opened.book.version });
    } catch (error) {
      if (error instanceof Refusal && Array.isArray(error.body.findings)) setWrong(error.body.findings as Finding[]);
      setTold(error instanceof Error && error.message ? error.message : t("failed"));
    } finally {
      setBusy(false);
    }
  }, [opened, script, model, t]);

  useEffect(() => {
    const place = host.current;
    if (!place) return;
    place.replaceChildren();
    if (!tried) return;
    let over = false;
    void import("@heartrule/sdk/chat").then(() => {
      if (over) return;
      const chat = document.createElement("heart-chat");
      chat.base = "";
      chat.session = tried.session;
      chat.token = tried.token;
      chat.locale = locale();
      const { theme } = document.documentElement.dataset;
      chat.theme = theme === "light" || theme === "dark" ? theme : "auto";
      place.append(chat);
    });
    return () => {
      over = true;
      place.replaceChildren();
    };
  }, [tried]);

  return (
    <aside className="try" aria-label={t("try.name")}>
      <header className="panel-head">
        <h2>{t("try.name")}</h2>
        <button type="button" className="icon" aria-label={t("act.close")} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div className="try-acts">
        {sessions.length > 1 && (
          <select
            aria-label={t("try.script")}
            value={script?.detail ?? ""}
            onChange={(event) => setChosen(event.target.value)}
          >
            {sessions.map((node) => (
              <option key={node.id} value={node.detail}>
                {node.label}
              </option>
            ))}
          </select>
        )}
        <label className="check">
          <input type="checkbox" checked={model} onChange={(event) => setModel(event.target.checked)} />
          {t("try.model")}
        </label>
        <button type="button" className="main" disabled={busy || !script} onClick={() => void begin()}>
          {tried ? t("try.again") : t("try.begin")}
        </button>
      </div>
      {tried && tried.version !== version && <p className="notice small">{t("try.changed")}</p>}
      {told && (
        <div className="told error" role="alert">
          <p>{told}</p>
          <ul>
            {wrong.slice(0, 5).map((finding) => (
              <li key={`${finding.file}${finding.code}${finding.range?.start.line}`}>
                <button type="button" className="quiet small" onClick={() => goTo(finding.file)}>
                  {finding.message}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {!tried && !told && <p className="soft inset">{script ? t("try.about") : t("try.nothing")}</p>}
      <div ref={host} className="try-chat" />
    </aside>
  );
}
