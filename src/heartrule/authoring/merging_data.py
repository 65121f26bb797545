"""Two versions of data made one, over the one that both began from."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from heartrule.authoring.comparing.pairing import canonical, identity, pairs, several
from heartrule.language.texts.source import Path


class _Missing:
    """No value at all, which is not an empty one."""

    def __repr__(self) -> str:
        return "missing"


MISSING = _Missing()


@dataclass(frozen=True, slots=True)
class Conflict:
    """What both changed, each otherwise; None where one has nothing there. ``path`` is where it stands in ours; empty
    for lines and comments."""

    path: Path
    base: Any = field(repr=False)
    ours: Any = field(repr=False)
    theirs: Any = field(repr=False)


def merged_data(base: list[Any], ours: list[Any], theirs: list[Any]) -> tuple[list[Any], list[Conflict]]:
    """Documents by their number, keys one by one, lists by their items, known again by name, content and neighbours.
    Conflicts are as ours."""
    merge = _Merge()
    made: list[Any] = []
    for number in range(max(map(len, (base, ours, theirs)))):
        versions = [each[number] if number < len(each) else MISSING for each in (base, ours, theirs)]
        value = merge.value((number,), *versions)
        if value is not MISSING:
            made.append(copy.deepcopy(value))
    merge.twice(ours, theirs, made)
    return made, merge.conflicts


class _Merge:
    def __init__(self) -> None:
        self.conflicts: list[Conflict] = []

    def value(self, path: Path, base: Any, ours: Any, theirs: Any) -> Any:
        if _same(ours, theirs) or _same(base, theirs):
            return ours
        if _same(base, ours):
            return theirs
        if isinstance(ours, dict) and isinstance(theirs, dict):
            return self._mapping(path, base if isinstance(base, dict) else {}, ours, theirs)
        if several(ours) and several(theirs) and (base is MISSING or several(base)):
            return self._list(path, [] if base is MISSING else base, ours, theirs)
        return self._conflict(path, base, ours, theirs)

    def _conflict(self, path: Path, base: Any, ours: Any, theirs: Any) -> Any:
        self.conflicts.append(Conflict(path, *(None if each is MISSING else each for each in (base, ours, theirs))))
        return ours

    def _mapping(self, path: Path, base: dict[Any, Any], ours: dict[Any, Any], theirs: dict[Any, Any]) -> Any:
        made = {}
        for key in dict.fromkeys([*ours, *theirs, *base]):
            values = [each.get(key, MISSING) for each in (base, ours, theirs)]
            value = self.value((*path, key), *values)
            if value is not MISSING:
                made[key] = value
        return made

    def _list(self, path: Path, base: list[Any], ours: list[Any], theirs: list[Any]) -> Any:
        own, other = _tokens(base, ours), _tokens(base, theirs)
        _acquainted(own, other, ours, theirs, len(base))
        mine = {token: at for at, token in enumerate(own)}
        yours = {token: at for at, token in enumerate(other)}
        made: dict[int, Any] = {}
        for token in dict.fromkeys([*own, *other, *range(len(base))]):
            values = (
                base[token] if token < len(base) else MISSING,
                ours[mine[token]] if token in mine else MISSING,
                theirs[yours[token]] if token in yours else MISSING,
            )
            at = mine[token] if token in mine else sum(each in mine for each in other[: yours.get(token, 0)])
            value = self.value((*path, at), *values)
            if value is not MISSING:
                made[token] = value
        order = self._order(path, len(base), own, other, made)
        if order is None:
            return self._conflict(path, base, ours, theirs)
        return [made[token] for token in order]

    def _order(self, path: Path, size: int, own: list[int], other: list[int], made: dict[int, Any]) -> list[int] | None:
        """What stands behind what; None where both put what was there in another order, each otherwise."""
        mine, yours = [t for t in own if t in other], [t for t in other if t in own]
        known = [token for token in range(size) if token in own and token in other]
        first, second = [t for t in mine if t < size], [t for t in yours if t < size]
        if first not in (known, second) and second != known:
            return None
        lead, rest = (own, other) if second in (known, first) else (other, own)
        order = [token for token in lead if token in made]
        for at, token in enumerate(rest):
            if token in made and token not in order:
                before = next((each for each in reversed(rest[:at]) if each in order), None)
                place = order.index(before) + 1 if before is not None else 0
                if rest is other:
                    while place < len(order) and order[place] not in rest:
                        place += 1
                order.insert(place, token)
        return order

    def twice(self, ours: Any, theirs: Any, made: Any) -> None:
        """What both moved, each to another place, stands at both now: that is no merge."""
        own, other, now = (Counter(_named(each)) for each in (ours, theirs, made))
        for name, often in now.items():
            if often > max(own[name], other[name]):
                self.conflicts.append(Conflict((), None, name[1], name[1]))


def _named(data: Any) -> Iterator[tuple[str, str]]:
    """The ids of mappings, with the kind of what has them."""
    if isinstance(data, dict):
        if isinstance(data.get("id"), str):
            yield str(data.get("type", "")), data["id"]
        for each in data.values():
            yield from _named(each)
    elif isinstance(data, list):
        for each in data:
            yield from _named(each)


def _tokens(base: list[Any], now: list[Any]) -> list[int]:
    """Of each item which one of the base it is; new ones have numbers behind those."""
    found = pairs(base, now)
    return [found.get(index, len(base) + index) for index in range(len(now))]


def _acquainted(own: list[int], other: list[int], ours: list[Any], theirs: list[Any], size: int) -> None:
    """New items of both: those of one name or equal are one; the others have numbers of their own."""
    names: dict[Any, int] = {}
    for at, token in enumerate(own):
        if token >= size:
            names.setdefault(_name(ours[at]), token)
    for at, token in enumerate(other):
        if token >= size:
            other[at] = names.pop(_name(theirs[at]), token + len(ours))


def _name(item: Any) -> Any:
    return identity(item) or canonical(item)


def _same(one: Any, other: Any) -> bool:
    if one is MISSING or other is MISSING:
        return one is other
    return canonical(one) == canonical(other)
