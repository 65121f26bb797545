"""Nodes where they stand, and which of those that are gone from one place have come to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from heartrule.authoring.diff.change_texts import node_called, within
from heartrule.authoring.diff.item_pairs import KINDS, TITLES, alike, canonical, identity, kind_of
from heartrule.language.bilingual import Bilingual
from heartrule.language.texts.source import Path


@dataclass(frozen=True, slots=True)
class Stand:
    """A node at a place: ``above`` what it stands in, ``behind`` the one before it, None where it is the first."""

    kind: str
    file: str
    path: Path
    data: Any = field(repr=False)
    document: Any = field(repr=False)
    above: Bilingual
    behind: Bilingual | None = None

    @property
    def called(self) -> Bilingual:
        told = node_called(self.kind, self.data)
        return within(told, self.above) if self.kind in ("action", "variable") else told

    @property
    def own(self) -> Bilingual:
        return node_called(self.kind, self.data)


def below(stand: Stand) -> Iterator[Stand]:
    """The nodes that stand in one."""
    for key in stand.data:
        yield from listed(stand, key, stand.data[key])


def listed(stand: Stand, key: str, items: Any) -> Iterator[Stand]:
    """The items of a list of nodes in one."""
    if key not in KINDS or not isinstance(items, list):
        return
    behind: Bilingual | None = None
    for index, item in enumerate(items):
        kind = kind_of(key, item)
        if kind:
            path = (*stand.path, key, index)
            yield Stand(kind, stand.file, path, item, stand.document, stand.own, behind)
            behind = node_called(kind, item)


def every(stand: Stand) -> Iterator[Stand]:
    for each in below(stand):
        yield each
        yield from every(each)


def met(gone: Sequence[Stand], come: Sequence[Stand]) -> list[tuple[Stand, Stand]]:
    """Those that went from one place and came to another."""
    found: list[tuple[Stand, Stand]] = []
    left = list(gone)
    for new in come:
        likely = [(like, old) for old in left if (like := _alike(old, new)) > 0]
        if likely:
            _, old = max(likely, key=lambda each: each[0])
            left.remove(old)
            found.append((old, new))
    return found


def _alike(old: Stand, new: Stand) -> float:
    if old.kind != new.kind:
        return 0
    near = 0.5 if old.file == new.file else 0
    if canonical(old.data) == canonical(new.data):
        return 3 + near if len(old.data) > 1 else 0
    names = _names(old) & _names(new)
    return 1 + alike(old.data, new.data) + near if names and old.data.get("type") == new.data.get("type") else 0


def _names(stand: Stand) -> set[Any]:
    title = stand.data.get(TITLES.get(stand.kind, ""))
    return {each for each in (identity(stand.data), title) if each is not None and isinstance(each, str | tuple)}


def content(stand: Stand) -> str:
    """What a copy has in common with what it was made of."""
    return stand.kind + canonical({key: value for key, value in stand.data.items() if key != "id"})
