"""Who is on duty: counsellors who are signed in at the desk and have said that they are there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from heartrule.sessions.clock import Clock
from heartrule.store.presences import Present
from heartrule.store.store import Store

STAYS = timedelta(seconds=90)
"""So long somebody is there after their page has last said so: one that was closed says nothing any more."""
SIGNS = timedelta(seconds=15)
"""How exactly it is known when somebody gave their last sign of life."""


class Duty:
    """What the store says of it, as this process last looked. A turn asks it without waiting."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._there: tuple[Present, ...] = ()
        self._signs: dict[str, datetime] = {}

    async def come(self, who: str, projects: Sequence[str], name: str = "") -> None:
        """Say that somebody is there, or still is."""
        now = self._clock.now()
        await self._store.presences.come(who, name, projects, now, now + STAYS)
        await self.look()

    async def go(self, who: str) -> None:
        await self._store.presences.go(who, self._clock.now())
        await self.look()

    async def alive(self, who: str, projects: Sequence[str], name: str) -> None:
        """A sign of life of somebody, there for persons or not; written down now and then."""
        now = self._clock.now()
        before = self._signs.get(who)
        if before is None or now - before >= SIGNS:
            self._signs[who] = now
            await self._store.presences.alive(who, name, projects, now)

    async def seen_since(self, since: datetime) -> tuple[Present, ...]:
        """Who has given a sign of life, in whatever process."""
        return await self._store.presences.seen_since(since)

    async def look(self) -> None:
        """What other processes were told counts too."""
        self._there = await self._store.presences.now(self._clock.now())

    def is_for(self, project: str) -> bool:
        """Whether somebody is there who may see the sessions of ``project``."""
        now = self._clock.now()
        return any(each.is_for(project, now) for each in self._there)

    def is_there(self, who: str) -> bool:
        now = self._clock.now()
        return any(each.who == who and each.until > now for each in self._there)
