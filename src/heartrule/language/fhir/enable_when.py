"""``show_when`` ↔ ``enableWhen``: comparisons of answers, joined by one ``and`` or one ``or``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heartrule.language.expressions import Expression, parse
from heartrule.language.expressions.syntax import Call, Chain, Literal, Name, Prefix, Tree
from heartrule.language.expressions.values import plain_number
from heartrule.language.fhir.options import answer
from heartrule.language.fhir.options import to_fhir as options_to_fhir
from heartrule.language.fhir.parts import Resource, number, same, text, those
from heartrule.language.forms.answer_parser import value_of
from heartrule.language.nodes.forms import FormField, Option
from heartrule.language.values.types import Refused

_SIGNS = {"=": "==", "!=": "!=", ">": ">", "<": "<", ">=": ">=", "<=": "<="}
_BACK = {ours: theirs for theirs, ours in _SIGNS.items()}
_TEXTS = ("answerString", "answerDate")
_MOST = 60
Fields = Mapping[str, FormField]


def from_fhir(item: Resource, ids: Mapping[str, str], fields: Fields) -> str | None:
    """The condition as an expression; None where there is none, or none that can be said in one. ``ids``: fields by
    their linkId."""
    parts = [_part(each, ids, fields) for each in those(item, "enableWhen")]
    if not parts or None in parts or len(parts) != len(item["enableWhen"]):
        return None
    separator = " or " if text(item, "enableBehavior") == "any" else " and "
    return separator.join(part for part in parts if part is not None)


def _part(condition: Resource, ids: Mapping[str, str], fields: Fields) -> str | None:
    name, sign = ids.get(text(condition, "question")), text(condition, "operator")
    field = fields.get(name) if name is not None else None
    if field is None:
        return None
    if sign == "exists":
        wanted = condition.get("answerBoolean")
        return f"{'' if wanted else 'not '}exists({name})" if isinstance(wanted, bool) else None
    value = _value(condition, field)
    if value is None or sign not in _SIGNS:
        return None
    if field.type == "multiple":
        listed = {"=": f"{name} contains {value}", "!=": f"not ({name} contains {value})"}
        return listed.get(sign)
    return f"{name} {_SIGNS[sign]} {value}"


def _value(condition: Resource, field: FormField) -> str | None:
    wanted = condition.get("answerBoolean")
    if isinstance(wanted, bool):
        return str(wanted).lower()
    for key in ("answerDecimal", "answerInteger"):
        if (found := number(condition, key)) is not None:
            return plain_number(found)
    if (found := number(condition.get("answerQuantity"), "value")) is not None:
        return plain_number(found)
    if isinstance(condition.get("answerCoding"), dict):
        chosen = option_of(field, condition["answerCoding"])
        return _literal(chosen) if chosen is not None else None
    if (moment := text(condition, "answerTime")) and moment.endswith(":00"):
        return _literal(moment.removesuffix(":00"))
    return next((_literal(text(condition, key)) for key in _TEXTS if text(condition, key)), None)


def option_of(field: FormField, coding: Any) -> Any:
    """The value of the option that a coding means: by system and code, by the code alone, or by its words."""
    system, code, display = (text(coding, key) for key in ("system", "code", "display"))
    codings = [(option, answer(option)) for option in field.options]
    for option, own in codings:
        if code and code == own["code"] and system == own.get("system", ""):
            return option.value
    for wanted, key in ((code, "code"), (display, "display"), (code, "display")):
        found = [option.value for option, own in codings if wanted and own[key] == wanted]
        if len(found) == 1:
            return found[0]
    return None


def _literal(value: Any) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return plain_number(value)
    if not isinstance(value, str):
        return None
    quote = next((sign for sign in "'\"" if sign not in value and "\\" not in value), None)
    return f"{quote}{value}{quote}" if quote else None


def to_fhir(expression: Expression, links: Mapping[str, str], fields: Fields) -> Resource:
    """``enableWhen`` and ``enableBehavior``; empty where FHIR cannot say it so. ``links``: linkIds by field."""
    tree = expression.tree
    word = tree.rest[0][0] if isinstance(tree, Chain) else ""
    parts = (
        [tree.first, *(part for _, part in tree.rest)] if isinstance(tree, Chain) and word in ("and", "or") else [tree]
    )
    made = [_condition(part, links, fields) for part in parts]
    either = word == "or" or (len(made) == 1 and len(made[0] or ()) > 1)
    if any(each is None or (len(each) > 1 and not either) for each in made):
        return {}
    listed = [condition for each in made for condition in each or ()]
    if not listed or len(listed) > _MOST:
        return {}
    return {"enableWhen": listed, **({"enableBehavior": "any" if either else "all"} if len(listed) > 1 else {})}


def _condition(tree: Tree, links: Mapping[str, str], fields: Fields) -> Sequence[Resource] | None:
    """One comparison; several, any of which may hold, where options are compared by their number."""
    match tree:
        case Name() if tree.name in fields and fields[tree.name].type == "boolean":
            return [_made(links[tree.name], "=", {"answerBoolean": True})]
        case Call(function="exists", arguments=(Name(name=name),)) if name in fields:
            return [_made(links[name], "exists", {"answerBoolean": True})]
        case Prefix(operator="not", operand=Call(function="exists", arguments=(Name(name=name),))) if name in fields:
            return [_made(links[name], "exists", {"answerBoolean": False})]
        case Chain(first=Name(name=name), rest=((sign, Literal(value=value)),)) if name in fields:
            return _compared(fields[name], links[name], sign, value)
    return None


def _compared(field: FormField, link: str, sign: str, value: Any) -> Sequence[Resource] | None:
    if field.type == "multiple" and sign == "contains":
        return [_made(link, "=", found) for found in _answers(field, "==", value)] or None
    if field.type == "single" and sign == "!=":
        found = _answers(field, "==", value)
        return [_made(link, "!=", found[0])] if len(found) == 1 else None
    if field.type == "single" and sign in _BACK:
        return [_made(link, "=", found) for found in _answers(field, sign, value)] or None
    key = _KEYS.get(field.type)
    if key is None or sign not in _BACK or not is_answer(field, value):
        return None
    return [_made(link, _BACK[sign], {key: f"{value}:00" if field.type == "time" else value})]


def is_answer(field: FormField, value: Any) -> bool:
    """Whether a value is what an answer of the field would be."""
    try:
        return same(value_of(field.model_copy(update={"range": None}), value), value)
    except Refused:
        return False


def _answers(field: FormField, sign: str, value: Any) -> list[Resource]:
    """The options that satisfy a comparison, each as an answer."""
    literal = _literal(value)
    if literal is None:
        return []
    expression = parse(f"x {sign} {literal}")
    return [_answer(option) for option in field.options if expression.holds({"x": option.value}.get)]


def _answer(option: Option) -> Resource:
    (made,) = options_to_fhir([option])
    if "valueInteger" in made:
        return {"answerInteger": made["valueInteger"]}
    return {"answerString": made["valueString"]} if "valueString" in made else {"answerCoding": made["valueCoding"]}


_KEYS = {
    "boolean": "answerBoolean",
    "integer": "answerInteger",
    "mood": "answerInteger",
    "slider": "answerDecimal",
    "number": "answerDecimal",
    "text": "answerString",
    "longtext": "answerString",
    "date": "answerDate",
    "time": "answerTime",
}


def _made(link: str, sign: str, answered: Resource) -> Resource:
    return {"question": link, "operator": sign, **answered}
