"""Whether a day that is asked for or told of has been or is to come, and whether less than a day is said."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from heartrule.language.patterns import compiled
from heartrule.language.texts.plain import packaged_yaml
from heartrule.parsing.text import MAX_READ, normalise

Lean = Literal["past", "future", "birth", ""]
"""``birth``: without its year it says nothing. ``""``: nobody can tell."""
_KINDS = ("birth", "before", "ahead", "past", "future", "imprecise")


def lean(*texts: str) -> Lean:
    """What the question, the meaning of the variable and the answer come to together. Plain words (上次, next) go
    before those that only mostly mean it (开始, appointment); where both ways are meant nobody can tell."""
    said = "\n".join(normalise(each[:MAX_READ]).casefold() for each in texts if each)
    if _holds("birth", said):
        return "birth"
    for past, future in (("before", "ahead"), ("past", "future")):
        has_been, will_be = _holds(past, said), _holds(future, said)
        if has_been or will_be:
            return "" if has_been and will_be else "past" if has_been else "future"
    return ""


def is_imprecise(text: str) -> bool:
    """Whether it tells of a month, a season, a year or a feast, and not of a day."""
    return _holds("imprecise", normalise(text[:MAX_READ]).casefold().strip(" .。,，!！"))


def _holds(kind: str, said: str) -> bool:
    return any(each.search(said) is not None for each in _patterns(kind))


@cache
def _patterns(kind: str) -> tuple[Any, ...]:
    written = packaged_yaml("heartrule.parsing.phrases", "dates.yaml")
    return tuple(compiled(f"(?m){pattern}") for language in written.values() for pattern in language[kind])


def patterns() -> list[Any]:
    """Every pattern of the file, for whoever checks that they can all be compiled."""
    return [each for kind in _KINDS for each in _patterns(kind)]
