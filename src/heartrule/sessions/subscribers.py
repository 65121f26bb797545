"""Who looks on while a session goes on: told of its turns, in order, without ever being waited for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal, Self

from heartrule.sessions.shown_messages import ShownMessages
from heartrule.sessions.views import NoSuchSession, Outcome

KEPT = 16
"""News kept for a listener that has not come for them; with more it is told to read again."""
LOOK = 1.0
"""Seconds between looks at the database, for turns that other processes commit."""
AT_ONCE = 500
"""Sessions that one such look asks about."""
LEFT = 1_000
"""Turns that nobody works out any more, and whose released words are kept for who comes to look on."""

Seqs = Callable[[Sequence[str]], Awaitable[Mapping[str, int]]]
"""The numbers of the last turns of these sessions; sessions that are no more are left out."""


@dataclass(frozen=True, slots=True)
class News:
    """``begun``: this process works ``turn`` out. ``released``: more of its message ``number`` may be read, ``text``,
    of which the ``offset`` characters (code points) before were told already. ``stopped``: it is not worked out any
    more, and ``turn`` does not stand; what was released stays so. ``committed``: ``turn`` stands, and ``outcome`` is
    it. ``missed``: all turns up to ``turn`` stand, and some were not told one by one: ``Sessions.turns`` has them.
    ``typing``: the human who holds the session, ``text`` being their name, writes something."""

    kind: Literal["begun", "released", "stopped", "committed", "missed", "typing"]
    turn: int
    outcome: Outcome | None = field(default=None, repr=False)
    number: int = 0
    offset: int = 0
    text: str = field(default="", repr=False)


class Watch:
    """One listener's news of one session. ``seq`` is the last turn that stood when the watch began; later ones are
    told, each once. What was released of a running turn is not queued: a listener that comes late gets it in one, and
    not at all once the turn stands. Iterating ends when the sessions are closed, and raises ``NoSuchSession`` when the
    session is erased."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.seq = 0
        self._told = 0
        self._news: deque[News] = deque()
        self._released: ShownMessages | None = None
        self._shown: dict[int, int] = {}
        self._ready = asyncio.Event()
        self._over: Exception | None = None

    def begin(self, seq: int, running: int | None) -> None:
        self.seq = self._told = max(seq, self._told)
        self._news.clear()
        if running is not None:
            self.tell(News("begun", running))

    def tell(self, news: News) -> None:
        if news.turn <= self._told:
            return
        if news.kind in ("committed", "missed"):
            if news.turn > self._told + 1 or news.outcome is None:
                news = News("missed", news.turn)
            self._told = news.turn
        if len(self._news) >= KEPT:
            self._news.clear()
            if news.turn <= self._told:
                news = News("missed", self._told)
            else:
                self._news.append(News("missed", self._told))
        self._news.append(news)
        self._ready.set()

    def hint(self, news: News) -> None:
        """Worth telling only to a listener that is not behind."""
        if not self._news:
            self._news.append(news)
            self._ready.set()

    def show(self, released: ShownMessages) -> None:
        """There is something to be read of a turn that does not stand yet."""
        if released is not self._released:
            self._released, self._shown = released, {}
        self._ready.set()

    def _more(self) -> News | None:
        """What has been released since this listener was told last."""
        released = self._released
        if released is None or released.turn <= self._told:
            return None
        for number, text in released:
            offset = self._shown.get(number, 0)
            if len(text) > offset:
                self._shown[number] = len(text)
                return News("released", released.turn, number=number, offset=offset, text=text[offset:])
        return None

    def end(self, why: Exception) -> None:
        self._over = why
        self._ready.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> News:
        while True:
            if self._news:
                return self._news.popleft()
            if (more := self._more()) is not None:
                return more
            if self._over is not None:
                raise self._over
            self._ready.clear()
            await self._ready.wait()


class Watchers:
    """All listeners of one process. Turns of this process are told as they happen; those of others are found by
    looking at the sessions that somebody watches, all of them together."""

    def __init__(self, seqs: Seqs, every: float = LOOK) -> None:
        self._seqs, self._every = seqs, every
        self._watches: dict[str, set[Watch]] = {}
        self._running: dict[str, int] = {}
        self._released: dict[str, ShownMessages] = {}
        self._looking: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def of(self, session: str) -> AsyncIterator[Watch]:
        watch = Watch(session)
        self._watches.setdefault(session, set()).add(watch)
        try:
            found = await self._seqs([session])
            if session not in found:
                raise NoSuchSession(session)
            watch.begin(found[session], self._running.get(session))
            if (released := self._released.get(session)) is not None:
                watch.show(released)
            if self._looking is None:
                self._looking = asyncio.create_task(self._look())
            yield watch
        finally:
            await self._leave(watch)

    async def _leave(self, watch: Watch) -> None:
        others = self._watches.get(watch.session, set())
        others.discard(watch)
        if not others:
            self._watches.pop(watch.session, None)
        if not self._watches and self._looking is not None:
            looking, self._looking = self._looking, None
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)

    def looked_at(self, session: str) -> bool:
        """Whether somebody watches the session here."""
        return session in self._watches

    def close(self) -> None:
        """Nothing more will happen."""
        for watches in self._watches.values():
            for watch in watches:
                watch.end(StopAsyncIteration())

    # what this process does

    def begun(self, session: str, turn: int) -> None:
        if self._running.get(session) != turn:
            self._running[session] = turn
            self._tell(session, News("begun", turn))

    def released(self, session: str, turn: int, number: int, offset: int, text: str) -> None:
        """``text`` of message ``number`` of the running ``turn`` may be read, after the ``offset`` characters (code
        points) of it that could be before."""
        found = self._released.get(session)
        if found is None or found.turn < turn:
            found = self._released[session] = ShownMessages(turn)
        if found.turn == turn and found.add(number, offset, text):
            for watch in self._watches.get(session, ()):
                watch.show(found)

    def committed(self, session: str, turn: int, outcome: Outcome) -> None:
        self._running.pop(session, None)
        self._released.pop(session, None)
        self._tell(session, News("committed", turn, outcome))

    def rested(self, session: str) -> None:
        """Nobody in this process is at work on the session any more; a turn that was begun and not committed will not
        be, or not from here."""
        turn = self._running.pop(session, None)
        if turn is not None:
            self._tell(session, News("stopped", turn))
        if len(self._released) > len(self._running) + LEFT:
            del self._released[next(each for each in self._released if each not in self._running)]

    def typing(self, session: str, name: str) -> None:
        """A human who holds the session is writing; whoever looks on elsewhere is not told."""
        for watch in self._watches.get(session, ()):
            watch.hint(News("typing", 0, text=name))

    def _tell(self, session: str, news: News) -> None:
        for watch in self._watches.get(session, ()):
            watch.tell(news)

    # what others do

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            watched = list(self._watches)
            for start in range(0, len(watched), AT_ONCE):
                with suppress(Exception):  # the database is away: it is looked at again
                    await self._look_at(watched[start : start + AT_ONCE])

    async def _look_at(self, sessions: Sequence[str]) -> None:
        found = await self._seqs(sessions)
        for session in sessions:
            released = self._released.get(session)
            if released is not None and released.turn <= found.get(session, released.turn):
                del self._released[session]
            if session not in found:
                for watch in self._watches.get(session, ()):
                    watch.end(NoSuchSession(session))
            elif session not in self._running:  # else it is about to be told by whoever is at work
                self._tell(session, News("missed", found[session]))
