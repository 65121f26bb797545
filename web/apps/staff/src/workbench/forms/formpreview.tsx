import type { Form, FormAnswers, FormField, FormProblem, FormValue } from "@heartrule/sdk";
import { useEffect, useRef, useState } from "react";
import { locale } from "../../shell/language.js";
import { useAsked } from "../project/context.js";
import { useWords } from "../words/speaking.js";

interface Previewed {
  form: { id: string; name: string; description: string; source: string; licence: string; fields: FormField[] };
  hidden: string[];
  problems: FormProblem[];
  scores: { id: string; label: string; value: number | null; band: string | null }[];
}

/** The form as the person gets it, and what its scores come to with what is filled in. */
export function FormPreview({ form }: { form: string }) {
  const t = useWords();
  const host = useRef<HTMLDivElement>(null);
  const element = useRef<HTMLElementTagNameMap["heart-form"] | null>(null);
  const [answers, setAnswers] = useState<Record<string, FormValue>>({});
  const asked = useAsked<Previewed>("form", { form, answers });
  const last = useRef<Previewed | null>(null);
  if (asked.answer) last.current = asked.answer;
  const shown = last.current;

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is made once, and filled below
  useEffect(() => {
    let over = false;
    void import("@heartrule/sdk/chat").then(({ textsOf }) => {
      if (over) return;
      const made = document.createElement("heart-form");
      made.texts = textsOf(locale()).texts;
      const take = (event: Event) => {
        const given = (event as CustomEvent<FormAnswers>).detail ?? {};
        setAnswers((before) => {
          const next = { ...before };
          for (const [key, value] of Object.entries(given)) {
            if (value === null) delete next[key];
            else next[key] = value;
          }
          return next;
        });
      };
      for (const name of ["answered", "submitted", "cancelled"]) made.addEventListener(name, take);
      element.current = made;
      show(host.current, made, last.current, answers);
    });
    return () => {
      over = true;
      element.current?.remove();
      element.current = null;
    };
  }, []);
  useEffect(() => {
    if (element.current) show(host.current, element.current, shown, answers);
  }, [shown, answers]);

  const results = shown?.scores ?? [];
  return (
    <section className="form-preview" aria-label={t("forms.preview")}>
      <h3>{t("forms.preview")}</h3>
      {asked.failed && !shown && <p className="soft">{asked.failed}</p>}
      <div ref={host} />
      {results.length > 0 && (
        <dl className="scores" aria-live="polite">
          {results.map(({ id, label, value, band }) => (
            <div key={id}>
              <dt>{label || id}</dt>
              <dd>
                {value === null ? t("forms.unscored") : value} {band && <span className="badge">{band}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {Object.keys(answers).length > 0 && (
        <button type="button" className="quiet small" onClick={() => setAnswers({})}>
          {t("forms.clear")}
        </button>
      )}
    </section>
  );
}

/** The element draws itself once it stands on the page, so it comes there with its form and not before. */
function show(
  host: HTMLElement | null,
  element: HTMLElementTagNameMap["heart-form"],
  previewed: Previewed | null,
  values: Record<string, FormValue>,
): void {
  if (!host || !previewed) return;
  const { form, hidden } = previewed;
  element.form = {
    ...form,
    key: form.id,
    mode: "fill",
    required: false,
    hidden,
    problems: [],
    values,
  } as unknown as Form;
  if (element.parentNode !== host) host.replaceChildren(element);
}
