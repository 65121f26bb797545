"""A YAML text as a tree that knows where each of its parts begins and ends, so that the text itself can be edited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from yaml import YAMLError
from yaml._yaml import CParser
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from heartrule.language.texts.merge_keys import MERGE
from heartrule.language.texts.scalars import Scalar, resolve


@dataclass(slots=True, eq=False)
class Entry:
    """A key with its value."""

    key: Tree
    value: Tree

    @property
    def name(self) -> str:
        return str(self.key.value) if self.key.kind == "scalar" else ""


@dataclass(slots=True, eq=False)
class Tree:
    """``start`` and ``end`` are offsets in the text; what stands behind the last part (comments, blank lines) is
    outside of it, but blank lines that a text in lines keeps are its own. ``flow``: written in one line, with ``{}`` or
    ``[]``. ``style`` of a text as in ``Spot``. An alias has the ``value`` of what it stands for."""

    kind: Literal["scalar", "mapping", "list", "alias"]
    start: int
    end: int
    flow: bool = False
    style: str = ""
    value: Scalar = None
    marked: bool = False
    kept: bool = False
    """A text in lines that blank lines behind it would be a part of."""
    entries: Sequence[Entry] = ()
    items: Sequence[Tree] = ()
    target: Tree | None = None
    """What an alias stands for."""

    def get(self, *names: str) -> Entry | None:
        """The entry of the first of these keys that is there."""
        return next((entry for name in names for entry in self.entries if entry.name == name), None)

    @property
    def single(self) -> bool:
        """Whether it is one value, written here or elsewhere."""
        return (self.target or self).kind == "scalar"

    @property
    def lines(self) -> bool:
        """Whether it is a text in lines, which its indentation belongs to."""
        return self.style in ("|", ">")

    def leaves(self) -> Iterator[Tree]:
        """Its keys and values as they stand: comments are only between them."""
        if self.kind in ("scalar", "alias"):
            yield self
        for entry in self.entries:
            yield entry.key
            yield from entry.value.leaves()
        for item in self.items:
            yield from item.leaves()

    def parts(self) -> Iterator[Tree]:
        """It and all values in it."""
        yield self
        for each in (*(entry.value for entry in self.entries), *self.items):
            yield from each.parts()

    def merged(self) -> Iterator[Tree]:
        """The mappings whose keys it takes over (``<<``), the nearest first, and those that they take over."""
        seen, waiting = set[int](), list(self._sources())
        while waiting:
            mapping = waiting.pop(0)
            if id(mapping) not in seen:
                seen.add(id(mapping))
                yield mapping
                waiting[:0] = mapping._sources()

    def _sources(self) -> list[Tree]:
        named = self.get(MERGE)
        if named is None:
            return []
        value = named.value.target or named.value
        return [item.target or item for item in (value.items if value.kind == "list" else [value])]

    def given(self, *names: str) -> Entry | None:
        """As ``get``; else the entry that it takes over."""
        return self.get(*names) or next((found for each in self.merged() if (found := each.get(*names))), None)

    def text(self) -> str | None:
        """A scalar as a text; None for anything else, and for nothing."""
        return None if not self.single or self.value is None else str(self.value)


_KEPT = re.compile(r"(?<=[|>])[1-9]?\+")


def trees(text: str) -> list[Tree]:
    """The documents of a text that is known to be good YAML within bounds. Empty where it is not."""
    parser = CParser(text)
    found: list[Tree] = []
    try:
        events, anchors = _events(parser), dict[str, Tree]()
        for event in events:
            if isinstance(event, NodeEvent):
                found.append(_tree(event, events, text, anchors))
    except YAMLError:
        return []
    finally:
        parser.dispose()
    return found


def _events(parser: Any) -> Iterator[Any]:
    while parser.check_event():
        yield parser.get_event()


def _tree(event: Any, events: Iterator[Any], text: str, anchors: dict[str, Tree]) -> Tree:
    start, end = event.start_mark.index, event.end_mark.index
    if isinstance(event, AliasEvent):
        target = anchors.get(event.anchor or "")
        return Tree("alias", start, end, value=target.value if target else None, target=target)
    tree = _node(event, events, text, anchors)
    if event.anchor:
        anchors[event.anchor] = tree
    return tree


def _node(event: Any, events: Iterator[Any], text: str, anchors: dict[str, Tree]) -> Tree:
    start, end = event.start_mark.index, event.end_mark.index
    marked = bool(event.anchor or event.tag)
    if isinstance(event, ScalarEvent):
        style = event.style or ""
        value = resolve(event.value) if not style and event.implicit[0] else event.value
        if style not in ("|", ">"):
            return Tree("scalar", start, end, style=style, value=value, marked=marked)
        kept = _KEPT.search(text, start, text.find("\n", start)) is not None
        return Tree(
            "scalar", start, start + _length(text[start:end], kept), style=style, value=value, marked=marked, kept=kept
        )
    assert isinstance(event, MappingStartEvent | SequenceStartEvent)
    flow = bool(event.flow_style)
    if isinstance(event, MappingStartEvent):
        entries: list[Entry] = []
        tree = Tree("mapping", start, end, flow, marked=marked, entries=entries)
        for below in events:
            if isinstance(below, CollectionEndEvent):
                break
            key = _tree(below, events, text, anchors)
            entries.append(Entry(key, _tree(next(events), events, text, anchors)))
        last = tree.entries[-1].value.end if tree.entries else end
    else:
        items: list[Tree] = []
        tree = Tree("list", start, end, flow, marked=marked, items=items)
        for below in events:
            if isinstance(below, CollectionEndEvent):
                break
            items.append(_tree(below, events, text, anchors))
        last = tree.items[-1].end if tree.items else end
    tree.end = below.end_mark.index if flow else last
    return tree


def _length(written: str, kept: bool) -> int:
    """How long a text in lines is, without its last break: with blank lines behind it only where it keeps them, or
    where they hold more than its indentation, which is text."""
    head, *lines = written.removesuffix("\n").split("\n")
    room = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    while lines and not kept and not lines[-1].strip() and len(lines[-1].rstrip("\r")) <= room:
        lines.pop()
    return len("\n".join([head, *lines]).removesuffix("\r"))
