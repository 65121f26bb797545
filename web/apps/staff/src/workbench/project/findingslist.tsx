import { useSyncExternalStore } from "react";
import { mended } from "../code/diagnostics.js";
import { nodeAt } from "../flow/flowview.js";
import { keyOf } from "../panel/panel.js";
import { spanOf } from "../text/places.js";
import type { Finding, FlowMap, MapNode, Path } from "../text/shapes.js";
import { Icon } from "../words/icon.js";
import { useLabel, useWords } from "../words/speaking.js";
import { telling } from "../words/telling.js";
import { useHere } from "./context.js";
import { useKnown } from "./names.js";
import { scriptOf } from "./room.js";

/** Everything that is wrong in a project, each with the way to it and its mend. */
export function FindingsList({ findings, close }: { findings: Finding[]; close(): void }) {
  const { opened, goTo, view, draw, setFocus } = useHere();
  const { map } = useKnown();
  const t = useWords();
  const label = useLabel();
  const standing = useSyncExternalStore(opened.language.subscribe, () => opened.language.standing);
  const open = (finding: Finding) => {
    const node = view === "text" ? null : nodeOf(map, finding);
    if (node && map) {
      const root = rootAbove(map, node);
      draw(scriptOf(root));
      setFocus({ file: node.file, path: node.path });
    } else goTo(finding.file, spanOf(opened.book.sheet(finding.file).state.doc, finding.range));
  };
  const ordered = [...findings].sort((one, other) => one.severity.localeCompare(other.severity));
  const safe = findings.filter((finding) => finding.mend?.safe);
  return (
    <section className="findings" aria-label={t("findings.name")}>
      <header>
        <h2>{t("findings.name")}</h2>
        <button type="button" className="icon" aria-label={t("act.close")} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {!findings.length && <p className="soft">{t(standing === "ready" ? "findings.good" : "findings.unchecked")}</p>}
      <ul>
        {ordered.map((finding) => {
          const { message, hint } = view === "text" ? finding : telling(finding, label, t);
          return (
            <li key={keyOf(finding)} className={`told ${finding.severity}`}>
              <button type="button" className="finding" onClick={() => open(finding)}>
                <span className="finding-text">{message}</span>
                {hint && <span className="soft">{hint}</span>}
                <small className="soft">
                  {t(`findings.${finding.severity}`)} {finding.code} · {finding.file}:{finding.range.start.line + 1}
                </small>
              </button>
              {finding.mend && opened.project.writable && (
                <button type="button" className="second small" onClick={() => mended(opened, finding)}>
                  {finding.mend.title === finding.hint ? t("findings.mend") : finding.mend.title}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {safe.length > 1 && <p className="soft">{t("findings.mendable", { count: safe.length })}</p>}
    </section>
  );
}

/** The innermost node that a finding is in. */
function nodeOf(map: FlowMap | null, finding: Finding): MapNode | null {
  if (!map || !finding.path) return null;
  for (let path: Path = finding.path; path.length; path = path.slice(0, -1)) {
    const node = nodeAt(map, finding.file, path);
    if (node) return node.kind === "variables" ? null : node;
  }
  return null;
}

export function rootAbove(map: FlowMap, node: MapNode): MapNode {
  const parent = node.parent && map.nodes.find((each) => each.id === node.parent);
  return parent ? rootAbove(map, parent) : node;
}
