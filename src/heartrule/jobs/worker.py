"""Does what is due, for as long as the process lives: rows of the outbox, taken over from processes that died, and what
is to be done again and again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

from heartrule import logs
from heartrule.jobs.job import DONE, Attempt, Job
from heartrule.jobs.settings import PushSettings
from heartrule.sessions.clock import Clock
from heartrule.sessions.owners import Owner
from heartrule.store.escalations import Tally
from heartrule.store.outbox import OutboxRecord
from heartrule.store.records import Commit
from heartrule.store.store import Store

LOOK_SECONDS = 5.0
"""Between looks at the outbox, when nothing said that there is something new."""
LEASE = timedelta(seconds=120)
"""How long a process has an attempt in hand after its last step, more than any step takes: after that it is taken for
dead. One of the same machine is known to be dead at once."""
AT_ONCE = 16
"""At most so many attempts are in hand at once."""
BROKEN = timedelta(seconds=30)
"""After this an attempt that a fault of ours broke off is followed by another; twice as long after each."""
LONGEST = timedelta(minutes=15)


class Worker:
    def __init__(
        self,
        store: Store,
        clock: Clock,
        owner: Owner,
        jobs: Mapping[str, Job],
        look_seconds: float = LOOK_SECONDS,
    ) -> None:
        self._store, self._clock, self._owner, self._jobs = store, clock, owner, jobs
        self._look_seconds = look_seconds
        self._attempts: dict[str, asyncio.Task[None]] = {}
        self._new = asyncio.Event()
        self.tally = Tally({}, None)
        """As it stood at the last look."""
        self.mails = False
        """Whether there is a mail server."""
        self.push: PushSettings | None = None
        """How browsers of the staff are woken; None: they are not."""

    def hear(self, commit: Commit) -> None:
        """For ``Sessions.turn_listeners``: a turn has put something into the outbox."""
        if commit.escalations or commit.remember or commit.recall is not None:
            self._new.set()

    def wake(self) -> None:
        """Somebody has put something into the outbox beside the turns."""
        self._new.set()

    async def run(self) -> None:
        """Until it is cancelled. A look that fails is written down, and the next one comes."""
        while True:
            self._new.clear()
            try:
                begun = await self.look()
                wait = 0.0 if begun == AT_ONCE else await self._until_next()
            except Exception as error:
                logs.fault(error)
                wait = self._look_seconds
            try:
                async with asyncio.timeout(wait):
                    await self._new.wait()
            except TimeoutError:
                pass

    @asynccontextmanager
    async def repeating(
        self, seconds: float, work: Callable[[], Awaitable[object]], *, at_once: bool = False
    ) -> AsyncIterator[None]:
        """Do ``work`` every so many seconds for as long as the context lasts; ``at_once``: also when it begins. What
        it finds to do stands in our tables, and it may die at any moment; when it fails, that is written down, and its
        next time comes."""
        running = asyncio.create_task(self._again_and_again(seconds, work, 0.0 if at_once else seconds))
        try:
            yield
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def look(self) -> int:
        """Begin what is due; how much that was."""
        now = self._clock.now()
        self.tally = await self._store.escalations.tally()
        free = AT_ONCE - len(self._attempts)
        begun = 0
        for row in await self._store.outbox.due(now, free, await self._dead()) if free > 0 else ():
            begun += await self._begin(row)
        return begun

    async def stop(self, patience: float) -> None:
        """What is not done within ``patience`` seconds is left to the next process."""
        attempts = list(self._attempts.values())
        if attempts:
            await asyncio.wait(attempts, timeout=patience)
        for each in attempts:
            each.cancel()
        await asyncio.gather(*attempts, return_exceptions=True)

    async def _again_and_again(self, seconds: float, work: Callable[[], Awaitable[object]], first: float) -> None:
        pause = first
        while True:
            await asyncio.sleep(pause)
            pause = seconds
            try:
                await work()
            except Exception as error:
                logs.fault(error)

    async def _begin(self, row: OutboxRecord) -> bool:
        attempt = Attempt(row.kind, row.id, row.attempt)
        if row.kind not in self._jobs or attempt.id in self._attempts:
            return False
        if not await self._store.outbox.claim(row, self._owner.id, self._clock.now() + LEASE):
            return False
        self._attempts[attempt.id] = task = asyncio.create_task(self._make(attempt))
        task.add_done_callback(lambda _: self._ended(attempt))
        return True

    def _ended(self, attempt: Attempt) -> None:
        del self._attempts[attempt.id]
        self._new.set()

    async def _make(self, attempt: Attempt) -> None:
        try:
            await self._take_steps(self._jobs[attempt.kind], attempt)
        except Exception as error:
            logs.fault(error)
            again = self._clock.now() + min(LONGEST, BROKEN * 2.0 ** min(attempt.number - 1, 20))
            with suppress(Exception):  # the store is away: the attempt is made again when its lease is over
                await self._store.outbox.skip(attempt.row, attempt.number, again)

    async def _take_steps(self, job: Job, attempt: Attempt) -> None:
        """What was done is put down before the next step begins: who takes the attempt over goes on behind it."""
        outcomes: dict[str, str] = {}
        steps = await job.steps(attempt)
        for step in steps:
            outcomes[step] = await job.take(attempt, step)
            if step != steps[-1] and not await self._put_down(attempt, step, outcomes[step]):
                return  # another process has it in hand: this one was taken for dead
        await job.settle(attempt, outcomes)

    async def _put_down(self, attempt: Attempt, step: str, outcome: str) -> bool:
        done = [step] if outcome == DONE else []
        until = self._clock.now() + LEASE
        return await self._store.outbox.progress(attempt.row, attempt.number, self._owner.id, until, done)

    async def _dead(self) -> Sequence[str]:
        found = await self._store.outbox.owners(self._clock.now())
        return [owner for owner in found if await asyncio.to_thread(self._owner.is_dead, owner)]

    async def _until_next(self) -> float:
        due = await self._store.outbox.next_due()
        if due is None:
            return self._look_seconds
        return min(self._look_seconds, max(0.05, (due - self._clock.now()).total_seconds()))
