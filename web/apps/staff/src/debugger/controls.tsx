import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../shell/api.js";
import type { Bench } from "./session.js";
import type { Go } from "./shapes.js";

const STEPS: readonly { go: Go; key: string; shift?: boolean }[] = [
  { go: "run", key: "F8" },
  { go: "over", key: "F10" },
  { go: "into", key: "F11" },
  { go: "out", key: "F11", shift: true },
];

/** The keys of the controls, wherever in the page one is. */
export function useKeys(bench: Bench): void {
  const held = useRef(bench);
  held.current = bench;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const step = STEPS.find((each) => each.key === event.key && Boolean(each.shift) === event.shiftKey);
      if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const { does, act, busy } = held.current;
      if (!busy) void does(() => act("go", { go: step.go }));
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

/** Going on, stepping, going back, starting again, taking it away. */
export function Controls({ bench }: { bench: Bench }) {
  const { t } = useTranslation("debugger");
  const { id, state, act, does, busy, changed, apply } = bench;
  const over = state.status === "closed";
  const held = state.status === "held";
  const edited = Object.keys(changed).length;
  const [saved, setSaved] = useState(0);

  const download = () =>
    does(async () => {
      const response = await send(`/debug/sessions/${id}/file`);
      save(await response.blob(), `debug-${id.slice(0, 8)}.json`);
    });
  const test = () =>
    does(async () => {
      const found = await act<{ yaml: string; passes: boolean; problems: string[] }>("test", { name: state.name });
      const note = found.passes ? "" : `# ${t("testFails")} ${found.problems.join("; ")}\n`;
      save(new Blob([note, found.yaml], { type: "text/yaml" }), `${state.script.split("/")[1] ?? "debug"}.test.yaml`);
    });
  const keep = () => {
    const note = window.prompt(t("saveIt"));
    if (note === null) return;
    void does(async () => setSaved((await act<{ version: number }>("save", { note })).version));
  };
  const name = () => {
    const given = window.prompt(t("nameIt"))?.trim();
    if (given) void does(() => act("named", { name: given }));
  };

  return (
    <div className="debug-controls" role="toolbar" aria-label={t("controls")}>
      {STEPS.map(({ go, key, shift }) => (
        <button
          key={go}
          type="button"
          disabled={busy || over}
          aria-keyshortcuts={shift ? `Shift+${key}` : key}
          title={shift ? `Shift+${key}` : key}
          className={go === "run" && held ? "main" : ""}
          onClick={() => void does(() => act("go", { go }))}
        >
          {t(`go.${go}`)}
        </button>
      ))}
      <button type="button" disabled={busy || over} onClick={() => void does(() => act("go", { go: "call" }))}>
        {t("go.call")}
      </button>
      <button type="button" disabled={!state.asking} onClick={() => void does(() => act("pause"))}>
        {t("go.pause")}
      </button>
      <button type="button" disabled={busy || over} onClick={() => void does(() => act("restart"))}>
        {t("go.restart")}
      </button>
      {edited > 0 && (
        <>
          <button type="button" className="main" disabled={busy} onClick={() => void does(() => apply())}>
            {t("go.edit", { count: edited })}
          </button>
          <button
            type="button"
            disabled={busy}
            onClick={() => void does(() => act("play", { texts: changed }))}
            title={t("go.playAbout")}
          >
            {t("go.play")}
          </button>
        </>
      )}
      <span className="debug-space" />
      <label>
        <span className="hidden">{t("answers")}</span>
        <select
          value={state.answering}
          disabled={busy || over}
          onChange={(event) => void does(() => act("answering", { by: event.target.value }, "PUT"))}
        >
          {(["none", "model", "typed", "test"] as const).map((by) => (
            <option key={by} value={by} disabled={by === "model" && state.models.length === 0}>
              {t(`answering.${by}`)}
            </option>
          ))}
        </select>
      </label>
      {saved > 0 && <span role="status">{t("saved", { version: saved })}</span>}
      {state.project && (
        <button type="button" disabled={busy || edited > 0} title={edited > 0 ? t("saveFirst") : ""} onClick={keep}>
          {t("go.save")}
        </button>
      )}
      <button type="button" onClick={name}>
        {t("go.name")}
      </button>
      <button type="button" onClick={() => void test()}>
        {t("go.test")}
      </button>
      <button type="button" onClick={() => void download()}>
        {t("go.file")}
      </button>
      <button type="button" disabled={over} onClick={() => void does(() => act("close"))}>
        {t("go.stop")}
      </button>
    </div>
  );
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
