"""One session as a conversation needs it: called from a thread that waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Protocol

from heartrule.cli.door import Door
from heartrule.sessions import Outcome, View, Watch, Why
from heartrule.sessions.service import START
from heartrule.sessions.subscribers import News
from heartrule.store.records import Entry


class TurnListener(Protocol):
    """What reaches whoever waits for a turn, before it stands."""

    def more(self, number: int, offset: int, text: str) -> None:
        """More of the AI's message ``number`` may be read, after its first ``offset`` characters."""

    def stopping(self) -> None:
        """Ctrl-C has been pressed, and the reply asked to end where it is."""


class TerminalSession(Protocol):
    @property
    def id(self) -> str: ...

    def start(self, hearing: TurnListener) -> Outcome:
        """The first turn; asked for again, the same one."""
        ...

    def take(self, entry: Entry, hearing: TurnListener | None = None) -> Outcome:
        """Without ``hearing``, Ctrl-C is not for the reply: it leaves."""
        ...

    def view(self) -> View: ...

    def why(self) -> Sequence[Why]:
        """What was decided lately, newest last."""
        ...

    def due(self) -> tuple[datetime, float] | None:
        """When the time of the question that waits is up, and in how many seconds that is."""
        ...


class Session:
    """A session behind the door."""

    def __init__(self, door: Door, session: str) -> None:
        self._door = door
        self.id = session
        door.look_after(session)

    def start(self, hearing: TurnListener) -> Outcome:
        return self.take(START, hearing)

    def take(self, entry: Entry, hearing: TurnListener | None = None) -> Outcome:
        """A model's reply is heard while it is written, and can be ended by Ctrl-C; the second one leaves."""
        if hearing is None or not self._door.sessions.model.configured:
            return self._door.call(self._door.sessions.take, self.id, entry)

        def hear(news: News) -> None:
            if news.kind == "released":
                hearing.more(news.number, news.offset, news.text)

        def interrupted() -> None:
            self._door.begin(self._door.sessions.stop, self.id)
            hearing.stopping()

        return self._door.follow(partial(self._aloud, entry), hear, interrupted)

    async def _aloud(self, entry: Entry, tell: Callable[[News], None]) -> Outcome:
        sessions = self._door.sessions
        async with sessions.watch(self.id) as watch:
            listening = asyncio.create_task(_listen(watch, tell))
            try:
                return await sessions.take(self.id, entry)
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)

    def view(self) -> View:
        return self._door.call(self._door.sessions.view, self.id)

    def why(self) -> Sequence[Why]:
        return self._door.call(self._door.sessions.why, self.id)

    def due(self) -> tuple[datetime, float] | None:
        due = self._door.call(self._door.sessions.timeout, self.id)
        return None if due is None else (due, (due - self._door.sessions.clock.now()).total_seconds())


async def _listen(watch: Watch, tell: Callable[[News], None]) -> None:
    async for news in watch:
        tell(news)
