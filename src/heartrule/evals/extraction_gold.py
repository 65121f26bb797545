"""Whether a value is the one that a careful reader takes from what was said.

A gold value is written as the value itself, or as ``{"any": [gold, …]}``: one of these. Of a text it is what must stand
in it: ``{"has": ["丈夫|老公", "吵架"], "not": ["离婚"], "most": 40}`` (each of ``has`` in one of its wordings, none of
``not``, at most so many characters), or one text for ``has`` of that alone. Of a list it is its items in any order, or
``{"items": […], "maybe": […]}`` where some may be left out; of an object its fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from heartrule.parsing import fold

Verdict = Literal["right", "wrong", "missed", "invented"]
VERDICTS: tuple[Verdict, ...] = ("right", "wrong", "missed", "invented")
MOST = 60
"""Characters of a text that takes one thing down; more is the whole story in its place."""


def verdict(gold: Any, held: Any) -> Verdict:
    """``held``: what the variable holds, None when it has no value. Nothing where nothing is to be taken is right."""
    if gold is None:
        return "right" if held is None else "invented"
    if held is None:
        return "missed"
    return "right" if fits(gold, held) else "wrong"


def fits(gold: Any, held: Any) -> bool:
    if isinstance(gold, Mapping):
        if "any" in gold:
            return any(fits(each, held) for each in gold["any"])
        if "has" in gold:
            return isinstance(held, str) and _says(held, gold["has"], gold.get("not", ()), gold.get("most", MOST))
        if "items" in gold:
            return isinstance(held, list) and _same_items(gold["items"], gold.get("maybe", ()), held)
        return isinstance(held, Mapping) and _same_fields(gold, held)
    if isinstance(gold, list):
        return isinstance(held, list) and _same_items(gold, (), held)
    if isinstance(gold, bool) or isinstance(held, bool):
        return gold is held
    if isinstance(gold, str):
        return isinstance(held, str) and (gold == held or _says(held, [gold], (), MOST))
    return isinstance(held, int | float) and float(gold) == float(held)


def exact(gold: Any) -> bool:
    """Whether ``gold`` is one of the forms above; lists and objects all the way down."""
    if isinstance(gold, Mapping):
        if "has" in gold:
            words = [*_list(gold["has"]), *_list(gold.get("not", []))]
            return bool(words) and all(isinstance(each, str) and each for each in words)
        parts = [part for key in ("any", "items", "maybe") for part in _list(gold.get(key, []))]
        fields = [] if gold.keys() & {"any", "items"} else list(gold.values())
        return bool(gold) and all(part is None or exact(part) for part in (*parts, *fields))
    if isinstance(gold, list):
        return all(exact(each) for each in gold)
    return isinstance(gold, str | int | float)


def _list(given: Any) -> list[Any]:
    return given if isinstance(given, list) else []


def _says(held: str, has: Sequence[str], without: Sequence[str], most: int) -> bool:
    said = fold(held)
    return (
        len(said) <= most
        and all(any(fold(each) in said for each in one.split("|")) for one in has)
        and not any(fold(each) in said for each in without)
    )


def _same_items(gold: Sequence[Any], maybe: Sequence[Any], held: Sequence[Any]) -> bool:
    """Every gold item stands there once, and nothing else but what may. Matched one by one, whatever the order."""
    if len(held) < len(gold):
        return False
    if not gold:
        return all(any(fits(each, one) for each in maybe) for one in held)
    first, *rest = gold
    return any(
        fits(first, one) and _same_items(rest, maybe, [*held[:place], *held[place + 1 :]])
        for place, one in enumerate(held)
    )


def _same_fields(gold: Mapping[str, Any], held: Mapping[str, Any]) -> bool:
    """A field whose gold is None must have no value; one that gold does not name must not be there."""
    given = {name: each for name, each in held.items() if each is not None}
    return given.keys() <= gold.keys() and all(
        fits(each, given[name]) if name in given and each is not None else name not in given and each is None
        for name, each in gold.items()
    )
