import { newKey } from "@heartrule/sdk";
import { type SubmitEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../shell/api.js";
import { type Asked, useDeed } from "../shell/asking.js";
import { Leaf } from "../shell/dialog.js";
import { moment } from "../shell/times.js";
import type { Correction, Picture, Taken, Values } from "./shapes.js";

/** What was taken from the person's words, which staff may set right, on the record. */
export function TakenDown({
  session,
  picture,
  found,
  onShow,
}: {
  session: string;
  picture: Asked<Picture>;
  found: Picture;
  onShow(message: number): void;
}) {
  const { t } = useTranslation("desk");
  const [editing, setEditing] = useState<Taken | null>(null);
  const said = found.values.filter(isTheirs);
  const own = found.values.filter((each) => !isTheirs(each));
  return (
    <section>
      <h2>{t("picture.values")}</h2>
      {said.length === 0 && <p className="soft">{t("picture.noValues")}</p>}
      <List values={said} onShow={onShow} onEdit={setEditing} />
      {own.length > 0 && (
        <details>
          <summary>{t("picture.ownValues", { n: own.length })}</summary>
          <List values={own} onShow={onShow} onEdit={setEditing} />
        </details>
      )}
      <Corrections corrections={found.corrections} />
      {editing && (
        <Correct
          session={session}
          taken={editing}
          onClose={(changed) => {
            setEditing(null);
            if (changed) picture.put({ ...found, ...changed });
          }}
        />
      )}
    </section>
  );
}

/** Whether it comes from what the person said, and not from the script's own counting. */
function isTheirs({ evidence, message, corrected, strategy }: Taken): boolean {
  return evidence !== null || message !== null || corrected || strategy !== "set";
}

function List({
  values,
  onShow,
  onEdit,
}: {
  values: readonly Taken[];
  onShow(message: number): void;
  onEdit(taken: Taken): void;
}) {
  const { t } = useTranslation("desk");
  const words = useWording();
  return (
    <ul className="rows">
      {values.map((each) => (
        <li key={`${each.scope}${each.scope_key}${each.name}`}>
          <div>
            <p>
              <span className="soft">{each.label}</span> <b>{words(each.value)}</b>{" "}
              {each.corrected && <span className="tag own">{t("picture.corrected")}</span>}
            </p>
            {each.evidence && (
              <p className="soft">
                {t("picture.evidence", { words: each.evidence })}{" "}
                {each.message !== null && (
                  <button type="button" className="link" onClick={() => each.message !== null && onShow(each.message)}>
                    {t("picture.jump")}
                  </button>
                )}
              </p>
            )}
          </div>
          <button
            type="button"
            className="link"
            aria-label={t("picture.correctTitle", { label: each.label })}
            onClick={() => onEdit(each)}
          >
            {t("picture.correct")}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Corrections({ corrections }: { corrections: readonly Correction[] }) {
  const { t } = useTranslation("desk");
  const words = useWording();
  if (corrections.length === 0) return null;
  return (
    <details>
      <summary>{t("picture.corrections")}</summary>
      <ul>
        {corrections.map((each) => (
          <li key={each.at + each.name} className="soft">
            {t("picture.correction", {
              label: each.label,
              old: words(each.old),
              value: words(each.value),
              by: each.by,
              at: moment(each.at),
              reason: each.reason,
            })}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Correct({
  session,
  taken,
  onClose,
}: {
  session: string;
  taken: Taken;
  onClose(changed: Values | null): void;
}) {
  const { t } = useTranslation(["desk", "shell"]);
  const { busy, trouble, does } = useDeed();
  const words = useWording();
  /** So that what is sent again is no second correction. */
  const key = useRef(newKey());

  async function save(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const { scope, scope_key, name } = taken;
    const value = meant(String(given.get("value") ?? ""), taken);
    const reason = String(given.get("reason") ?? "").trim();
    await does(async () => {
      const body = { key: key.current, scope, scope_key, name, value, reason };
      onClose(await ask<Values>(`/desk/sessions/${session}/values`, { method: "PUT", body }));
    });
  }

  const choices = taken.options ?? (taken.type === "boolean" ? [true, false] : null);
  return (
    <Leaf title={t("picture.correctTitle", { label: taken.label })} open onClose={() => onClose(null)}>
      <p className="soft">{t("picture.correctText")}</p>
      <form className="fields" onSubmit={(event) => void save(event)}>
        <label htmlFor="value">{t("picture.newValue")}</label>
        {choices ? (
          <select id="value" name="value" defaultValue={JSON.stringify(taken.value)}>
            {choices.map((each) => (
              <option key={JSON.stringify(each)} value={JSON.stringify(each)}>
                {words(each)}
              </option>
            ))}
          </select>
        ) : (
          <textarea id="value" name="value" rows={2} defaultValue={plain(taken.value)} />
        )}
        <label htmlFor="why">{t("picture.why")}</label>
        <input id="why" name="reason" maxLength={400} autoComplete="off" required />
        <div className="acts">
          <button type="submit" className="main" disabled={busy}>
            {t("shell:save")}
          </button>
          <button type="button" className="second" onClick={() => onClose(null)}>
            {t("shell:cancel")}
          </button>
        </div>
      </form>
      <p className="line" role="alert">
        {trouble}
      </p>
    </Leaf>
  );
}

/** What was typed, as the kind of value that it was; lists stand one to a line. */
export function meant(text: string, { type, options, value }: Pick<Taken, "type" | "options" | "value">): unknown {
  if (options || type === "boolean") return JSON.parse(text);
  const said = text.trim();
  if (said === "") return null;
  if (/^(number|integer|float|int)/.test(type) || typeof value === "number") {
    const number = Number(said);
    return Number.isNaN(number) ? said : number;
  }
  if (/^list/.test(type) || Array.isArray(value))
    return said
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  if (typeof value === "object" && value !== null) {
    try {
      return JSON.parse(said);
    } catch {
      return said;
    }
  }
  return said;
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value) && value.every((each) => typeof each !== "object")) return value.join("\n");
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

/** A value in words. */
export function useWording(): (value: unknown) => string {
  const { t } = useTranslation("desk");
  const words = (value: unknown): string => {
    if (value === null || value === undefined || value === "") return t("picture.nothing");
    if (typeof value === "boolean") return t(value ? "picture.yes" : "picture.no");
    if (Array.isArray(value)) return value.length > 0 ? value.map(words).join("; ") : t("picture.nothing");
    if (typeof value === "object")
      return Object.entries(value)
        .map(([key, each]) => `${key}: ${words(each)}`)
        .join("; ");
    return String(value);
  };
  return words;
}
