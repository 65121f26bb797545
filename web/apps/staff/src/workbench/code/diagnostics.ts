import type { Diagnostic } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import type { Opened } from "../project/opened.js";
import { spanOf } from "../text/places.js";
import type { Finding } from "../text/shapes.js";

/** A finding as the editor underlines it, with its mend as one click. */
export function diagnosticOf(view: EditorView, finding: Finding, opened: Opened): Diagnostic {
  const { mend } = finding;
  const { from, to } = spanOf(view.state.doc, finding.range);
  return {
    from,
    to,
    severity: finding.severity,
    source: finding.code,
    message: finding.hint ? `${finding.message}\n${finding.hint}` : finding.message,
    ...(mend &&
      !opened.book.readOnly && {
        actions: [{ name: mend.title, apply: () => mended(opened, finding) }],
      }),
  };
}

/** Make a finding's mend, as one step. */
export function mended(opened: Opened, finding: Finding): void {
  if (finding.mend) opened.apply({ changes: { [finding.mend.file]: finding.mend.edits } });
}
