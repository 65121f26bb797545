"""Values of variables, by scope.

A scope is known by (scope, key): ``("topic", "t7")``, ``("phase", "p2")``, ``("session", "")``, ``("global", "")``. An
inner name shadows an outer one; a write goes to the scope of the definition and to no other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

ScopeKey = tuple[str, str]
SESSION: ScopeKey = ("session", "")
GLOBAL: ScopeKey = ("global", "")


@dataclass(frozen=True, slots=True)
class Value:
    """One variable's present value, with the metadata of seed 001 §2.2.1."""

    value: Any = field(repr=False)
    type: str
    updated_at: datetime
    source: str
    scope: str
    strategy: str
    evidence: str | None = field(default=None, repr=False)


@dataclass(slots=True)
class Variables:
    """``cells[scope key][name]`` is the value. ``changed``, ``removed`` and ``dropped`` (single ones) say what a turn
    did to them."""

    cells: dict[ScopeKey, dict[str, Value]] = field(default_factory=dict)
    changed: set[tuple[ScopeKey, str]] = field(default_factory=set)
    removed: set[ScopeKey] = field(default_factory=set)
    dropped: set[tuple[ScopeKey, str]] = field(default_factory=set)

    def copy(self) -> Variables:
        """A working copy; values themselves are immutable and shared."""
        return Variables({key: dict(cell) for key, cell in self.cells.items()})

    def open(self, where: ScopeKey) -> None:
        self.cells.setdefault(where, {})

    def find(self, name: str, chain: Iterable[ScopeKey]) -> tuple[ScopeKey, Value] | None:
        """The innermost value of ``name`` along ``chain`` (inner first)."""
        for where in chain:
            value = self.cells.get(where, {}).get(name)
            if value is not None:
                return where, value
        return None

    def put(self, where: ScopeKey, name: str, value: Value) -> Any:
        """Write, and return the old bare value (None when there was none)."""
        cell = self.cells.setdefault(where, {})
        old = cell.get(name)
        cell[name] = value
        self.changed.add((where, name))
        return old.value if old else None

    def snapshot(self, where: ScopeKey) -> dict[str, Any]:
        return {name: value.value for name, value in self.cells.get(where, {}).items()}

    def clean(self, where: ScopeKey) -> dict[str, Any]:
        """Remove a scope and return what was in it."""
        gone = self.snapshot(where)
        self.cells.pop(where, None)
        self.removed.add(where)
        self.changed = {(place, name) for place, name in self.changed if place != where}
        return gone

    def drop(self, where: ScopeKey, name: str) -> None:
        """Remove one value; nothing where there is none."""
        if self.cells.get(where, {}).pop(name, None) is not None:
            self.changed.discard((where, name))
            self.dropped.add((where, name))

    def visible(self, chain: Iterable[ScopeKey]) -> dict[str, Any]:
        """All values that can be seen along ``chain`` (inner first)."""
        seen: dict[str, Any] = {}
        for where in chain:
            for name, value in self.cells.get(where, {}).items():
                seen.setdefault(name, value.value)
        return seen
