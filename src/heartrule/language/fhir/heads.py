"""What a Questionnaire says of itself ↔ what a form does: all but its items."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from heartrule.language.fhir import public_questionnaires
from heartrule.language.fhir.parts import Resource, code_of, coding, dump, leftover, overlaid, rest_of, text, with_rest
from heartrule.language.nodes.forms import Form, FormField

_SLUG = re.compile(r"[^A-Za-z0-9-]+")
_TEXTS = {"locale": "language", "description": "description", "licence": "copyright"}
PARTS = ("fields", "scores")


def from_fhir(source: Any) -> Resource:
    code = code_of(source)
    named = text(source, "id") or text(source, "name") or str((code or {}).get("code", ""))
    title = text(source, "title") or text(source, "name") or text(source, "id") or "Questionnaire"
    made: Resource = {"form": title, "id": _SLUG.sub("-", named).strip("-").lower()[:80] or "form"}
    made |= {ours: text(source, theirs) for ours, theirs in _TEXTS.items() if text(source, theirs)}
    return {**made, **({"code": code} if code is not None else {})}


def again(source: Any, asked: Iterable[FormField]) -> Resource:
    """The head of the form that a Questionnaire with these fields would be read as."""
    rest = {key: value for key, value in rest_of(source).items() if key not in PARTS}
    data = overlaid({**from_fhir(source), **crisis(asked), "fields": []}, rest)
    try:
        return head_of(Form.model_validate(data))
    except ValidationError:
        return {}


def crisis(asked: Iterable[FormField]) -> Resource:
    """What follows answers of these fields whether or not the file says so."""
    found = public_questionnaires.crisis(asked)
    return {"on_answer": found} if found else {}


def to_fhir(form: Form) -> Resource:
    made: Resource = {"resourceType": "Questionnaire", "status": "active", "title": form.form}
    if form.id:
        made["id"] = _SLUG.sub("-", form.id).strip("-")[:64]
    values = {"language": form.locale, "description": form.description, "copyright": form.licence}
    made |= {theirs: value for theirs, value in values.items() if value}
    if form.code is not None:
        made["code"] = [coding(form.code)]
    rest = leftover(head_of(form), again(made, form.fields))
    if not form.scores and public_questionnaires.panel(form.code) is not None:
        rest["scores"] = None
    return with_rest(made, rest)


def head_of(form: Form) -> Resource:
    return {key: value for key, value in dump(form).items() if key not in PARTS}
