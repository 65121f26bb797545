"""Finds what is due in the outbox, takes it in hand and has it done, for as long as the process lives; takes over what
other processes had in hand when they died."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from heartrule.faults import recorded
from heartrule.jobs.work import Attempt, Jobs, Work
from heartrule.sessions.clock import Clock
from heartrule.sessions.owners import Owner
from heartrule.store.escalations import Tally
from heartrule.store.outbox import OutboxRecord
from heartrule.store.records import Commit
from heartrule.store.store import Store

LOOK_SECONDS = 5.0
"""Between looks at the outbox, when nothing said that there is something new."""
LEASE = timedelta(seconds=120)
"""How long a process has an attempt in hand, more than any attempt takes: after that it is taken for dead. One of the
same machine is known to be dead at once."""
TOGETHER = 16
"""At most so many attempts are in hand at once."""

Opening = Callable[[], Awaitable[Jobs]]


class Dispatcher:
    """``open_jobs`` is called when there is first something to be done: a process that never has anything to do pays
    for nothing but the looks."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        owner: Owner,
        works: Mapping[str, Work],
        open_jobs: Opening,
        folder: Path,
        look_seconds: float = LOOK_SECONDS,
    ) -> None:
        self._store, self._clock, self._owner, self._works = store, clock, owner, works
        self._open, self._folder, self._look_seconds = open_jobs, folder, look_seconds
        self._jobs: Jobs | None = None
        self._new = asyncio.Event()
        self.tally = Tally({}, None)
        """As it stood at the last look."""

    def hear(self, commit: Commit) -> None:
        """For ``Sessions.turn_listeners``: a turn has put something into the outbox."""
        if commit.escalations:
            self._new.set()

    async def run(self) -> None:
        """Until it is cancelled. A look that fails is written down, and the next one comes."""
        while True:
            self._new.clear()
            try:
                begun = await self.look()
                wait = 0.0 if begun == TOGETHER else await self._until_next()
            except Exception as error:
                self.failed(error)
                wait = self._look_seconds
            try:
                async with asyncio.timeout(wait):
                    await self._new.wait()
            except TimeoutError:
                pass

    async def look(self) -> int:
        """Begin what is due; how much that was."""
        now = self._clock.now()
        self.tally = await self._store.escalations.tally()
        free = TOGETHER - (self._jobs.at_work if self._jobs else 0)
        begun = 0
        for row in await self._store.outbox.due(now, free, await self._dead(self._store)) if free > 0 else ():
            begun += await self._begin(row)
        return begun

    async def _begin(self, row: OutboxRecord) -> bool:
        now = self._clock.now()
        if row.kind not in self._works or not await self._store.outbox.claim(row, self._owner.id, now + LEASE):
            return False
        if self._jobs is None:
            self._jobs = await self._open()
        if not await self._jobs.start(Attempt(row.kind, row.id, row.attempt)):
            await self._store.outbox.skip(row.id, row.attempt, now)
        return True

    async def _dead(self, store: Store) -> Sequence[str]:
        found = await store.outbox.owners(self._clock.now())
        return [owner for owner in found if await asyncio.to_thread(self._owner.is_dead, owner)]

    async def _until_next(self) -> float:
        due = await self._store.outbox.next_due()
        if due is None:
            return self._look_seconds
        return min(self._look_seconds, max(0.05, (due - self._clock.now()).total_seconds()))

    async def hold(self, attempt: Attempt) -> bool:
        """For ``Jobs``: this process works at it."""
        return await self._store.outbox.hold(attempt.row, attempt.number, self._owner.id, self._clock.now() + LEASE)

    def failed(self, error: BaseException) -> None:
        recorded(error, self._folder)

    async def stop(self, patience: float) -> None:
        """What is not done within ``patience`` seconds is left to the next process."""
        if self._jobs is not None:
            await self._jobs.stop(patience)
            self._jobs = None
