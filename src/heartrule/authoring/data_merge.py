"""Two versions of data made one, over the one that both began from."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from heartrule.authoring.diff.item_pairs import KINDS, canonical, identity, pairs, several
from heartrule.authoring.node_merge import First, Home, Key, Nodes, Texts, Token, called
from heartrule.language.texts.source import Path


class _Missing:
    """No value at all, which is not an empty one."""

    def __repr__(self) -> str:
        return "missing"


MISSING = _Missing()
Documents = Sequence[Any]
ConflictKind = Literal["value", "gone", "place", "order"]


@dataclass(frozen=True, slots=True)
class Conflict:
    """What both changed, each otherwise; None where one has nothing there. ``path`` is where it stands in what is
    merged; empty for lines, comments, and what stands twice; in ``file``, where that is not the one that it is told of.
    ``kind``: another value; a node that one took out and the
    other changed; one that each moved into another one (the values are what these are called); or items that each put
    in another order (the values are these, by name). ``node``: the node that it is about, or the nearest one around it,
    where it stands in ours."""

    path: Path
    base: Any = field(repr=False)
    ours: Any = field(repr=False)
    theirs: Any = field(repr=False)
    kind: ConflictKind = "value"
    node: Path = ()
    file: str = ""


def merged_data(
    texts: Sequence[Texts], documents: Sequence[Documents], first_of: First, take: Collection[int] = ()
) -> tuple[list[Any], list[Conflict]]:
    """``texts``: the base, ours and theirs, and ``documents`` what they say: those of each file from its number in
    ``first_of`` on, ``MISSING`` where there is none; so is what comes out. Nodes are known again wherever they stand
    and merged field by field, other lists by their items, all else as a whole. Of each conflict ours stands; theirs
    where its number is in ``take``. The conflicts are the same, in the same order, whatever is taken."""
    first = _Merge(texts, documents, first_of, ())
    made = first.made()
    if not take:
        return made, [*first.conflicts(), *_twice(documents[1], documents[2], made)]
    keys = [each.key for each in first.met]
    second = _Merge(texts, documents, first_of, {key for number, key in enumerate(keys) if number in take})
    made = second.made()
    paths = {met.key: each.path for met, each in zip(second.met, second.conflicts(), strict=True)}
    found = [replace(each, path=paths.get(key, each.path)) for key, each in zip(keys, first.conflicts(), strict=True)]
    return made, [*found, *_twice(documents[1], documents[2], made)]


@dataclass(slots=True)
class _Conflict:
    """A conflict: ``within`` its node at a path there."""

    key: Key
    kind: ConflictKind
    node: Token
    within: Path
    values: tuple[Any, Any, Any]


class _Merge:
    def __init__(
        self, texts: Sequence[Texts], documents: Sequence[Documents], first_of: First, take: Collection[Key]
    ) -> None:
        self._documents, self._take = documents, take
        self._nodes = Nodes(texts, documents, first_of, take)
        self._versions = self._nodes.base, self._nodes.ours, self._nodes.theirs
        self._paths: dict[Token, Path] = {}
        self._lists: dict[Home, list[Token]] = {}
        self.met: list[_Conflict] = []
        for key, values in self._nodes.conflicts.items():
            self.met.append(_Conflict(key, key[0], key[1], (), values))

    def made(self) -> list[Any]:
        """The documents. To be asked once."""
        made: list[Any] = []
        for number in range(max(map(len, self._documents))):
            there = [each[number] if number < len(each) else MISSING for each in self._documents]
            if any(isinstance(each, dict) for each in there) and all(map(_may_be_document, there)):
                value: Any = self._node(-1 - number) or next((each for each in there if not isinstance(each, dict)), {})
            else:
                value = _Field(self, -1 - number).value((), *there)
            made.append(value if value is MISSING else copy.deepcopy(value))
        return made

    def conflicts(self) -> list[Conflict]:
        """With the paths that they have in what was made."""
        for home in list(self._lists):
            if home[0] < 0:
                self._place(home)
        return [
            Conflict((*self._path(each.node), *each.within), *each.values, each.kind, self._nodes.in_ours(each.node))
            for each in self.met
        ]

    def _place(self, home: Home) -> None:
        owner, key = home
        above: Path = (-1 - owner,) if owner < 0 else self._paths[owner]
        for index, token in enumerate(self._lists[home]):
            self._paths[token] = (*above, key, index)
            for below in [each for each in self._lists if each[0] == token]:
                self._place(below)

    def _path(self, token: Token) -> Path:
        """Where it stands; of what is not there the list that it would be in, or what that would be in."""
        if token < 0:
            return (-1 - token,)
        if token in self._paths:
            return self._paths[token]
        homes = (each.homes.get(token) for each in reversed(self._versions))
        home = next(each for each in homes if each is not None)
        return (*self._path(home[0]), home[1]) if home in self._lists else self._path(home[0])

    def is_theirs(self, met: _Conflict) -> bool:
        """Tells a conflict; whether theirs is to stand."""
        self.met.append(met)
        return met.key in self._take

    # nodes

    def _node(self, token: Token) -> Any:
        held = [each.data(token) for each in self._versions]
        was, own, other = (each if isinstance(each, dict) else {} for each in held)
        made = {}
        for key in dict.fromkeys([*own, *other, *was]):
            values = [each.get(key, MISSING) for each in (was, own, other)]
            if key in KINDS and all(map(_may_hold_nodes, values)):
                value: Any = self._children((token, key), values)
            else:
                value = _Field(self, token).value((key,), *values)
            if value is not MISSING:
                made[key] = value
        for key in {key for owner, key in self._nodes.homes.values() if owner == token} - set(made):
            made[key] = self._children((token, key), [MISSING] * 3)
        return made

    def _children(self, home: Home, values: list[Any]) -> Any:
        there = {token for token, own in self._nodes.homes.items() if own == home}
        base, own, other = ([t for t in each.lists.get(home, []) if t in there] for each in self._versions)
        order, clash = ordered(base, own, other)
        if clash:
            names = tuple([self._called(token) for token in each] for each in (base, own, other))
            if self.is_theirs(_Conflict(("order", *home), "order", home[0], (home[1],), names)):  # type: ignore[arg-type]
                order, _ = ordered(base, other, own)
        order += [token for token in sorted(there) if token not in order]
        if not order:
            return _Field(self, home[0]).value((home[1],), *map(_emptied, values))
        self._lists[home] = order
        return [self._node(token) for token in order]

    def _called(self, token: Token) -> str:
        return called(next(each.stands[token] for each in self._versions if token in each.stands))


class _Field:
    """What stands in a node and holds no nodes."""

    def __init__(self, merge: _Merge, node: Token) -> None:
        self._merge, self._node = merge, node

    def value(self, path: Path, base: Any, ours: Any, theirs: Any) -> Any:
        if _same(ours, theirs) or _same(base, theirs):
            return ours
        if _same(base, ours):
            return theirs
        if isinstance(ours, dict) and isinstance(theirs, dict):
            return self._mapping(path, base if isinstance(base, dict) else {}, ours, theirs)
        if several(ours) and several(theirs) and (base is MISSING or several(base)):
            return self._list(path, [] if base is MISSING else base, ours, theirs)
        values = tuple(None if each is MISSING else each for each in (base, ours, theirs))
        return theirs if self._is_theirs("value", path, values) else ours

    def _is_theirs(self, kind: ConflictKind, path: Path, values: Any) -> bool:
        return self._merge.is_theirs(_Conflict((kind, self._node, *path), kind, self._node, path, values))

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
        told: dict[int, list[_Conflict]] = {}
        for token in dict.fromkeys([*own, *other, *range(len(base))]):
            values = (
                base[token] if token < len(base) else MISSING,
                ours[mine[token]] if token in mine else MISSING,
                theirs[yours[token]] if token in yours else MISSING,
            )
            before = len(self._merge.met)
            value = self.value((*path, token), *values)
            told[token] = self._merge.met[before:]
            if value is not MISSING:
                made[token] = value
        known = [token for token in range(len(base)) if token in made]
        present = [[token for token in each if token in made] for each in (own, other)]
        order, clash = ordered(known, *present)
        if clash and self._is_theirs("order", path, (base, ours, theirs)):
            order, _ = ordered(known, *reversed(present))
        for token, mets in told.items():
            at = order.index(token) if token in order else len(order)
            for each in mets:
                each.within = (*path, at, *each.within[len(path) + 1 :])
        return [made[token] for token in order]


def ordered(base: list[int], own: list[int], other: list[int]) -> tuple[list[int], bool]:
    """What stands behind what, and whether both put what they have in another order, each otherwise: then it is as in
    the first one."""
    known = [token for token in base if token in own and token in other]
    first, second = ([token for token in each if token in known] for each in (own, other))
    mine, yours = [token for token in own if token in other], [token for token in other if token in own]
    clash = (first not in (known, second) and second != known) or (first == second and mine != yours)
    lead, rest = (other, own) if first == known and second != known else (own, other)
    order = list(lead)
    for at, token in enumerate(rest):
        if token not in order:
            before = next((each for each in reversed(rest[:at]) if each in order), None)
            place = order.index(before) + 1 if before is not None else 0
            if rest is other:
                while place < len(order) and order[place] not in rest:
                    place += 1
            order.insert(place, token)
    return order, clash


def _may_be_document(value: Any) -> bool:
    return value in (MISSING, None) or isinstance(value, dict)


def _may_hold_nodes(value: Any) -> bool:
    return value in (MISSING, None) or (isinstance(value, list) and all(isinstance(each, dict) for each in value))


def _emptied(value: Any) -> Any:
    """Of a list that no node is left in."""
    return [] if isinstance(value, list) else value


def _twice(ours: Any, theirs: Any, made: Any) -> Iterator[Conflict]:
    """What each put somewhere else under one id: it stands at both now, and that is no merge."""
    own, other, now = (Counter(_named(each)) for each in (ours, theirs, made))
    for name, often in now.items():
        if often > max(own[name], other[name]):
            yield Conflict((), None, name[1], name[1])


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
