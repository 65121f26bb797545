"""A score of a form ↔ an item that is reckoned from others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pydantic import ValidationError

from heartrule.language.fhir import public_questionnaires
from heartrule.language.fhir.fields import Links
from heartrule.language.fhir.parts import (
    CALCULATED,
    CORE,
    Resource,
    code_of,
    coding,
    dump,
    extension,
    leftover,
    overlaid,
    rest_of,
    text,
    those,
    with_rest,
)
from heartrule.language.nodes.forms import FormField, Score

_UNIT = f"{CORE}questionnaire-unit"
_LINK = re.compile(r"linkId\s*=\s*'((?:[^'\\]|\\.)*)'")
_TYPES = ("decimal", "integer", "quantity")


def is_total(item: Resource) -> bool:
    """Whether an item is reckoned, or is the total of a questionnaire that we know."""
    if text(item, "type") not in _TYPES:
        return False
    code = code_of(item) or {}
    return bool(extension(item, CALCULATED)) or (
        code.get("code") in public_questionnaires.TOTALS and "system" not in code
    )


def from_fhir(item: Resource, ids: Mapping[str, str], fields: Iterable[FormField]) -> Resource:
    """What a form says of it. ``sum`` is empty where it cannot be told what is added."""
    code = code_of(item) or {}
    unit = extension(item, _UNIT).get("valueCoding")
    made: Resource = {"label": text(item, "text")} if text(item, "text") else {}
    if text(unit, "display") or text(unit, "code"):
        made["unit"] = text(unit, "display") or text(unit, "code")
    if code:
        made["code"] = code
    countable = {field.id for field in fields if _counts(field)}
    added = rest_of(item).get("sum")
    named = added if isinstance(added, list) else [ids.get(link) for link in _named(item)]
    made["sum"] = [name for name in dict.fromkeys(named) if name in countable]
    if "system" not in code and not made["sum"]:
        made["sum"] = of_codes(str(code.get("code")), fields)
    if "system" not in code and (bands := public_questionnaires.bands(str(code.get("code")))):
        made["bands"] = bands
    return made


def of_codes(total: str, fields: Iterable[FormField]) -> list[str]:
    """The fields that a total we know adds up; empty unless all of them are there."""
    by_code = {each.code.code: each.id for each in fields if each.code is not None and _counts(each)}
    wanted = public_questionnaires.TOTALS[total].items if total in public_questionnaires.TOTALS else ()
    return [by_code[code] for code in wanted] if all(code in by_code for code in wanted) else []


def _counts(field: FormField) -> bool:
    if field.options:
        return all(option.counts is not None for option in field.options)
    return field.type in ("integer", "number", "slider", "mood", "boolean")


def _named(item: Resource) -> list[str]:
    """The linkIds that its expressions name, in their order."""
    found: dict[str, None] = {}
    for each in those(item, "extension"):
        expression = text(each.get("valueExpression"), "expression")[:20_000]
        found |= {match.replace("\\'", "'"): None for match in _LINK.findall(expression)}
    return list(found)


def again(item: Resource, name: str, links: Links) -> Resource:
    """The score that an item would be read as, as ``dump`` gives it."""
    ids = {link: each for each, link in links.links.items()}
    data = {"id": name, **overlaid(from_fhir(item, ids, links.fields.values()), rest_of(item))}
    try:
        return dump(Score.model_validate(data))
    except ValidationError:
        return {}


def to_fhir(score: Score, links: Links) -> Resource:
    """The item, with what FHIR has no place for in our own extension."""
    made = _write(score, links)
    return with_rest(made, leftover(dump(score), again(made, score.id, links)))


def _write(score: Score, links: Links) -> Resource:
    made: Resource = {"linkId": links.links[score.id], "type": "decimal", "readOnly": True}
    if score.label:
        made["text"] = score.label
    if score.code is not None:
        made["code"] = [coding(score.code)]
    added = " + ".join(_answer(links.fields[name], links.links[name]) for name in score.sum if name in links.fields)
    reckoned = {"language": "text/fhirpath", "expression": added}
    made["extension"] = [{"url": CALCULATED, "valueExpression": reckoned}] if added else []
    if score.unit:
        made["extension"].append({"url": _UNIT, "valueCoding": {"display": score.unit}})
    return {key: value for key, value in made.items() if value != []}


def _answer(field: FormField, link: str) -> str:
    quoted = link.replace("\\", "\\\\").replace("'", "\\'")
    found = f"%resource.descendants().where(linkId = '{quoted}').answer.value"
    return f"{found}.ordinal()" if field.options else found
