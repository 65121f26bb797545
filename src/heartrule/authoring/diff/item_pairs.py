"""Which item of a list is which item of its other version: by what it is called, else by what is in it, else by what
stands beside it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

KINDS = {
    "sessions": "session",
    "phases": "phase",
    "steps": "topic",
    "actions": "action",
    "skills": "technique",
    "awareness": "awareness",
    "forms": "form",
    "global": "variable",
    "declare": "variable",
    "roles": "role",
}
"""The lists whose items are nodes, with a name of their own in whatever is said of them."""
TITLES = {
    "session": "session",
    "phase": "phase",
    "topic": "topic",
    "technique": "skill",
    "awareness": "awareness",
    "form": "form",
    "variable": "var",
    "role": "role",
}
_NAMES = ("id", "var", "role", "key", "name", "value", "label")
_ALIKE = 0.5


def kind_of(key: str | int, item: Any) -> str:
    """The kind of an item of the list at a key; empty where it is a part of its node and no node itself."""
    return KINDS.get(str(key), "") if isinstance(item, dict) else ""


def identity(item: Any) -> Hashable | None:
    """By what an item is known again; None where it has no name."""
    if not isinstance(item, dict):
        return canonical(item) if not isinstance(item, list) else None
    for key in _NAMES:
        value = item.get(key)
        if isinstance(value, str | int | float) and value != "":
            return key, str(value), str(item.get("locale", "")) if key == "role" else ""
    return None


def canonical(data: Any) -> str:
    """The same for equal data and only for it; the order of keys does not count, ``1`` and ``1.0`` are not equal."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, default=repr)


def pairs(before: Sequence[Any], after: Sequence[Any], key: str | int = "") -> dict[int, int]:
    """Of each item of ``after`` that was there ``before``, as what."""
    found: dict[int, int] = {}
    _by(found, list(map(identity, before)), list(map(identity, after)))
    _by_content(found, list(map(canonical, before)), list(map(canonical, after)))
    title = TITLES.get(KINDS.get(str(key), ""), "")
    if title:
        _by(found, [_title(each, title) for each in before], [_title(each, title) for each in after])
    _by_neighbours(found, before, after)
    return found


def replaced(found: Mapping[int, int], before: Sequence[Any], after: Sequence[Any]) -> dict[int, int]:
    """Of each nameless item of ``after`` that stands alone where another one stood alone, instead of what."""
    kept = set(found.values())

    def nameless(item: Any) -> bool:
        return not isinstance(item, dict) or identity(item) is None

    made: dict[int, int] = {}
    for index, item in enumerate(after):
        old = found.get(index - 1, -1) + 1 if index else 0
        if index in found or (index and index - 1 not in found) or old in kept or old >= len(before):
            continue
        last = index + 1 == len(after) and old + 1 == len(before)
        if (last or found.get(index + 1) == old + 1) and nameless(item) and nameless(before[old]):
            made[index] = old
    return made


def _title(item: Any, key: str) -> Hashable | None:
    value = item.get(key) if isinstance(item, dict) else None
    return value if isinstance(value, str) and value else None


def _by(found: dict[int, int], before: Sequence[Hashable | None], after: Sequence[Hashable | None]) -> None:
    """Those of one name, where only one has it on each side."""
    taken = set(found.values())
    old = [name for index, name in enumerate(before) if index not in taken and name is not None]
    new = [name for index, name in enumerate(after) if index not in found and name is not None]
    often, now = Counter(old), Counter(new)
    where = {name: index for index, name in enumerate(before) if index not in taken and often.get(name) == 1}
    for index, name in enumerate(after):
        if index not in found and name is not None and now[name] == 1 and name in where:
            found[index] = where[name]


def _by_content(found: dict[int, int], before: Sequence[str], after: Sequence[str]) -> None:
    """Equal ones in their order, so that what was put between does not shift the rest."""
    taken = set(found.values())
    old = [index for index in range(len(before)) if index not in taken]
    new = [index for index in range(len(after)) if index not in found]
    matcher = SequenceMatcher(None, [before[i] for i in old], [after[i] for i in new], autojunk=False)
    for low, first, size in matcher.get_matching_blocks():
        found.update({new[first + step]: old[low + step] for step in range(size)})
    taken = set(found.values())
    for index in new:
        if index not in found:
            same = next((each for each in old if each not in taken and before[each] == after[index]), None)
            if same is not None:
                found[index] = same
                taken.add(same)


def _by_neighbours(found: dict[int, int], before: Sequence[Any], after: Sequence[Any]) -> None:
    """What stands where another one stood, between the same two, and is like it."""
    taken = set(found.values())
    for index, item in enumerate(after):
        if index in found:
            continue
        last = found.get(index - 1, -1) if index else -1
        if index and index - 1 not in found:
            continue
        best = next(
            (each for each in _free(last + 1, taken, len(before)) if _may_be(before[each], item)),
            None,
        )
        if best is not None:
            found[index] = best
            taken.add(best)


def _free(start: int, taken: set[int], end: int) -> list[int]:
    run = []
    for index in range(start, end):
        if index in taken:
            break
        run.append(index)
    return run


def _may_be(old: Any, new: Any) -> bool:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return isinstance(old, list) and isinstance(new, list)
    return old.get("type") == new.get("type") and alike(old, new) >= _ALIKE


def alike(old: dict[Any, Any], new: dict[Any, Any]) -> float:
    """From 0 to 1: how much of two mappings is the same, their ids aside. Of two that have ids the type counts for
    nothing: what has another id and says other things was put in the place of the other."""
    keys = (old.keys() | new.keys()) - ({"id", "type"} if "id" in old and "id" in new else {"id"})
    return sum(_share(old.get(key), new.get(key)) for key in keys) / len(keys) if keys else 1.0


def _share(old: Any, new: Any) -> float:
    one, other = canonical(old), canonical(new)
    return 1.0 if one == other else 0.0 if old is None or new is None else _ratio(one[:400], other[:400])


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).quick_ratio() / 2


def several(value: Any) -> bool:
    """Whether it is a list of parts; of numbers, as in a range, it is one value."""
    return isinstance(value, list) and all(isinstance(each, dict | list | str) for each in value)


def stayed(order: Sequence[int]) -> set[int]:
    """Of numbers in a new order the places of those that need not be moved: a longest run that still rises."""
    best: list[tuple[int, int]] = []
    for place, number in enumerate(order):
        before = [(length, at) for at, (length, _) in enumerate(best[:place]) if order[at] < number]
        length, at = max(before, default=(0, -1), key=lambda each: each[0])
        best.append((length + 1, at))
    kept: set[int] = set()
    at = max(range(len(best)), key=lambda each: best[each][0], default=-1)
    while at >= 0:
        kept.add(at)
        at = best[at][1]
    return kept
