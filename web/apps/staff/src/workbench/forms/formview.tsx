import { useRef } from "react";
import { Mapped } from "../panel/itemscontrol.js";
import { NodeContext } from "../panel/node.js";
import { keyOf, Told } from "../panel/panel.js";
import { useAsked, useHere, useTry } from "../project/context.js";
import type { Fields, Json, MapNode } from "../text/shapes.js";
import { useWords } from "../words/speaking.js";
import { FormPreview } from "./formpreview.js";

/** A form: its questions and how it is scored on the left, and on the right the form itself, to be filled. */
export function FormView({ root }: { root: MapNode }) {
  const { opened, goTo } = useHere();
  const t = useWords();
  const attempt = useTry();
  const asked = useAsked<Fields>("fields", { file: root.file, path: root.path });
  const last = useRef<Fields | null>(null);
  if (asked.answer) last.current = asked.answer;
  const fields = last.current;
  if (!fields) return <p className="soft inset">{asked.failed ?? t("wait")}</p>;
  const value = Object.fromEntries(
    fields.fields.filter((field) => field.present).map((field) => [field.key, field.value]),
  );
  const save = () =>
    attempt(async () => {
      const questionnaire = await opened.server.fhir(root.detail || root.label, opened.unsaved());
      const link = document.createElement("a");
      link.href = URL.createObjectURL(
        new Blob([JSON.stringify(questionnaire, null, 2)], { type: "application/fhir+json" }),
      );
      link.download = `${root.detail || "form"}.json`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    });
  const wrong = fields.fields.flatMap((field) => field.findings);
  return (
    <NodeContext value={fields}>
      <div className="form-view">
        <section className="form-fields" aria-label={t("forms.fields")}>
          <header className="text-tools">
            <h2>{fields.title || root.label}</h2>
            <button type="button" className="quiet small" onClick={() => void save()}>
              {t("forms.give")}
            </button>
            <button type="button" className="quiet small" onClick={() => goTo(root.file)}>
              {t("act.showText")}
            </button>
          </header>
          {wrong.map((finding) => (
            <Told key={keyOf(finding)} finding={finding} />
          ))}
          <Mapped
            fields={ordered(fields.fields)}
            value={value as { [key: string]: Json }}
            path={fields.path}
            kind="form"
            disabled={opened.book.readOnly}
          />
        </section>
        <FormPreview form={root.detail || root.label} />
      </div>
    </NodeContext>
  );
}

/** The questions and the scores come first: they are what a form is. */
function ordered(fields: Fields["fields"]): Fields["fields"] {
  const first = ["form", "description", "fields", "scores"];
  const rank = (key: string) => (first.includes(key) ? first.indexOf(key) : first.length);
  return [...fields].sort((one, other) => rank(one.key) - rank(other.key));
}
