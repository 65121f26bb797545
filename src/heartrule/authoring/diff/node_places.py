"""Where a node of one version stands in another: what is fastened to it goes along through edits and moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from heartrule.authoring.diff.item_pairs import KINDS, TITLES, canonical
from heartrule.authoring.diff.nodes import Stand, content
from heartrule.authoring.diff.versions import Texts, met, nodes
from heartrule.authoring.splices import parse_cached
from heartrule.authoring.workspace import Registry
from heartrule.language.texts.source import Path

_Ids = dict[tuple[str, str], list["Spot"]]


@dataclass(frozen=True, slots=True)
class Spot:
    """A node by its place; an empty ``path`` is the file as a whole."""

    file: str
    path: Path


class NodePlaces:
    """From one version of a project's texts to another, worked out when it is first asked for."""

    def __init__(self, before: Texts, after: Texts, registry: Registry) -> None:
        self._before, self._after, self._registry = before, after, registry
        self._worked: tuple[dict[tuple[str, Path], tuple[Stand, Stand]], dict[str, str]] | None = None
        self._ids: tuple[_Ids, _Ids] | None = None

    def carried(self, spot: Spot, *, again: bool = False) -> Spot | None:
        """Where it stands then; None where it is gone, or where its file cannot be read. ``again``: it was gone between
        the two, and only what has the same id, if it has one, is it."""
        if spot.file not in self._before:
            return None
        if self._before[spot.file] == self._after.get(spot.file):
            return spot
        known, renamed = self._met()
        file = renamed.get(spot.file, spot.file)
        if not spot.path:
            return Spot(file, ()) if file in self._after else None
        if self._after.get(file) == self._before[spot.file]:
            return Spot(file, spot.path)
        named = self._named(spot)
        if named is not None:
            return named
        for length in range(len(spot.path), 0, -1):
            pair = known.get((spot.file, spot.path[:length]))
            if pair is not None:
                return None if self._is_other(*pair, again=again) else _below(*pair, spot.path[length:])
        return None

    def _named(self, spot: Spot) -> Spot | None:
        """By its id, where only one node has it, before and after."""
        if self._ids is None:
            self._ids = _ids(self._before), _ids(self._after)
        before, after = self._ids
        for key, places in before.items():
            if spot in places:
                there = after.get(key, [])
                return there[0] if len(places) == len(there) == 1 else None
        return None

    def _is_other(self, old: Stand, new: Stand, *, again: bool) -> bool:
        """Whether it has the id of a node that stood beside the other one before, or one that it did not have."""
        name = new.data.get("id")
        if name == old.data.get("id") or self._ids is None:
            return False
        return (new.kind, name) in self._ids[0] or (again and "id" in old.data)

    def _met(self) -> tuple[dict[tuple[str, Path], tuple[Stand, Stand]], dict[str, str]]:
        if self._worked is None:
            pairs, renamed = met(self._before, self._after, self._registry)
            self._worked = {(old.file, old.path): (old, new) for old, new in pairs}, renamed
        return self._worked


def _below(old: Stand, new: Stand, rest: Path) -> Spot | None:
    """What stands in a node whose other version is known: as long as the list that it is in is the same."""
    if not rest:
        return Spot(new.file, new.path) if _is_same(old, new) else None
    same = old.data.get(rest[0]) is not None and canonical(old.data[rest[0]]) == canonical(new.data.get(rest[0]))
    return Spot(new.file, (*new.path, *rest)) if same else None


def _ids(texts: Texts) -> _Ids:
    """Nodes by their kind and id."""
    found: _Ids = {}
    for stand in nodes(texts):
        id_ = stand.data.get("id")
        if isinstance(id_, str):
            found.setdefault((stand.kind, id_), []).append(Spot(stand.file, stand.path))
    return found


def _is_same(old: Stand, new: Stand) -> bool:
    """What was put in the place of another, with an id of its own, is another; with a new id alone it is the same."""
    names = old.data.get("id"), new.data.get("id")
    if None in names or names[0] == names[1]:
        return True
    title = TITLES.get(old.kind)
    return old.data.get(title) == new.data.get(title) if title else content(old) == content(new)


def is_node(text: str, path: Path) -> bool:
    """Whether an item of a list of nodes stands there, to which something can be fastened."""
    if len(path) < 3 or len(path) % 2 == 0:
        return False
    data: Any = parse_cached(text).documents
    for index, part in enumerate(path):
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return False
        if index and index % 2 and part not in KINDS:
            return False
    return isinstance(data, dict)
