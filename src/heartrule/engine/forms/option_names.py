"""The option that an answer plainly names, where it is not written as the form writes it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from heartrule.language.forms.answer_parser import chosen
from heartrule.language.nodes import Json
from heartrule.language.nodes.forms import FormField
from heartrule.language.values.types import MAX_TEXT, Refused


def named(field: FormField, raw: Json, labels: Sequence[str]) -> Json:
    """The value of the one option that ``raw`` says by its label (``labels``: as they are shown), in other digits or
    letters, or as a yes or no; as it is where it names none, or more than one."""
    if field.type == "multiple":
        return [_one(field, each, labels) for each in (raw if isinstance(raw, list) else [raw])]
    if field.type != "single":
        return raw
    found = _one(field, raw[0], labels) if isinstance(raw, list) and len(raw) == 1 else _one(field, raw, labels)
    return found if is_option(field, found) else raw


def is_option(field: FormField, raw: Json) -> bool:
    """Whether it can be read as one without more."""
    try:
        chosen(field, raw)
    except Refused:
        return False
    return True


def _one(field: FormField, raw: Json, labels: Sequence[str]) -> Json:
    if is_option(field, raw):
        return raw
    if isinstance(raw, bool):
        return _meant(field, raw)
    if not isinstance(raw, str) or len(raw) > MAX_TEXT:
        return raw
    said = _fold(raw)
    found = [
        option.value
        for option, label in zip(field.options, labels, strict=True)
        if said in (_fold(str(option.value)), _fold(option.label), _fold(label))
    ]
    return found[0] if len(found) == 1 else raw


def _meant(field: FormField, raw: bool) -> Json:
    """A yes is 1 where there is a 1, else the only option that is neither 0 nor no; a no likewise."""
    values: list[Json] = [option.value for option in field.options]
    same: list[Json] = [each for each in values if each == int(raw)] or [each for each in values if bool(each) is raw]
    return same[0] if len(same) == 1 else raw


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()
