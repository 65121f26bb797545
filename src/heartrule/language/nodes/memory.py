"""``memory`` in a script: what an action leaves to be remembered, and what it is reminded of before its first words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from heartrule.language.nodes.node import Node

MemoryType = Literal["short", "mid", "long", "structured"]
"""How long and how something is remembered: ``short``, as long as its topic is under way; ``mid``, for the session;
``long``, in all sessions of the person in the project; ``structured``, as ``long``, one item for each thing that is
told of, field by field."""
Importance = Literal["low", "medium", "high"] | Annotated[float, Field(ge=0, le=1)]
WEIGHTS = {"low": 0.2, "medium": 0.5, "high": 0.8}
LASTING = ("long", "structured")
"""Types that outlast their session."""


class MemoryWrite(Node):
    """``write``. Of what one action leaves in a session, ``top_k`` items stay (all, where it is not written), ``mode``
    says which: the newest, or the most important."""

    enabled: bool | None = None
    type: MemoryType | None = None
    importance: Importance | None = None
    mode: Literal["recent", "important"] | None = None
    top_k: int | None = Field(default=None, ge=1, le=20)


class MemoryRead(Node):
    """``read``. ``type``: only items of it; ``importance``: none below it; ``mode``: which come first
    (``opening``: what a session begins with: who the person is, what came of the last one, what was to be done);
    ``top_k``: how many at most."""

    enabled: bool | None = None
    type: MemoryType | None = None
    importance: Importance | None = None
    mode: Literal["recent", "related", "important", "mixed", "opening"] | None = None
    top_k: int | None = Field(default=None, ge=1, le=20)


class MemoryRules(Node):
    """``memory`` of an action, or of what it stands in."""

    read: MemoryRead | None = None
    write: MemoryWrite | None = None


class MemoryPolicy(MemoryRules):
    """What somebody who begins a session wants of its memory, over all that its script says; ``actions``: of one type
    of action alone."""

    actions: Annotated[dict[str, MemoryRules], Field(max_length=10)] = {}

    def of(self, kind: str) -> list[MemoryRules | None]:
        """What holds for an action of this type, the innermost first."""
        return [self.actions.get(kind), self]


def weight(importance: Importance | None, default: float) -> float:
    """From 0 to 1."""
    if importance is None:
        return default
    return WEIGHTS[importance] if isinstance(importance, str) else importance


def merged(layers: Iterable[MemoryRules | None]) -> MemoryRules:
    """What holds where several say something, the innermost first: key by key, the first that is written."""
    found = [layer for layer in layers if layer is not None]
    return MemoryRules(
        read=MemoryRead(**_first([layer.read for layer in found])),
        write=MemoryWrite(**_first([layer.write for layer in found])),
    )


def _first(parts: Iterable[Node | None]) -> dict[str, object]:
    held: dict[str, object] = {}
    for part in parts:
        for name, value in part.__dict__.items() if part is not None else ():
            if value is not None:
                held.setdefault(name, value)
    return held


def is_used(layers: Iterable[MemoryRules | None]) -> bool:
    """Whether any of them enables anything."""
    parts = [part for layer in layers if layer is not None for part in (layer.read, layer.write)]
    return any(part is not None and part.enabled for part in parts)
