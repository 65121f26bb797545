"""Two versions of a file's data, gone through side by side: fields, items and nodes."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from typing import Any

from heartrule.authoring import paths
from heartrule.authoring.diff import change_texts
from heartrule.authoring.diff.change import Change, Kind
from heartrule.authoring.diff.change_texts import joined, key_called, of_node, place_called
from heartrule.authoring.diff.item_pairs import KINDS, TITLES, canonical, kind_of, pairs, replaced, several, stayed
from heartrule.authoring.diff.nodes import Stand, content, listed
from heartrule.authoring.workspace import Registry
from heartrule.language.bilingual import Bilingual
from heartrule.language.schema.hovers import hover
from heartrule.language.shape.keys import models_at
from heartrule.language.texts.source import Path

_NONE = object()
Names = Set[tuple[str, Any]]


@dataclass(slots=True)
class Walk:
    """``changes`` as they are met. ``gone`` and ``come``: nodes that have no other version where they stood; ``met``:
    those that have been gone through, in both versions."""

    registry: Registry
    names: Callable[[], tuple[Names, Names]] = lambda: (frozenset(), frozenset())
    """Which nodes there were with an id, by kind, and which there are, wherever they stand."""
    changes: list[Change] = field(default_factory=list)
    gone: list[Stand] = field(default_factory=list)
    come: list[Stand] = field(default_factory=list)
    met: list[tuple[Stand, Stand]] = field(default_factory=list)

    def nodes(self, old: Stand, new: Stand) -> None:
        """A node in its two versions."""
        self.met.append((old, new))
        self._mapping(_Place(old, new, new.path), old.data, new.data)

    def _mapping(self, place: _Place, old: dict[Any, Any], new: dict[Any, Any]) -> None:
        for key in dict.fromkeys([*new, *old]):
            self._value(place.into(key, key_called(key)), key, old.get(key, _NONE), new.get(key, _NONE))

    def _value(self, place: _Place, key: Any, old: Any, new: Any) -> None:
        if old is not _NONE and new is not _NONE and canonical(old) == canonical(new):
            return
        holds = key in KINDS and not place.inside and _nodes(old) and _nodes(new)
        if holds and not (old in (_NONE, []) and new in (_NONE, [])):
            self._children(place, key, [] if old is _NONE else old, [] if new is _NONE else new)
        elif isinstance(old, dict) and isinstance(new, dict):
            self._mapping(place, old, new)
        elif several(old) and several(new) and old and new:
            self._items(place, key, old, new)
        else:
            self._field(place, key, old, new)

    def _field(self, place: _Place, key: Any, old: Any, new: Any) -> None:
        """A value that is another one as a whole."""
        named = place_called(place.above)
        title = TITLES.get(place.new.kind, "id")
        renamed = len(place.above) == 1 and key in (title, "id") and isinstance(old, str) and isinstance(new, str)
        if old is _NONE:
            self._add("set", place, change_texts.put(named, new), None, new)
        elif new is _NONE:
            self._add("unset", place, change_texts.gone(named, old), old, None)
        elif renamed and key == title:
            told = joined(place.old.called, Bilingual("改名为", " is now called "), change_texts.value_called(new))
            self.changes.append(Change("renamed", place.new.file, place.path, told, old, new))
        else:
            kind = place.new.data.get("type") if len(place.above) == 1 else None
            said = change_texts.changed(named, place.path, kind, old, new)
            self._add("renamed" if renamed else "changed", place, said, old, new)

    def _items(self, place: _Place, key: Any, old: list[Any], new: list[Any]) -> None:
        """A list whose items are parts of their node."""
        found = pairs(old, new, key)
        named = place_called(place.above)
        instead = replaced(found, old, new)
        for index, item in enumerate(old):
            if index not in found.values() and index not in instead.values():
                said = joined(Bilingual("从", "from "), named, Bilingual("里去掉了", " taken out: "), _whole(item))
                self._add("removed", place, said, item, None)
        for index, item in enumerate(new):
            at = place.into(index, change_texts.item_called(item))
            if index in instead:
                was = old[instead[index]]
                self._add("changed", at, change_texts.instead(named, instead[index], was, item), was, item)
            elif index not in found:
                where = _behind(change_texts.part_called(new[index - 1], index - 1) if index else None)
                said = joined(
                    named,
                    Bilingual("里加了", ": added "),
                    _whole(item),
                    Bilingual("（", " ("),
                    where,
                    Bilingual("）", ")"),
                )
                self._add("added", at, said, None, item)
            elif canonical(old[found[index]]) != canonical(item):
                was = old[found[index]]
                self._item(place.into(index, change_texts.part_called(was, found[index])), was, item)
        self._order(place, found, lambda index: change_texts.part_called(new[index], index))

    def _item(self, place: _Place, old: Any, new: Any) -> None:
        if isinstance(old, dict) and isinstance(new, dict):
            self._mapping(place, old, new)
        else:
            self._field(place, place.path[-1], old, new)

    def _children(self, place: _Place, key: str, old: list[Any], new: list[Any]) -> None:
        """A list of nodes."""
        olds = {int(each.path[-1]): each for each in listed(place.old, key, old)}
        news = {int(each.path[-1]): each for each in listed(place.new, key, new)}
        found = {
            index: was
            for index, was in pairs(old, new, key).items()
            if index not in news or was not in olds or not self._put_in_its_place(olds[was], news[index])
        }
        self.gone += [each for index, each in olds.items() if index not in found.values()]
        self.come += [each for index, each in news.items() if index not in found]
        for index, was in found.items():
            self.nodes(olds[was], news[index])
        kept = sorted(found)
        still = stayed([found[index] for index in kept])
        for at, index in enumerate(kept):
            if at not in still:
                told = joined(news[index].called, Bilingual("移到了", " moved "), behind(news[index]))
                self.changes.append(Change("moved", place.new.file, news[index].path, told, None, None))

    def _put_in_its_place(self, old: Stand, new: Stand) -> bool:
        """Whether what looks like it is another one: it stood elsewhere before, or the old one stands elsewhere now."""
        ids, title = (old.data.get("id"), new.data.get("id")), TITLES.get(old.kind, "id")
        if None in ids or ids[0] == ids[1] or content(old) == content(new):
            return False
        if title != "id" and old.data.get(title) == new.data.get(title):
            return False
        before, after = self.names()
        return (new.kind, ids[1]) in before or (old.kind, ids[0]) in after

    def _order(self, place: _Place, found: dict[int, int], name: Any) -> None:
        kept = sorted(found)
        still = stayed([found[index] for index in kept])
        for at, index in enumerate(kept):
            if at not in still:
                where = _behind(name(index - 1) if index else None)
                named = place_called(place.above)
                said = joined(named, Bilingual("里的", ": "), name(index), Bilingual("移到了", " moved "), where)
                self._add("moved", place, said, None, None)

    def _add(self, kind: Kind, place: _Place, said: Bilingual, before: Any, after: Any) -> None:
        told = of_node(place.new.called, said)
        change = Change(kind, place.new.file, place.path, told, before, after, self._help(place))
        self.changes.append(change)

    def _help(self, place: _Place) -> Bilingual | None:
        """What the key means that was changed: as the panel of the node has it."""
        path = place.path
        while path and isinstance(path[-1], int):
            path = path[:-1]
        if not path or place.new.document is None:
            return None
        root = paths.root_of(place.new.file)
        kind = place.new.data.get("type") if place.new.kind == "action" else None
        known = str(kind) if isinstance(kind, str) and kind in self.registry else None
        models = models_at(root, place.new.document, path[1:-1], self.registry)
        return next((told for model in models if (told := hover(model, str(path[-1]), known))), None)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a node: ``above`` the keys and items on the way."""

    old: Stand
    new: Stand
    path: Path
    above: tuple[Bilingual, ...] = ()

    def into(self, part: str | int, called: Bilingual) -> _Place:
        return _Place(self.old, self.new, (*self.path, part), (*self.above, called))

    @property
    def inside(self) -> bool:
        """Whether it is within a field, where lists hold no nodes."""
        return len(self.above) > 1


def behind(stand: Stand) -> Bilingual:
    return _behind(stand.behind)


def _behind(before: Bilingual | None) -> Bilingual:
    return (
        Bilingual("最前面", "to the front")
        if before is None
        else joined(Bilingual("", "behind "), before, Bilingual("之后", ""))
    )


def _nodes(items: Any) -> bool:
    return items is _NONE or (isinstance(items, list) and all(kind_of("actions", each) for each in items))


def _whole(item: Any) -> Bilingual:
    return change_texts.whole_called(item)
