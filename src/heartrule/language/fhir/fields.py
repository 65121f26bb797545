"""One field of a form ↔ one ``item`` of a Questionnaire, without what lies below it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from heartrule.language.fhir import enable_when, options
from heartrule.language.fhir.parts import (
    CORE,
    Resource,
    code_of,
    coding,
    dump,
    extension,
    leftover,
    number,
    overlaid,
    rest_of,
    text,
    those,
    with_rest,
)
from heartrule.language.nodes.forms import Form, FormField, Score

_UNIT, _LEAST, _MOST = f"{CORE}questionnaire-unit", f"{CORE}minValue", f"{CORE}maxValue"
_CONTROL, _STEP = f"{CORE}questionnaire-itemControl", f"{CORE}questionnaire-sliderStepValue"
_CONTROLS = "http://hl7.org/fhir/questionnaire-item-control"
_READ = {
    "boolean": "boolean",
    "decimal": "number",
    "integer": "integer",
    "date": "date",
    "dateTime": "datetime",
    "time": "time",
    "string": "text",
    "text": "longtext",
    "url": "text",
    "quantity": "number",
    "choice": "single",
    "open-choice": "single",
    "group": "note",
    "display": "note",
}
_WRITTEN = {
    "single": "choice",
    "multiple": "choice",
    "text": "string",
    "longtext": "text",
    "integer": "integer",
    "mood": "integer",
    "number": "decimal",
    "slider": "decimal",
    "boolean": "boolean",
    "date": "date",
    "time": "time",
    "datetime": "dateTime",
    "note": "display",
}
_NUMBERS = ("integer", "mood", "number", "slider")
VALUES = {
    "boolean": "Boolean",
    "integer": "Integer",
    "mood": "Integer",
    "number": "Decimal",
    "slider": "Decimal",
    "date": "Date",
    "time": "Time",
    "datetime": "DateTime",
    "text": "String",
    "longtext": "String",
}
"""The kind of ``value[x]`` that an answer of a field is."""
_FIRST = VALUES.keys() - {"time", "datetime"}
Lists = Callable[[str], list[Resource]]
"""The options of a value set by its address; empty where it is not known."""


@dataclass(frozen=True, slots=True)
class Links:
    """linkIds by field, the fields themselves, and those that others are within."""

    links: Mapping[str, str]
    fields: Mapping[str, FormField]
    above: frozenset[str]


def links_of(form: Form, own: Mapping[str, str] | None = None) -> Links:
    """``own``: linkIds by field; else those that each field came with, else its id."""
    nodes: list[FormField | Score] = [*form.by_id.values(), *form.score_by_id.values()]
    came = own if own is not None else {each.id: text(each.fhir, "linkId") for each in nodes}
    above = frozenset(each.within for each in form.fields if each.within)
    return Links({each.id: came.get(each.id) or each.id for each in nodes}, form.by_id, above)


def again(item: Resource, name: str, links: Links, lists: Lists) -> Resource:
    """The field that an item would be read as, as ``dump`` gives it; what it is within is not the item's to say."""
    ids = {link: each for each, link in links.links.items()}
    shown = enable_when.from_fhir(item, ids, links.fields)
    data = {**from_fhir(item, lists), **({"show_when": shown} if shown is not None else {})}
    try:
        return dump(FormField.model_validate({"id": name, **overlaid(data, rest_of(item))}))
    except ValidationError:
        return {}


def is_read(item: Resource) -> bool:
    """Whether this kind of item can be asked or shown here."""
    return text(item, "type") in _READ


def from_fhir(item: Resource, lists: Lists) -> Resource:
    """What a form says of it: all but its id, what it is within, and when it is shown."""
    kind = _READ.get(text(item, "type"), "note")
    if kind == "single" and item.get("repeats") is True:
        kind = "multiple"
    if kind in ("number", "integer") and _control(item) == "slider":
        kind = "slider"
    made: Resource = {"label": text(item, "text"), "type": kind}
    if kind == "note":
        return {**made, **_common(item)}
    if item.get("required") is True:
        made["required"] = True
    if kind in ("single", "multiple"):
        own = options.from_fhir(those(item, "answerOption"))
        made["options"] = own or lists(text(item, "answerValueSet"))
    if kind in _NUMBERS:
        made |= _limits(item)
    longest = number(item, "maxLength")
    if kind in ("text", "longtext") and isinstance(longest, int) and 1 <= longest <= 20_000:
        made["max_length"] = longest
    return {**made, **_common(item), **_first(item, kind)}


def _common(item: Resource) -> Resource:
    prefix, code = text(item, "prefix"), code_of(item)
    return {**({"prefix": prefix} if prefix else {}), **({"code": code} if code is not None else {})}


def _control(item: Resource) -> str:
    concept = extension(item, _CONTROL).get("valueCodeableConcept")
    return next((text(each, "code") for each in those(concept, "coding")), "")


def _limits(item: Resource) -> Resource:
    found = [_number(extension(item, url)) for url in (_LEAST, _MOST)]
    made: Resource = {}
    if found[0] is not None and found[1] is not None:
        made["range"] = found
    unit = extension(item, _UNIT).get("valueCoding")
    step = _number(extension(item, _STEP))
    if text(unit, "display") or text(unit, "code"):
        made["unit"] = text(unit, "display") or text(unit, "code")
    if step is not None and step > 0:
        made["step"] = step
    return made


def _number(resource: Resource) -> int | float | None:
    found = number(resource, "valueDecimal")
    return found if found is not None else number(resource, "valueInteger")


def _first(item: Resource, kind: str) -> Resource:
    """``initial``, where it is one plain value."""
    initial = those(item, "initial")
    key = f"value{VALUES.get(kind, '')}"
    value = initial[0].get(key) if len(initial) == 1 else None
    return {"value": value} if isinstance(value, str | int | float) else {}


def to_fhir(field: FormField, links: Links) -> Resource:
    """The item, with what FHIR has no place for in our own extension. What came with the field is not looked at; what
    came with its options is."""
    made = _write(field, links)
    own = {key: value for key, value in dump(field).items() if key != "within"}
    return with_rest(made, leftover(own, again(made, field.id, links, lambda _: [])))


def _write(field: FormField, links: Links) -> Resource:
    made: Resource = {"linkId": links.links[field.id], "type": _type(field, links)}
    extensions = [*_control_of(field), *_limits_of(field)]
    if extensions:
        made["extension"] = extensions
    if field.label:
        made["text"] = field.label
    if field.prefix:
        made["prefix"] = field.prefix
    if field.code is not None:
        made["code"] = [coding(field.code)]
    if field.required and field.asked:
        made["required"] = True
    if field.type == "multiple":
        made["repeats"] = True
    if field.options:
        made["answerOption"] = options.kept_with(field.options)
    if field.max_length is not None and field.type in ("text", "longtext"):
        made["maxLength"] = field.max_length
    if field.type in _FIRST and enable_when.is_answer(field, field.value):
        made["initial"] = [{f"value{VALUES[field.type]}": field.value}]
    if field.show_when is not None:
        made |= enable_when.to_fhir(field.show_when, links.links, links.fields)
    return made


def _type(field: FormField, links: Links) -> str:
    return "group" if field.type == "note" and field.id in links.above else _WRITTEN[field.type]


def _control_of(field: FormField) -> list[Resource]:
    if field.type != "slider":
        return []
    concept = {"coding": [{"system": _CONTROLS, "code": "slider"}]}
    step = (
        [] if field.step is None or not field.step.is_integer() else [{"url": _STEP, "valueInteger": int(field.step)}]
    )
    return [{"url": _CONTROL, "valueCodeableConcept": concept}, *step]


def _limits_of(field: FormField) -> list[Resource]:
    if field.type not in _NUMBERS:
        return []
    made: list[Resource] = []
    for url, limit in zip((_LEAST, _MOST), field.limits or (), strict=False):
        whole = VALUES[field.type] == "Integer" and limit.is_integer()
        made.append({"url": url, "valueInteger" if whole else "valueDecimal": _plain(limit)})
    if field.unit:
        made.append({"url": _UNIT, "valueCoding": {"display": field.unit}})
    return made


def _plain(value: Any) -> int | float:
    return int(value) if float(value).is_integer() else float(value)
