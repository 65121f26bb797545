"""Which action types are installed, and what each declares. Built-in and third-party types register through the entry
point ``heartrule.actions``; the built-in ones are in ``actions/``, one file each.

Deleting a file (and its line in ``pyproject.toml``) removes the type and nothing else. What a type does stands above
(``action_types.py``): here nobody knows of a turn.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import ClassVar

from heartrule.language.bilingual import Bilingual, SaidError
from heartrule.language.gc_pause import uncollected
from heartrule.language.nodes import Action
from heartrule.language.nodes.traits import Traits

GROUP = "heartrule.actions"


class DeclaredType(ABC):
    """What a type says of itself."""

    name: ClassVar[str]
    fields: ClassVar[type[Action]]
    written: ClassVar[bool] = True
    """Whether scripts may write it. What may not is put in by the engine itself."""

    @property
    def traits(self) -> Traits:
        """What it is, for everybody who treats actions alike. They stand with its fields, so that the language and its
        linter can ask them too."""
        return self.fields.traits


class Unloadable(SaidError):
    """An entry point that gives no action type: nothing can be done until its package is mended or taken away. ``told``
    names both, in words of ours and of the package's author."""

    def __init__(self, entry: EntryPoint, why: Bilingual) -> None:
        package = entry.dist.name if entry.dist is not None else "?"
        told = Bilingual(
            f"包 {package} 的动作类型 {entry.name}（{entry.value}）用不了：{why.zh}。更新或卸载这个包再试。",
            f"the action type {entry.name} ({entry.value}) of the package {package} cannot be used: {why.en}. "
            "Update or uninstall the package and try again.",
        )
        super().__init__(told)


class NotInstalled(SaidError):
    """The package itself is not installed, so that nothing says which action types there are."""

    def __init__(self) -> None:
        told = Bilingual(
            "heartrule 这个包没有安装在这个 Python 里，找不到任何动作类型。在它的文件夹里运行 pip install -e . 再试。",
            "the package heartrule is not installed in this Python, so there are no action types. "
            "Run pip install -e . in its folder and try again.",
        )
        super().__init__(told)


@cache
def installed() -> Mapping[str, DeclaredType]:
    """All action types by name. Raises ``Unloadable``, also for a type that two packages claim, and
    ``NotInstalled``."""
    found: dict[str, DeclaredType] = {}
    origins: dict[str, str] = {}
    with uncollected():
        kinds = [(entry, _loaded(entry)) for entry in entry_points(group=GROUP)]
    for entry, kind in kinds:
        if kind.name in found and type(found[kind.name]) is not type(kind):
            other = origins[kind.name]
            raise Unloadable(entry, Bilingual(f"{other} 也叫 {kind.name}", f"{other} is called {kind.name} as well"))
        found[kind.name], origins[kind.name] = kind, entry.value
    if not found:
        raise NotInstalled
    return found


def _loaded(entry: EntryPoint) -> DeclaredType:
    try:
        kind = entry.load()
    except Exception as error:  # whatever another package may raise while it is imported
        why = f"{type(error).__name__}: {error}"
        raise Unloadable(entry, Bilingual(f"导入时出错（{why}）", f"it cannot be imported ({why})")) from error
    if not isinstance(kind, DeclaredType):
        raise Unloadable(entry, Bilingual("它不是动作类型", "it is no action type"))
    return kind


def traits_of(name: str) -> Traits:
    """The traits of a type by its name; those of none where it is not installed any more."""
    kind = installed().get(name)
    return kind.traits if kind is not None else Traits()


@cache
def field_models() -> Mapping[str, type[Action]]:
    """What the loader needs: the fields of each type that scripts may write."""
    return {name: kind.fields for name, kind in installed().items() if kind.written}
