import { useMemo, useRef, useState } from "react";
import { locale } from "../../shell/language.js";
import { Acting, rootSlot, type Slot } from "../flow/acting.js";
import { nodeAt } from "../flow/flowview.js";
import { Palette } from "../flow/palette.js";
import { spanOf } from "../text/places.js";
import type { Accepts, Finding, FlowMap, Json, MapNode, Path } from "../text/shapes.js";
import { Icon } from "../words/icon.js";
import { useLabel, useWords } from "../words/speaking.js";
import { useBook, useHere, useTry } from "./context.js";
import { FileMenu } from "./filemenu.js";
import { scriptOf } from "./room.js";
import { fromFhir } from "./server.js";

const KINDS = ["session", "technique", "awareness", "form"] as const;

interface ContentsProps {
  map: FlowMap | null;
  root: MapNode | null;
  file: string | null;
  findings: Finding[];
}

/** What a project holds: its scripts by kind, or in the text view its files and the outline of the one that is shown. */
export function Contents(props: ContentsProps) {
  const { view } = useHere();
  const t = useWords();
  return (
    <nav className="contents" aria-label={t("contents.name")}>
      {view === "text" || view === "versions" ? <Files {...props} /> : <Scripts {...props} />}
    </nav>
  );
}

function Scripts({ map, root }: ContentsProps) {
  const { opened, draw, view, look, say, setFocus } = useHere();
  const t = useWords();
  const label = useLabel();
  const attempt = useTry();
  const [slot, setSlot] = useState<Slot | null>(null);
  const acting = useMemo(() => new Acting(opened), [opened]);
  const roots = useMemo(() => (map?.nodes ?? []).filter((node) => node.parent === null), [map]);
  const writable = opened.project.writable;
  const file = root?.file ?? opened.book.paths.find((path) => /\.ya?ml$/.test(path) && path !== "project.yaml");

  const made = async (at: Slot, path: Path | null) => {
    if (!path) return;
    const fresh = await opened.map();
    const node = nodeAt(fresh, at.file, path);
    if (!node) return;
    if (node.kind === "awareness" && root?.kind === "session") await watched(node);
    if (node.kind === "awareness") setFocus({ file: node.file, path: node.path });
    else draw(scriptOf(node));
    say(t("contents.made", { name: node.label }));
  };
  /** A new awareness script watches the session that is drawn, else nobody would notice that it is there. */
  const watched = async (node: MapNode) => {
    if (!root) return;
    const { fields } = await opened.language.ask<{ fields: { key: string; value: Json }[] }>("fields", {
      file: root.file,
      path: root.path,
    });
    const now = fields.find((field) => field.key === "awareness")?.value;
    const names = Array.isArray(now) ? now : [];
    if (!names.includes(node.detail))
      await opened.operate(root.file, {
        kind: "set",
        path: [...root.path, "awareness"],
        value: [...names, node.detail],
      });
  };
  const add = (accepts: Accepts) => {
    const at = map && file ? rootSlot(map, accepts, file) : null;
    if (at) setSlot(at);
  };
  const insert = (at: Slot, item: string) =>
    attempt(async () => {
      await made(at, await acting.insert(at, item));
    });
  const takeFhir = (files: FileList | null) =>
    attempt(async () => {
      for (const each of files ?? []) {
        const answer = await fromFhir(JSON.parse(await each.text()) as Json, locale());
        const at = map && file ? rootSlot(map, "form", file) : null;
        if (at) await made(at, await acting.insert(at, answer.form));
      }
    });

  return (
    <>
      {KINDS.map((kind) => {
        const own = roots.filter((node) => node.kind === kind);
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: files are dropped here; there is a button as well
          <section
            key={kind}
            onDragOver={(event) => kind === "form" && writable && isFile(event.dataTransfer) && event.preventDefault()}
            onDrop={(event) => {
              if (kind !== "form" || !writable || !event.dataTransfer.files.length) return;
              event.preventDefault();
              void takeFhir(event.dataTransfer.files);
            }}
          >
            <h2>
              {label("kinds", kind)}
              {writable && kind !== "session" && (
                <button
                  type="button"
                  className="icon"
                  aria-label={t("contents.add", { what: label("kinds", kind) })}
                  title={t("contents.add", { what: label("kinds", kind) })}
                  onClick={() => add(kind)}
                >
                  <Icon name="add" />
                </button>
              )}
            </h2>
            <ul>
              {own.map((node) => (
                <li key={node.id}>
                  <button
                    type="button"
                    className={node.id === root?.id && view === "flow" ? "script here" : "script"}
                    aria-current={node.id === root?.id && view === "flow" ? "page" : undefined}
                    onClick={() => {
                      draw(scriptOf(node));
                      if (node.kind === "awareness") setFocus({ file: node.file, path: node.path });
                    }}
                  >
                    {node.label}
                    <Counts node={node} map={map} />
                  </button>
                </li>
              ))}
              {map && !own.length && <li className="soft none">{t("contents.none")}</li>}
            </ul>
            {kind === "form" && writable && <TakeFhir take={takeFhir} />}
          </section>
        );
      })}
      <section>
        <h2>{label("kinds", "variables")}</h2>
        <ul>
          <li>
            <button type="button" className="script" onClick={() => look("variables")}>
              {t("contents.variables")}
            </button>
          </li>
        </ul>
      </section>
      {slot && (
        <Palette
          accepts={slot.accepts}
          close={() => setSlot(null)}
          choose={(item) => {
            setSlot(null);
            void insert(slot, item);
          }}
        />
      )}
    </>
  );
}

function isFile(transfer: DataTransfer): boolean {
  return transfer.types.includes("Files");
}

function TakeFhir({ take }: { take(files: FileList | null): unknown }) {
  const t = useWords();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="quiet small" onClick={() => input.current?.click()}>
        {t("forms.take")}
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json,application/fhir+json"
        hidden
        aria-label={t("forms.take")}
        onChange={(event) => {
          void take(event.target.files);
          event.target.value = "";
        }}
      />
    </>
  );
}

function Counts({ node, map }: { node: MapNode; map: FlowMap | null }) {
  const t = useWords();
  const within = (map?.nodes ?? []).filter((each) => each.id === node.id || each.id.startsWith(`${node.id}/`));
  const errors = within.reduce((sum, each) => sum + each.errors, 0);
  const warnings = within.reduce((sum, each) => sum + each.warnings, 0);
  if (errors)
    return (
      <span className="count error" title={t("findings.errors", { count: errors })}>
        {errors}
      </span>
    );
  return warnings ? (
    <span className="count warning" title={t("findings.warnings", { count: warnings })}>
      {warnings}
    </span>
  ) : null;
}

function Files({ map, file, findings }: ContentsProps) {
  const { opened, goTo } = useHere();
  const t = useWords();
  const label = useLabel();
  useBook();
  const outline = (map?.nodes ?? []).filter((node) => node.file === file && node.kind !== "action");
  const depth = (node: MapNode): number => {
    const parent = node.parent && map?.nodes.find((each) => each.id === node.parent);
    return parent ? depth(parent) + 1 : 0;
  };
  return (
    <>
      <section>
        <h2>
          {t("contents.files")}
          {opened.project.writable && <FileMenu file={file} />}
        </h2>
        <ul>
          {opened.book.paths.map((path) => {
            const wrong = findings.filter((finding) => finding.file === path);
            const errors = wrong.some((finding) => finding.severity === "error");
            return (
              <li key={path}>
                <button
                  type="button"
                  className={path === file ? "script here" : "script"}
                  aria-current={path === file ? "page" : undefined}
                  onClick={() => goTo(path)}
                >
                  {path}
                  {opened.book.isChanged(path) && (
                    <span className="changed" title={t("contents.changed")}>
                      ●<span className="hidden">{t("contents.changed")}</span>
                    </span>
                  )}
                  {wrong.length > 0 && <span className={`count ${errors ? "error" : "warning"}`}>{wrong.length}</span>}
                </button>
              </li>
            );
          })}
        </ul>
      </section>
      {outline.length > 0 && file && (
        <section>
          <h2>{t("contents.outline")}</h2>
          <ul className="outline">
            {outline.map((node) => (
              <li key={node.id}>
                <button
                  type="button"
                  className={`script depth-${Math.min(3, depth(node))}`}
                  onClick={() => {
                    const { from } = spanOf(opened.book.sheet(node.file).state.doc, node.range);
                    goTo(node.file, { from, to: from });
                  }}
                >
                  {node.label || label("kinds", node.kind)}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
