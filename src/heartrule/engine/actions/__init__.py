"""Action types, one file each. Built-in and third-party types register through the entry point ``heartrule.actions``.

Deleting a file (and its line in ``pyproject.toml``) removes the type and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from heartrule.engine.actions.base import ActionType
from heartrule.language.nodes import Action
from heartrule.language.said import Said

GROUP = "heartrule.actions"


class Unloadable(Exception):
    """An entry point that gives no action type: nothing can be done until its package is mended or taken away. ``told``
    names both, in words of ours and of the package's author."""

    def __init__(self, entry: EntryPoint, why: Said) -> None:
        package = entry.dist.name if entry.dist is not None else "?"
        self.told = Said(
            f"包 {package} 的动作类型 {entry.name}（{entry.value}）用不了：{why.zh}。更新或卸载这个包再试。",
            f"the action type {entry.name} ({entry.value}) of the package {package} cannot be used: {why.en}. "
            "Update or uninstall the package and try again.",
        )
        super().__init__(self.told.en)


@cache
def registry() -> Mapping[str, ActionType]:
    """All action types by name. Raises ``Unloadable``, also for a type that two packages claim."""
    found: dict[str, ActionType] = {}
    origins: dict[str, str] = {}
    for entry in entry_points(group=GROUP):
        kind = _loaded(entry)
        if kind.name in found and type(found[kind.name]) is not type(kind):
            other = origins[kind.name]
            raise Unloadable(entry, Said(f"{other} 也叫 {kind.name}", f"{other} is called {kind.name} as well"))
        found[kind.name], origins[kind.name] = kind, entry.value
    return found


def _loaded(entry: EntryPoint) -> ActionType:
    try:
        kind = entry.load()
    except Exception as error:  # whatever another package may raise while it is imported
        why = f"{type(error).__name__}: {error}"
        raise Unloadable(entry, Said(f"导入时出错（{why}）", f"it cannot be imported ({why})")) from error
    if not isinstance(kind, ActionType):
        raise Unloadable(entry, Said("它不是动作类型", "it is no action type"))
    return kind


@cache
def field_models() -> Mapping[str, type[Action]]:
    """What the loader needs: the fields of each type that scripts may write."""
    return {name: kind.fields for name, kind in registry().items() if kind.written}
