"""The four layers of memory, behind one Protocol: the nine calls of the design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from heartrule.memory.item import Item

Role = Literal["person", "ai"]
Ways = Literal["hybrid", "keyword", "lexical", "semantic", "graph", "time"]


class NotHere(Exception):
    """The session's own turns say what is said in it: nothing is put in from outside."""


@dataclass(frozen=True, slots=True)
class Recent:
    """A message of the window, with the topic that ran when it was said."""

    number: int
    role: str
    text: str = field(repr=False)
    at: datetime
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that was found, and how: ``ways`` of words, lexical, semantic, time, graph, standing."""

    item: Item
    score: float
    ways: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """Whom or what a question is about, and how they stand to one another. ``meant``: whom a pronoun in it means;
    more than one, or none, and it must be asked."""

    entities: tuple[Item, ...]
    relations: tuple[Item, ...]
    meant: tuple[str, ...] | None = None

    @property
    def must_ask(self) -> bool:
        return self.meant is not None and len(self.meant) != 1


@dataclass(frozen=True, slots=True)
class Timeline:
    """What happened between two moments, oldest first; how symptoms went, by form; what was reached."""

    events: tuple[Item, ...]
    curves: Mapping[str, tuple[tuple[datetime, float, str], ...]] = field(repr=False)
    milestones: tuple[Item, ...] = ()


class Layers(Protocol):
    """What is remembered of one person in one project, seen from one session of theirs."""

    async def add_message(self, role: Role, content: str, *, at: datetime | None = None) -> int:
        """Put a message into the short layer; its number. A session that has turns adds its messages with them:
        ``NotHere``."""

    async def get_recent_context(self, n: int) -> tuple[Recent, ...]:
        """The last ``n`` rounds, with their topics: what the person said last, and what was said to it."""

    async def summarize_topic(self, topic_id: str) -> Item | None:
        """Move a topic that is over into the mid layer: its summary, with key events word for word beside it. None
        where nothing of it can be told without making it up."""

    async def retrieve_memory(
        self, query: str, top_k: int, *, ways: Ways = "hybrid", tokens: int | None = None
    ) -> tuple[Hit, ...]:
        """What is nearest, each with its source; ``tokens``: what all of it may cost in a prompt."""

    async def update_long_term(self, key: str, value: str, *, quote: str, message: int) -> Item:
        """Put something into the long layer that the person said in ``message``, word for word ``quote``; the newest
        of a key is how it is now. ``ValueError`` where the quote does not stand there."""

    async def add_entity(self, entity: str, attrs: Mapping[str, Any], *, quote: str, message: int) -> Item:
        """Somebody, something or some place into the graph; as ``update_long_term``."""

    async def add_relation(self, entity1: str, relation: str, entity2: str, *, quote: str, message: int) -> Item:
        """As ``add_entity``."""

    async def query_graph(self, query: str, before: Sequence[str] = ()) -> Graph:
        """Who and what is named in ``query``, and those that they stand to in one or two steps; whom a pronoun means,
        by what was said ``before`` and who is known."""

    async def get_timeline(self, start: datetime | None = None, end: datetime | None = None) -> Timeline: ...
