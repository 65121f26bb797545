"""Options of a choice ↔ ``answerOption``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heartrule.language.fhir.parts import (
    CORE,
    ORDINAL,
    WEIGHTS,
    Resource,
    coded,
    coding,
    extension,
    merged,
    number,
    text,
)
from heartrule.language.nodes.forms import Option
from heartrule.language.values.types import loose_text

_PREFIX = f"{CORE}questionnaire-optionPrefix"


def from_fhir(options: Sequence[Resource]) -> list[Resource]:
    """As a form writes them. Where each has a number of its own, that is its value, else its code or text."""
    weights = [_weight(each) for each in options]
    numbered = bool(options) and None not in weights and len(set(weights)) == len(weights)
    made = [_read(each, weight, numbered) for each, weight in zip(options, weights, strict=True)]
    return [each for each in made if each is not None]


def _weight(option: Resource) -> int | float | None:
    for holder in (option, option.get("valueCoding")):
        found = number(extension(holder, *WEIGHTS), "valueDecimal")
        if found is not None:
            return found
    return None


def _read(option: Resource, weight: int | float | None, numbered: bool) -> Resource | None:
    prefix = text(extension(option, _PREFIX), "valueString")
    made: Resource = {"prefix": prefix} if prefix else {}
    chosen = option.get("valueCoding")
    if isinstance(chosen, dict):
        label = text(chosen, "display") or text(chosen, "code")
        value: Any = weight if numbered else text(chosen, "code") or label
        code = coded({**chosen, "display": ""})
        made |= {"code": code} if code is not None else {}
    else:
        keys = ("valueInteger", "valueString", "valueDate", "valueTime")
        value = next((option[key] for key in keys if isinstance(option.get(key), int | str)), None)
        label = loose_text(value) if value is not None else ""
    if value is None or label == "":
        return None
    scored = weight is not None and not (numbered and isinstance(chosen, dict))
    return {"value": value, "label": label, **({"score": weight} if scored else {}), **made}


def to_fhir(options: Sequence[Option]) -> list[Resource]:
    return [_write(each) for each in options]


def _write(option: Option) -> Resource:
    value, plain = option.value, option.label == loose_text(option.value)
    extensions: list[Resource] = []
    if option.prefix:
        extensions.append({"url": _PREFIX, "valueString": option.prefix})
    made: Resource
    if option.code is None and plain and isinstance(value, int) and not isinstance(value, bool):
        made = {"valueInteger": value}
    elif option.code is None and plain and isinstance(value, str):
        made = {"valueString": value}
    else:
        made = {"valueCoding": answer(option)}
        if option.counts is not None:
            extensions.append({"url": ORDINAL, "valueDecimal": _plain(option.counts)})
    if option.score is not None and "valueCoding" not in made:
        extensions.append({"url": ORDINAL, "valueDecimal": _plain(option.score)})
    return {**({"extension": extensions} if extensions else {}), **made}


def answer(option: Option) -> Resource:
    """The coding that stands for an option in answers."""
    if option.code is not None:
        return {**coding(option.code), "display": option.label}
    return {"code": loose_text(option.value), "display": option.label}


def kept_with(options: Sequence[Option]) -> list[Resource]:
    """``write``, with what came with each option and has no place here."""
    return [merged(_write(each), each.fhir) for each in options]


def _plain(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)
