import { useEffect, useState } from "react";
import { ask } from "../../shell/api.js";
import { useHere } from "../project/context.js";
import type { Both } from "../text/shapes.js";
import { said, useWords } from "../words/speaking.js";
import { Window } from "../words/window.js";

interface Part {
  name: "findings" | "coverage" | "mutants" | "simulation" | "size";
  points: number;
  most: number;
  measured: boolean;
  lowers: Both[];
}

interface Score {
  script: string;
  name: string;
  score: number;
  parts: Part[];
}

/** How good each script is as it is saved, and what lowers it. */
export function ScoreDialog({ close }: { close(): void }) {
  const { opened } = useHere();
  const t = useWords();
  const [scores, setScores] = useState<Score[] | null>(null);
  const [failed, setFailed] = useState("");
  useEffect(() => {
    let over = false;
    const path = `/workbench/projects/${encodeURIComponent(opened.project.id)}/scores`;
    ask<{ scores: Score[] }>(path, { method: "POST", body: { texts: opened.unsaved() } }).then(
      (answer) => !over && setScores(answer.scores),
      (error: Error) => !over && setFailed(error.message || t("failed")),
    );
    return () => {
      over = true;
    };
  }, [opened, t]);
  return (
    <Window title={t("score.name")} close={close} wide>
      {failed && (
        <p className="notice" role="alert">
          {failed}
        </p>
      )}
      {!scores && !failed && <p role="status">{t("score.running")}</p>}
      {scores && !scores.length && <p className="soft">{t("score.none")}</p>}
      {(scores ?? []).map((score) => (
        <section key={score.script}>
          <h3>
            {score.name} · {t("score.of", { score: score.score })}
          </h3>
          <table className="score-parts">
            <tbody>
              {score.parts.map((part) => (
                <tr key={part.name}>
                  <th scope="row">{t(`score.part.${part.name}`)}</th>
                  <td>
                    {part.measured
                      ? t("score.points", { points: part.points, most: part.most })
                      : t("score.unmeasured")}
                  </td>
                  <td>
                    <ul>
                      {part.lowers.map((each) => (
                        <li key={each.en}>{said(each)}</li>
                      ))}
                    </ul>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </Window>
  );
}
