"""What keeps and recalls, whoever it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from heartrule.memory.item import Item

Mode = Literal["recent", "related", "important", "mixed", "opening"]


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to come back to mind. ``about``: what the action is about, and what was said last. ``type``: only items
    of it (empty: any); ``importance``: none below it; ``most``: how many at most."""

    about: str = field(repr=False)
    mode: Mode = "mixed"
    type: str = ""
    importance: float = 0.0
    most: int = 5


@dataclass(frozen=True, slots=True)
class KeptItem:
    """``item`` as it is to be written; ``gone``: the ids of those that make room for it."""

    item: Item
    gone: tuple[str, ...] = ()


class Memory(Protocol):
    """Holds nothing itself: what is held is handed to it. The same gives the same."""

    def keep(
        self, held: Sequence[Item], item: Item, *, mode: Literal["recent", "important"], most: int | None
    ) -> KeptItem:
        """Put ``item`` among those that are ``held``. Of its place in its session ``most`` stay, by ``mode``."""
        ...

    def recall(self, held: Sequence[Item], wish: Wish) -> tuple[Item, ...]:
        """What comes back, oldest first. Nothing twice."""
        ...
