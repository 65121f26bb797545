"""Live events of a session: what has happened since, from what stands in the store, and what happens from now on."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, contextmanager

from heartrule.server import events
from heartrule.server.events import KEEP_ALIVE, Event
from heartrule.server.problems import Problem
from heartrule.server.settings import ServerSettings
from heartrule.sessions import NoSuchSession, Sessions
from heartrule.sessions.subscribers import Watch

QUIET = 15.0
"""Seconds without an event after which a comment goes out, so that both ends know that the other is there."""
AT_ONCE = 20
"""Turns read at once when they are told again."""


class Live:
    def __init__(self, sessions: Sessions, settings: ServerSettings) -> None:
        self.sessions = sessions
        self._settings = settings
        self._open: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    @property
    def open(self) -> int:
        return self._open.total()

    def room(self, session: str, address: str) -> None:
        """Refuses one stream more than may be open at once."""
        crowded = self._open[session] >= self._settings.streams_a_session
        crowded = crowded or self._addresses[address] >= self._settings.streams_an_address
        if crowded or self.open >= self._settings.streams:
            raise Problem("too-many-requests", seconds=10, headers={"Retry-After": "10"})

    @contextmanager
    def counted(self, session: str, address: str) -> Iterator[None]:
        counts = ((self._open, session), (self._addresses, address))
        for counter, one in counts:
            counter[one] += 1
        try:
            yield
        finally:
            for counter, one in counts:
                counter[one] -= 1
                if not counter[one]:
                    del counter[one]

    async def follow(self, watch: Watch, last: int, language: str) -> AsyncIterator[bytes]:
        """Everything after event ``last``, then whatever comes; ends when the server stops or the session is erased.

        A number from the future (another server's, or a lie) counts as the last that there is; that of a turn which
        was begun and does not stand yet is none from the future."""
        session = watch.session
        if last != events.first_of(watch.seq + 1):
            last = min(last, events.last_of(watch.seq))
        yield b"retry: 1000\n\n"
        async with aclosing(self.stored_events(session, last)) as told:
            async for event in told:
                last = event.id or last
                yield event.encoded()
        while True:
            try:
                news = await asyncio.wait_for(anext(watch), QUIET)
            except TimeoutError:
                yield KEEP_ALIVE
                continue
            except (StopAsyncIteration, NoSuchSession):
                return
            if news.kind == "begun" and events.first_of(news.turn) > last:
                event = events.started(session, news.turn)
                last = event.id or last
                yield event.encoded()
            elif news.kind == "released" and news.turn > events.before(last):
                yield events.delta(news).encoded()
            elif news.kind == "typing":
                yield events.typing(news.text).encoded()
            elif news.kind == "stopped":
                yield events.failed(Problem("put-down"), language).encoded()
            elif news.kind == "committed" and news.outcome is not None and events.before(last) == news.turn - 1:
                for event in events.turn_events(session, news.outcome, last):
                    last = event.id or last
                    yield event.encoded()
            elif news.kind in ("committed", "missed"):
                async with aclosing(self.stored_events(session, last)) as told:
                    async for event in told:
                        last = event.id or last
                        yield event.encoded()

    async def stored_events(self, session: str, last: int) -> AsyncGenerator[Event]:
        """The events of the turns that stand, after ``last``."""
        while True:
            outcomes = await self.sessions.turns(session, events.before(last), AT_ONCE)
            for outcome in outcomes:
                for event in events.turn_events(session, outcome, last):
                    last = event.id or last
                    yield event
            if len(outcomes) < AT_ONCE:
                return
