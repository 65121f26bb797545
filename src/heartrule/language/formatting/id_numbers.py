"""Ids for whatever has none: the first letter of what it is, and the first number that is free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from heartrule.language.spellings.rewriter import BELOW
from heartrule.language.texts.page import Page
from heartrule.language.texts.text_edits import Edit, TracedText
from heartrule.language.texts.tree import Tree, trees

_LETTERS = {"sessions": "s", "phases": "p", "steps": "t", "actions": "a", "skills": "k", "awareness": "w"}
_NAMES = {
    "sessions": "session",
    "phases": "phase",
    "steps": "topic",
    "actions": "type",
    "skills": "skill",
    "awareness": "awareness",
}


@dataclass(slots=True)
class Ids:
    """The ids of a project's files, by kind. ``kept``: names that translations call their originals by; those stay
    without an id, which would take the name's place."""

    taken: dict[str, set[str]] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)

    def see(self, text: str) -> None:
        for kind, node in _nodes(trees(text)):
            self._of(kind).add(_text(node, "id"))
            self.kept.add(_text(node, "translation_of"))

    def give(self, text: str, newline: str = "\n") -> str:
        """The text, in our spelling, with an id for each that has none."""
        page, edits = Page(text), list[Edit]()
        for kind, node in _nodes(trees(text)):
            first = node.get(_NAMES[kind])
            if node.get("id") or first is None or _text(node, _NAMES[kind]) in self.kept - {""}:
                continue
            edits += page.after(node, first, f"id: {self._free(kind, self._of(kind))}")
        for topic in _topics(trees(text)):
            taken = {_text(action, "id") for action in _items(topic, "actions")}
            for action in _items(topic, "actions"):
                first = action.get("type")
                if first is not None and action.get("id") is None:
                    edits += page.after(action, first, f"id: {self._free('actions', taken)}")
        return TracedText.of(text).edited(edits, newline).text

    def _of(self, kind: str) -> set[str]:
        return self.taken.setdefault(kind, set())

    def _free(self, kind: str, taken: set[str]) -> str:
        number = 1
        while (found := f"{_LETTERS[kind]}{number}") in taken:
            number += 1
        taken.add(found)
        return found


def _text(node: Tree, key: str) -> str:
    entry = node.get(key)
    return (entry.value.text() if entry else None) or ""


def _items(node: Tree, key: str) -> Iterator[Tree]:
    entry = node.get(key)
    yield from (item for item in (entry.value.items if entry else ()) if item.kind == "mapping")


def _nodes(nodes: Iterable[Tree], kind: str = "") -> Iterator[tuple[str, Tree]]:
    """All that has an id, actions aside."""
    for node in nodes:
        if kind in _LETTERS:
            yield kind, node
        for key, below in BELOW.get(kind, {}).items():
            if key == below and below in _LETTERS and below != "actions":
                yield from _nodes(_items(node, key), below)


def _topics(nodes: Iterable[Tree]) -> Iterator[Tree]:
    yield from (node for kind, node in _nodes(nodes) if kind in ("steps", "skills"))
