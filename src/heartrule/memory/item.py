"""Something that is remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Kind = Literal[
    "answer",
    "explanation",
    "passage",
    "summary",
    "event",
    "profile",
    "pattern",
    "goal",
    "homework",
    "preference",
    "entity",
    "relation",
    "note",
    "score",
]
"""``answer`` and ``explanation`` are what a script's action left. The others are made beside the turns: ``passage``,
words that have left the window; ``summary``, of a topic or a session; ``event``, a turning point word for word;
``profile``, what is known of the person; ``pattern``, how they think and act; ``preference``, what they like, and what
they would rather not speak of; ``entity`` and ``relation``, of the graph; ``note``, what was observed or supposed,
never said; ``score``, what a form came to."""
Layer = Literal["short", "mid", "long", "structured"]
Taken = Literal["understood", "acknowledged", "asked", "unclear", "refused"]
"""How an explanation was taken. ``asked``: the person asked back."""

ASKED = "asked"
"""Under this name a passage's fields hold the question that it answers."""


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
    subject: str = field(default="", repr=False)
    """What it is a value of: a newer one of the same subject says how it is now."""
    old: bool = False
    """A newer one of its subject has taken its place."""
    by: Literal["person", "ai"] = "person"
    """Who said it, or, of a note, supposed it."""

    def data(self) -> dict[str, Any]:
        """As plain data, without what is kept beside it: id, type, quote, time and action."""
        made: dict[str, Any] = {
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
        more = {"subject": self.subject, "old": self.old, "by": "" if self.by == "person" else self.by}
        return made | {name: value for name, value in more.items() if value}
