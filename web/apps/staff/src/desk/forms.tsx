import type { DoneForm, Form, FormAnswers, LeftForm, LeftForms } from "@heartrule/sdk";
import { createElement, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAsked, useWords } from "../shell/asking.js";
import { deskClient } from "../shell/client.js";
import { locale } from "../shell/language.js";

/** The forms that a session's script left to counsellors: filled here, each handed in once. */
export function Forms({ session, step }: { session: string; step: string }) {
  const { t } = useTranslation("desk");
  const { found, again } = useAsked<LeftForms>(`/desk/sessions/${session}/forms`);
  const [open, setOpen] = useState<string | null>(null);
  const [told, setTold] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form may have come with each other step
  useEffect(() => void again(), [step, again]);
  const done = found?.done.filter(({ filled_by }) => filled_by === "counselor") ?? [];
  if (!found) return <p className="soft">{t("talk.opening")}</p>;
  return (
    <section>
      <h2>{t("forms.title")}</h2>
      {found.waiting.length + done.length === 0 && <p className="soft">{t("forms.none")}</p>}
      <p className="hidden" role="status">
        {told}
      </p>
      <ul className="rows">
        {found.waiting.map((left) => (
          <li key={left.form.key}>
            <div>
              <b>{left.form.name}</b> <span className="soft">{t(`forms.audiences.${left.audience}`)}</span>
            </div>
            <button
              type="button"
              className="second"
              aria-expanded={open === left.form.key}
              onClick={() => setOpen(open === left.form.key ? null : left.form.key)}
            >
              {open === left.form.key ? t("forms.close") : left.begun ? t("forms.goOn") : t("forms.fill")}
            </button>
            {open === left.form.key && (
              <Fill
                session={session}
                left={left}
                onClose={(handedIn) => {
                  setOpen(null);
                  if (handedIn) setTold(t("forms.handedIn"));
                  void again();
                }}
              />
            )}
          </li>
        ))}
        {done.map((form) => (
          <Done key={form.form + form.at} form={form} />
        ))}
      </ul>
    </section>
  );
}

function Done({ form: { name, scores, bands, labels } }: { form: DoneForm }) {
  const { t } = useTranslation("desk");
  return (
    <li>
      <div>
        {name} · {t("forms.handedIn")}{" "}
        {Object.entries(scores).map(([id, score]) => (
          <span key={id} className="tag">
            {labels[id] ?? id} {score ?? "–"}
            {bands[id] && ` · ${bands[id]}`}
          </span>
        ))}
      </div>
    </li>
  );
}

/** The SDK's own form: drafts go one after the other, and what is wrong when it is handed in is told in it. */
function Fill({ session, left, onClose }: { session: string; left: LeftForm; onClose(handedIn: boolean): void }) {
  const words = useWords();
  const client = useMemo(() => deskClient(), []);
  const saving = useRef<Promise<unknown>>(Promise.resolve());
  const [form, setForm] = useState<Form>(left.form);
  const [texts, setTexts] = useState<unknown>(null);
  const [closing, setClosing] = useState(false);
  const [unsaved, setUnsaved] = useState(false);
  const [trouble, setTrouble] = useState("");
  const { key } = left.form;
  const spoken = locale();

  useEffect(() => {
    let here = true;
    void import("@heartrule/sdk/chat").then(({ textsOf }) => here && setTexts(textsOf(spoken).texts));
    return () => {
      here = false;
    };
  }, [spoken]);

  function keep(values: FormAnswers): Promise<unknown> {
    saving.current = saving.current.then(async () => {
      try {
        setForm(await client.keep(session, key, "", values));
        setUnsaved(false);
      } catch (error) {
        setUnsaved(true);
        setTrouble(words(error));
      }
    });
    return saving.current;
  }

  async function handIn(values: FormAnswers): Promise<void> {
    setClosing(true);
    setTrouble("");
    await saving.current;
    try {
      const refused = await client.handIn(session, key, "", values);
      if (refused) setForm(refused);
      else onClose(true);
    } catch (error) {
      setTrouble(words(error));
    } finally {
      setClosing(false);
    }
  }

  async function putAside(values: FormAnswers): Promise<void> {
    if (Object.keys(values).length > 0) await keep(values);
    onClose(false);
  }

  const filling = useMemo(() => ({ pending: {}, closing: closing ? "submit" : null }), [closing]);
  if (!texts) return null;
  return (
    <div className="filling">
      {createElement("heart-form", {
        lang: spoken,
        form,
        filling,
        texts,
        unsaved,
        onanswered: (event: CustomEvent<FormAnswers>) => void keep(event.detail),
        onsubmitted: (event: CustomEvent<FormAnswers>) => void handIn(event.detail),
        oncancelled: (event: CustomEvent<FormAnswers>) => void putAside(event.detail),
      })}
      <p className="line" role="alert">
        {trouble}
      </p>
    </div>
  );
}
