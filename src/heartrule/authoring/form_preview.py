"""A form as it would be shown, and what answers to it come to, before anything of it is saved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrule.authoring.splices import GONE, CannotEdit
from heartrule.authoring.wire import Json, both
from heartrule.authoring.workspace import Snapshot
from heartrule.authoring.yaml_writer import item
from heartrule.language.fhir import questionnaire_export, questionnaire_import
from heartrule.language.forms.answers import check
from heartrule.language.forms.results import on_answer, on_submit
from heartrule.language.forms.scoring import scores
from heartrule.language.nodes import Directive
from heartrule.language.nodes.forms import Form, FormField
from heartrule.language.references import identity, pick


def preview(snapshot: Snapshot, name: str, answers: Mapping[str, Any]) -> Json:
    """Of the form with this id: its fields, what is hidden and missing, its scores, and what would follow."""
    form = form_of(snapshot, name)
    draft, whole = check(form, answers, whole=False), check(form, answers, whole=True)
    found = scores(form, whole.values)
    follows = [*on_answer(form, draft.values, draft.covered), *on_submit(form, whole.values)]
    return {
        "form": {
            "id": identity(form),
            "name": form.form,
            "description": form.description,
            "source": form.source,
            "licence": form.licence,
            "fields": [_field(each) for each in form.fields],
        },
        "values": draft.values,
        "hidden": sorted(draft.hidden),
        "problems": [
            {"field": each.field, "code": each.code, "message": both(each.message)} for each in whole.problems
        ],
        "missing": [each.field for each in whole.problems if each.code == "required"],
        "scores": [
            {
                "id": each,
                "label": form.score_by_id[each].label or each,
                "value": scored.value,
                "band": scored.band,
            }
            for each, scored in found.items()
        ],
        "follows": [
            {"directive": each.directive, "technique": each.technique or "", "topic": each.topic or ""}
            for each in follows
            if isinstance(each, Directive)
        ],
    }


def _field(field: FormField) -> Json:
    limits = field.limits or (None, None)
    whole = {
        "id": field.id,
        "type": field.type,
        "label": field.label,
        "help": field.help,
        "prefix": field.prefix,
        "within": field.within,
        "required": field.required,
        "options": [{"value": each.value, "label": each.label} for each in field.options],
        "least": limits[0],
        "most": limits[1],
        "step": field.step,
        "ends": list(field.ends or ()),
        "unit": field.unit,
        "max_length": field.max_length,
    }
    return {key: value for key, value in whole.items() if value is not None}


def form_of(snapshot: Snapshot, name: str) -> Form:
    """The project's own form of this id. Raises ``CannotEdit`` where there is none that can be read."""
    found = pick(snapshot.project.forms, name)
    if found is None:
        raise CannotEdit(GONE)
    return found


def to_fhir(snapshot: Snapshot, name: str) -> Json:
    return dict(questionnaire_export.to_fhir(form_of(snapshot, name)))


def of_fhir(questionnaire: Any, locale: str | None) -> Json:
    """A Questionnaire as an item of ``forms``, and what it holds that a form has no place for. Raises ``CannotEdit``
    with the reason where it is none."""
    try:
        found = questionnaire_import.from_fhir(questionnaire)
    except questionnaire_import.NotReadable as wrong:
        raise CannotEdit(wrong.said) from None
    data = found.form.model_dump(by_alias=True, exclude_defaults=True, mode="json")
    if locale is not None and "locale" not in data:
        data["locale"] = locale
    notes = [{"zh": each.zh, "en": each.en} for each in found.told]
    return {"form": item(data, 0), "id": identity(found.form), "notes": notes}
