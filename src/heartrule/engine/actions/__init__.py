"""Action types, one file each. Built-in and third-party types register through the entry point ``heartrule.actions``.

Deleting a file (and its line in ``pyproject.toml``) removes the type and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points

from heartrule.engine.actions.base import ActionType
from heartrule.language.nodes import Action

GROUP = "heartrule.actions"


@cache
def registry() -> Mapping[str, ActionType]:
    """All action types by name. A type that two packages claim is an error that names both."""
    found: dict[str, ActionType] = {}
    origins: dict[str, str] = {}
    for entry in entry_points(group=GROUP):
        kind = entry.load()
        if not isinstance(kind, ActionType):
            raise TypeError(f"entry point {entry.value} is no action type")
        if kind.name in found and type(found[kind.name]) is not type(kind):
            raise ValueError(f"two packages offer the action type {kind.name}: {origins[kind.name]} and {entry.value}")
        found[kind.name], origins[kind.name] = kind, entry.value
    return found


@cache
def field_models() -> Mapping[str, type[Action]]:
    """What the loader needs: the fields of each type that scripts may write."""
    return {name: kind.fields for name, kind in registry().items() if kind.written}
