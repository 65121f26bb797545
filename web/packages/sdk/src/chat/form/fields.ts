import { nothing as blank, html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { isAnswered } from "../../filling.js";
import type { Form, FormField, FormValue } from "../../shapes.js";
import { fill, type Texts } from "../texts/index.js";

/** A question as it stands on the page. */
export interface Asked {
  readonly field: FormField;
  readonly value: FormValue | null;
  /** What is wrong with the answer; empty for nothing. */
  readonly problem: string;
  readonly texts: Texts;
  /** `done` is false while somebody is in the middle of it. */
  answer(value: FormValue | null, done: boolean): void;
}

const TYPED: Readonly<Record<string, string>> = { date: "date", time: "time", datetime: "datetime-local" };
const LONG = 60;

export function fieldOf(asked: Asked): TemplateResult {
  const { field } = asked;
  if (field.type === "note")
    return html`<p class="note" id="f-${field.id}" tabindex="-1" dir="auto">${field.label}</p>`;
  const picks = choicesOf(asked);
  return picks ? grouped(asked, picks) : single(asked);
}

interface Pick {
  readonly value: FormValue;
  readonly label: string;
}

/** What there is to choose from; null for what is written or moved. */
function choicesOf({ field, texts }: Asked): Pick[] | null {
  switch (field.type) {
    case "single":
    case "multiple":
      return field.options;
    case "boolean":
      return [
        { value: true, label: texts.yes },
        { value: false, label: texts.no },
      ];
    case "mood": {
      const [least, most] = [field.least ?? 1, field.most ?? 5];
      const ends = field.ends.length === 2 ? field.ends : [texts.moodLow, texts.moodHigh];
      return Array.from({ length: most - least + 1 }, (_, at) => {
        const value = least + at;
        const end = at === 0 ? ends[0] : value === most ? ends[1] : "";
        return { value, label: end ? `${value} ${end}` : `${value}` };
      });
    }
    default:
      return null;
  }
}

function grouped(asked: Asked, picks: readonly Pick[]): TemplateResult {
  const { field, value, texts, problem } = asked;
  const many = field.type === "multiple";
  const chosen = Array.isArray(value) ? value : [value];
  const rated = field.type === "mood" && picks.length <= 7;
  const short = !rated && picks.every(({ label }) => label.length <= 6);
  const pick = (each: Pick, on: boolean): void => {
    const others = chosen.filter((other) => other !== null && other !== each.value) as (string | number | boolean)[];
    asked.answer(many ? (on ? [...others, each.value as string | number | boolean] : others) : each.value, true);
  };
  return html`<fieldset
    id="f-${field.id}"
    tabindex="-1"
    class=${rated ? "rated" : short ? "short" : ""}
    aria-describedby=${described(asked)}
    aria-invalid=${problem ? "true" : blank}
  >
    <legend>${labelOf(asked)}</legend>
    ${help(asked)}
    <div class="picks">
      ${picks.map(
        (each, at) =>
          html`<label
            ><input
              type=${many ? "checkbox" : "radio"}
              name="f-${field.id}"
              value=${at}
              .checked=${live(chosen.includes(each.value as never))}
              ?required=${field.required && !many}
              @change=${(event: Event) => pick(each, (event.target as HTMLInputElement).checked)}
            /><span dir="auto">${rated ? html`${each.value}<span class="unseen">${each.label.slice(String(each.value).length)}</span>` : each.label}</span></label
          >`,
      )}
    </div>
    ${rated ? endsOf(picks) : blank}
    ${
      !field.required && !many && isAnswered(value)
        ? html`<button type="button" class="small" @click=${() => asked.answer(null, true)}>${texts.formClear}</button>`
        : blank
    }
    ${wrong(asked)}
  </fieldset>`;
}

/** What the ends of a row of numbers mean, where there is no room beside them. */
function endsOf(picks: readonly Pick[]): TemplateResult {
  const [first, last] = [picks[0]?.label ?? "", picks.at(-1)?.label ?? ""];
  return html`<p class="ends" aria-hidden="true"><span>${first}</span><span></span><span>${last}</span></p>`;
}

function single(asked: Asked): TemplateResult {
  const { field } = asked;
  const text = field.type === "longtext" || (field.type === "text" && (field.max_length ?? 0) > LONG);
  const written = field.type === "slider" ? slider(asked) : text ? area(asked) : input(asked);
  return html`<div class="field" id="g-${field.id}">
    <label for="f-${field.id}">${labelOf(asked)}</label>
    ${help(asked)} ${written} ${wrong(asked)}
  </div>`;
}

function input(asked: Asked): TemplateResult {
  const { field, value, problem } = asked;
  const number = field.type === "integer" || field.type === "number";
  const take = (event: Event, done: boolean) => {
    const written = (event.target as HTMLInputElement).value;
    asked.answer(written === "" ? null : written, done);
  };
  return html`<span class="written"
    ><input
      id="f-${field.id}"
      type=${TYPED[field.type] ?? "text"}
      inputmode=${field.type === "integer" ? "numeric" : number ? "decimal" : blank}
      autocomplete="off"
      dir="auto"
      maxlength=${field.max_length ?? blank}
      .value=${live(value === null ? "" : String(value))}
      ?required=${field.required}
      aria-describedby=${described(asked)}
      aria-invalid=${problem ? "true" : blank}
      @input=${(event: Event) => take(event, false)}
      @change=${(event: Event) => take(event, true)}
    />${field.unit ? html`<span>${field.unit}</span>` : blank}</span
  >`;
}

function area(asked: Asked): TemplateResult {
  const { field, value, problem } = asked;
  const take = (event: Event, done: boolean) => {
    const written = (event.target as HTMLTextAreaElement).value;
    asked.answer(written === "" ? null : written, done);
  };
  return html`<textarea
    id="f-${field.id}"
    rows=${field.type === "longtext" ? 4 : 2}
    dir="auto"
    maxlength=${field.max_length ?? blank}
    .value=${live(value === null ? "" : String(value))}
    ?required=${field.required}
    aria-describedby=${described(asked)}
    aria-invalid=${problem ? "true" : blank}
    @input=${(event: Event) => take(event, false)}
    @change=${(event: Event) => take(event, true)}
  ></textarea>`;
}

/** A slider always stands somewhere: only what has been moved, or pressed, is an answer. */
function slider(asked: Asked): TemplateResult {
  const { field, value, problem, texts } = asked;
  const [least, most] = [field.least ?? 0, field.most ?? 10];
  const middle = least + Math.round((most - least) / 2);
  const at = typeof value === "number" ? value : null;
  const take = (event: Event, done: boolean) => asked.answer((event.target as HTMLInputElement).valueAsNumber, done);
  const said = at === null ? texts.formUnset : `${at}${field.unit ? ` ${field.unit}` : ""}`;
  return html`<div class="slider">
    <input
      id="f-${field.id}"
      type="range"
      class=${at === null ? "unset" : ""}
      min=${least}
      max=${most}
      step=${field.step ?? 1}
      .value=${live(String(at ?? middle))}
      aria-valuetext=${said}
      aria-describedby=${described(asked)}
      aria-invalid=${problem ? "true" : blank}
      @input=${(event: Event) => take(event, false)}
      @change=${(event: Event) => take(event, true)}
      @click=${(event: Event) => take(event, true)}
    />
    <span class="ends"><span dir="auto">${field.ends[0] ?? least}</span><output for="f-${field.id}">${said}</output><span dir="auto">${field.ends[1] ?? most}</span></span>
  </div>`;
}

function labelOf({ field, texts }: Asked): TemplateResult {
  return html`<span dir="auto">${field.prefix ? html`${field.prefix} ` : blank}${field.label}</span>${field.required ? blank : html` <span class="optional">${texts.formOptional}</span>`}`;
}

function help({ field }: Asked): TemplateResult | typeof blank {
  return field.help ? html`<p class="help" id="h-${field.id}" dir="auto">${field.help}</p>` : blank;
}

function wrong({ field, problem }: Asked): TemplateResult | typeof blank {
  return problem ? html`<p class="wrong" id="e-${field.id}" dir="auto">${problem}</p>` : blank;
}

function described({ field, problem }: Asked): string | typeof blank {
  const ids = [field.help ? `h-${field.id}` : "", problem ? `e-${field.id}` : ""].filter(Boolean);
  return ids.length > 0 ? ids.join(" ") : blank;
}

/** How far it has come, in words. The number of questions does not move under who answers them: where some of them hang
 * on the answers, it is said how many they may be at most. */
export function standingOf(at: number, form: Form, texts: Texts): string {
  const asks = ({ id, type }: FormField) => type !== "note" && !form.hidden.includes(id);
  const count = form.fields.filter(({ type }) => type !== "note").length;
  const all = form.fields.filter(asks).length === count;
  return fill(all ? texts.formAt : texts.formAtMost, { at, count });
}
