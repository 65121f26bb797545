"""Looks back over sessions beside their turns: what is due is asked of the model while nobody waits for it, and what is
found comes in as an input like any other.

Nothing here holds a session. A person's message goes first; what several processes find at once, or one that died finds
again, counts once; a look that fails is made again a minute later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta

from heartrule.engine import takeover
from heartrule.engine.awareness import periodic
from heartrule.engine.session.io import HISTORY
from heartrule.engine.session.state import State
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.work import Work
from heartrule.language.compiling.script import Script
from heartrule.llm.model import Model
from heartrule.sessions.clock import Clock
from heartrule.sessions.findings import encode
from heartrule.sessions.rows import answer_of, attempt_rows, call_row
from heartrule.sessions.runner import Runner
from heartrule.store.records import Entry, LoadedSession, SessionRecord
from heartrule.store.store import Store

AT_ONCE = 8
"""Looks that ask a model at the same time, in one process."""
IN_HAND = 200
"""Looks that are under way or wait for their turn; sessions beyond them come later."""
AGAIN = timedelta(seconds=60)
"""After this a look that came to nothing is made again, at the earliest."""

ScriptOf = Callable[[SessionRecord], Awaitable[Script]]
Post = Callable[[str, Entry], Awaitable[None]]
"""Hands an input in, once under its key, and has its turn worked out unless somebody is at work on the session."""


def timeout_of(state: State) -> datetime | None:
    """When the waiting action's own time is up; while a human holds the session, when danger has stood too long."""
    if state.human is not None:
        return takeover.due(state)
    frame = state.running.action if state.running else None
    return frame.wait.due if frame is not None and frame.wait is not None else None


class Periodic:
    """The looks of one process."""

    def __init__(
        self, store: Store, model: Model, clock: Clock, runner: Runner, script_of: ScriptOf, post: Post
    ) -> None:
        self._store, self._model, self._clock, self._runner = store, model, clock, runner
        self._script_of, self._post = script_of, post
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._again = max(AGAIN, timedelta(seconds=3 * model.policy.budget))

    def begin(self, session: SessionRecord, limit: datetime | None) -> None:
        """Look back over a session whose time (``wake_at``) has come, without being waited for. ``limit``: when it
        has to be woken in any case."""
        if session.id in self._under_way:
            return
        look = self._put_off(session, limit) if len(self._under_way) >= IN_HAND else self._look(session, limit)
        task = self._under_way[session.id] = asyncio.create_task(self._quietly(look))
        task.add_done_callback(lambda _: self._under_way.pop(session.id, None))

    async def settled(self) -> None:
        """Until nothing is under way."""
        while self._under_way:
            await asyncio.gather(*self._under_way.values(), return_exceptions=True)

    async def stop(self) -> None:
        """Break off what is under way; it is taken up again by whoever sweeps next."""
        for task in self._under_way.values():
            task.cancel()
        await self.settled()

    async def _quietly(self, look: Awaitable[object]) -> None:
        with suppress(Exception):  # the store is away, or the script cannot be read: the session wakes again
            await look

    async def _put_off(self, session: SessionRecord, limit: datetime | None) -> datetime | None:
        """Until then the look is ours; None: somebody else's."""
        until = self._clock.now() + self._again
        until = until if limit is None else min(until, limit)
        assert session.wake_at is not None
        return until if await self._store.postpone(session.id, session.wake_at, until) else None

    async def _look(self, session: SessionRecord, limit: datetime | None) -> None:
        until = await self._put_off(session, limit)
        if until is None:
            return
        async with self._slots:
            loaded = await self._store.load(session.id, HISTORY)
            if loaded.pending:
                return  # what waits goes first, and its turn says anew when to wake
            work = await self._work(loaded)
            scripts = periodic.due(work)
            if not scripts:
                times = [each for each in (timeout_of(work.state), periodic.next_due(work)) if each is not None]
                await self._store.postpone(session.id, until, min(times, default=None))
                return
            task = periodic.question(work, scripts)
            answer = await self._answer(loaded, work, task) if task is not None else None
            found = periodic.findings(work, scripts, answer)
        looked = " ".join(f"{each.ref}@{each.since}" for each in scripts)
        await self._post(session.id, Entry(f"noticed {loaded.session.seq} {looked}", "noticed", text=encode(found)))

    async def _work(self, loaded: LoadedSession) -> Work:
        script = await self._script_of(loaded.session)
        return Work.of(self._runner.world(script, loaded, self._clock.now()))

    async def _answer(self, loaded: LoadedSession, work: Work, task: Task) -> Answer:
        """Kept with the session's last turn, which it looks back from; never bought twice for the same one."""
        session, seq, script = loaded.session.id, loaded.session.seq, work.world.script
        for call in await self._store.calls(session, seq):
            if call.key == task.key and call.status == "answered":
                return answer_of(call)
        asking = self._model.ask([task], script=script, stay=session)
        try:
            answer = (await asking.all())[task.key]
        except asyncio.CancelledError:
            await asyncio.shield(asking.aclose())
            tried = attempt_rows(seq, task, asking.attempts(task.key), self._clock.now())
            await asyncio.shield(self._store.save_aside(session, (), tried))
            raise
        at = self._clock.now()
        row = call_row(seq, task.template, answer, answer.prompt_hash, at)
        await self._store.save_aside(session, [row], attempt_rows(seq, task, answer.attempts, at))
        return answer
