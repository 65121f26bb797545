import { setDiagnostics } from "@codemirror/lint";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { useHere } from "../project/context.js";
import { spanOf } from "../text/places.js";
import type { At, Finding } from "../text/shapes.js";
import { type Beside, put } from "./beside.js";
import { diagnosticOf } from "./diagnostics.js";
import { light } from "./extensions.js";

/** Where somebody had come to in each file. */
const scrolled = new Map<string, ReturnType<EditorView["scrollSnapshot"]>>();

/**
 * The editor of one file. It lives in a shadow root: the page allows no styles in elements, and there the editor's come
 * as a sheet.
 */
export function Editor({ path, findings, places, besides, at }: EditorProps) {
  const { opened } = useHere();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open", delegatesFocus: true });
    const sheet = opened.book.sheet(path);
    const made = new EditorView({
      state: sheet.state,
      parent: root,
      root,
      ...(scrolled.has(path) && { scrollTo: scrolled.get(path) as ReturnType<EditorView["scrollSnapshot"]> }),
      dispatchTransactions: (transactions, self) => {
        self.update(transactions);
        opened.book.took(path, transactions);
      },
    });
    opened.book.attach(path, made);
    view.current = made;
    return () => {
      scrolled.set(path, made.scrollSnapshot());
      opened.book.detach(path, made);
      made.destroy();
      view.current = null;
    };
  }, [opened, path]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another editor
  useEffect(() => {
    const made = view.current;
    if (!made) return;
    made.dispatch(
      setDiagnostics(
        made.state,
        findings.map((finding) => diagnosticOf(made, finding, opened)),
      ),
    );
  }, [findings, opened, path]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another editor
  useEffect(() => {
    const made = view.current;
    if (!made) return;
    made.dispatch({ effects: light.of(places.map((place) => spanOf(made.state.doc, place.range))) });
  }, [places, path]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another editor
  useEffect(() => {
    view.current?.dispatch({ effects: put.of(besides) });
  }, [besides, path]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another editor
  useEffect(() => {
    const made = view.current;
    if (!made || !at) return;
    const to = Math.min(at.to, made.state.doc.length);
    made.dispatch({
      selection: { anchor: Math.min(at.from, to), head: to },
      effects: EditorView.scrollIntoView(Math.min(at.from, to), { y: "center" }),
    });
    made.focus();
  }, [at, path]);

  return <div className="editor" ref={host} />;
}

export interface EditorProps {
  path: string;
  findings: readonly Finding[];
  places: readonly At[];
  besides: readonly Beside[];
  /** Where to go to, anew whenever it is another object. */
  at: { from: number; to: number } | null;
}
