import i18next from "i18next";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isField(target: EventTarget | null): target is Field {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
  );
}

function isChosen(field: Field): boolean {
  return field instanceof HTMLSelectElement || ["radio", "checkbox"].includes(field.type);
}

/** What is asked for and was not given is said in the language of the page: browsers say it in their own. */
export function sayWhatIsNeeded(): void {
  document.addEventListener(
    "invalid",
    ({ target }) => {
      if (!isField(target) || !target.validity.valueMissing) return;
      target.setCustomValidity(i18next.t(isChosen(target) ? "needed.choice" : "needed.words"));
    },
    true,
  );
  for (const change of ["input", "change"])
    document.addEventListener(
      change,
      ({ target }) => {
        if (!isField(target)) return;
        // Of radio buttons, those beside the one that was chosen have been complained of as well.
        for (const each of target.form?.elements ?? [target]) if (isField(each)) each.setCustomValidity("");
      },
      true,
    );
}
