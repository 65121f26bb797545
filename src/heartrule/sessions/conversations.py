"""One writer a session: who is at work on it in this process, and words that arrive meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from heartrule.sessions.state_cache import TurnStart
from heartrule.store.records import AttemptRecord


@dataclass(frozen=True, slots=True)
class AcceptedInput:
    """What was accepted while somebody was at work: its number in the inbox, and of a message what its sender had seen
    and the words. ``first``: a counsellor takes over, which comes before what the turn was to answer."""

    number: int
    after: int | None = None
    text: str = field(default="", repr=False)
    first: bool = False


@dataclass(slots=True)
class Conversation:
    """``told`` is what was accepted while somebody was at work; ``arrived`` says that nobody has looked at it.
    ``session_state``: where the session stands, if whoever is at work remembers it. ``unsaved``: what was asked of
    models and is not yet written down. ``stopping``: the person has heard enough of the reply that is being written.
    ``urgent``: all words that have come are answered in the next turn, whatever their senders had seen. ``spent``: of
    which turn how much has been spent, in billionths, however often it was begun."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    told: list[AcceptedInput] = field(default_factory=list)
    session_state: TurnStart | None = None
    unsaved: list[AttemptRecord] = field(default_factory=list)
    users: int = 0
    stopping: bool = False
    urgent: bool = False
    spent: tuple[int, int] = (0, 0)
    _stop: Callable[[bool], None] | None = None

    @contextmanager
    def stoppable(self, stop: Callable[[bool], None]) -> Iterator[None]:
        """While this lasts a reply can be stopped, by calling ``stop``; with true, whatever else is asked too."""
        self.stopping, self._stop = False, stop
        try:
            yield
        finally:
            self._stop = None

    def stop(self, *, everything: bool = False) -> bool:
        """Whether a turn is under way, whose reply ends here. ``everything``: it asks no model anything more."""
        if self._stop is None:
            return False
        self.stopping = True
        self._stop(everything)
        return True

    def tell(self, number: int, after: int | None = None, text: str = "", *, first: bool = False) -> None:
        self.told.append(AcceptedInput(number, after, text, first))
        self.arrived.set()

    def news(self, seen: int) -> Sequence[AcceptedInput]:
        """What has arrived since this was last asked and is newer than inbox number ``seen``."""
        news = [told for told in self.told if told.number > seen]
        self.told.clear()
        self.arrived.clear()
        return news


class Conversations:
    """The conversations that somebody is using now; the rest take no memory."""

    def __init__(self) -> None:
        self._open: dict[str, Conversation] = {}

    def stop(self, session: str, *, everything: bool = False) -> bool:
        """Whether a turn of the session is under way here, whose reply ends now."""
        conversation = self._open.get(session)
        return conversation is not None and conversation.stop(everything=everything)

    @asynccontextmanager
    async def of(self, session: str) -> AsyncIterator[Conversation]:
        conversation = self._open.setdefault(session, Conversation())
        conversation.users += 1
        try:
            yield conversation
        finally:
            conversation.users -= 1
            if not conversation.users:
                self._open.pop(session, None)
