"""What a turn's actions left to be remembered, and what came back to mind before they spoke (seed 002's ``memoryWrite``
and ``memoryRead``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from heartrule.engine.session.variables import Value, Variables
from heartrule.store.records import EventRecord

KINDS: Mapping[str, Literal["read", "write"]] = {"memory_read": "read", "memory_written": "write"}


@dataclass(frozen=True, slots=True)
class Item:
    """``content`` is None for one that has gone since, where the turn could not be worked out again."""

    id: str
    type: str
    importance: float | None
    topic: str
    content: str | None = field(repr=False)
    quote: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class MemoryAccess:
    """``mode`` and ``looked`` (through how many) are of a read; ``again`` (it says anew what the action had left) and
    ``gone`` (what made room) of a write."""

    action: str
    how: Literal["read", "write"]
    items: tuple[Item, ...]
    mode: str = ""
    looked: int = 0
    again: bool = False
    gone: tuple[str, ...] = ()


def rememberings(events: Sequence[EventRecord], held: Sequence[Variables]) -> tuple[MemoryAccess, ...]:
    """Of one turn, in their order. ``held``: where items may be found, the best place last."""
    known = {name: value for each in held for cell in each.cells.values() for name, value in cell.items()}
    return tuple(_of(event, known) for event in events if event.kind in KINDS)


def _of(event: EventRecord, known: Mapping[str, Value]) -> MemoryAccess:
    data, action = event.data, event.action or ""
    if KINDS[event.kind] == "write":
        left = _item(data["item"], data["type"], known)
        return MemoryAccess(action, "write", (left,), again=data["again"], gone=tuple(data["gone"]))
    found = zip(data["items"], data["types"], strict=True)
    items = tuple(_item(name, kind, known) for name, kind in found)
    return MemoryAccess(action, "read", items, mode=data["mode"], looked=data["looked"])


def _item(name: str, kind: str, known: Mapping[str, Value]) -> Item:
    value = known.get(name)
    if value is None:
        return Item(name, kind, None, "", None, None)
    said = value.value
    return Item(name, kind, said["importance"], said["topic"], said["content"], value.evidence)
