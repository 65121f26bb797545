"""Something that is remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Kind = Literal["answer", "explanation"]
Taken = Literal["understood", "acknowledged", "asked", "unclear", "refused"]
"""How an explanation was taken. ``asked``: the person asked back."""


@dataclass(frozen=True, slots=True)
class Item:
    """``content`` says it in one line; ``quote`` is the person's own sentence that proves it. ``importance`` is from 0
    to 1. ``place``: the action in its topic that it came from, ``topic`` the topic's name; ``message``: the number of
    the last message of ``session`` by then. ``names``: the variables that it came from. ``entity`` and ``fields``: of
    the type ``structured``, who or what it is about, and what is known of them."""

    id: str
    kind: Kind
    type: str
    content: str = field(repr=False)
    importance: float
    session: str
    place: str
    topic: str
    message: int
    at: datetime
    action: str = ""
    quote: str = field(default="", repr=False)
    names: tuple[str, ...] = ()
    taken: tuple[Taken, ...] = ()
    entity: str = field(default="", repr=False)
    fields: Mapping[str, Any] = field(default_factory=dict, repr=False)
    passes: int = 1
    """Which pass of its topic it came from."""
    older: tuple[str, ...] = ()
    """The ids of other items that are told as one with it; not kept."""

    def data(self) -> dict[str, Any]:
        """As plain data, without what is kept beside it: id, type, quote, time and action."""
        return {
            "kind": self.kind,
            "content": self.content,
            "importance": self.importance,
            "session": self.session,
            "place": self.place,
            "topic": self.topic,
            "message": self.message,
            "names": list(self.names),
            "taken": list(self.taken),
            "entity": self.entity,
            "fields": dict(self.fields),
            "passes": self.passes,
        }
