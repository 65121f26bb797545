"""Turns in work, apart from the requests that asked for them: leaving the page does not stop a turn."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from heartrule.server.problems import Problem
from heartrule.sessions import Outcome, Sessions
from heartrule.store.records import Entry


class RunningTurns:
    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions
        self.stopping = asyncio.Event()
        self._tasks: set[asyncio.Task[Outcome]] = set()

    @property
    def at_work(self) -> int:
        return len(self._tasks)

    def begin(self, session: str, entry: Entry) -> asyncio.Task[Outcome]:
        """The turn of ``entry``, in work whether or not somebody waits for it."""
        return self.work(self.sessions.take(session, entry))

    def work(self, turn: Coroutine[Any, Any, Outcome]) -> asyncio.Task[Outcome]:
        """``turn`` in work, unless the server is about to stop."""
        if self.stopping.is_set():
            turn.close()
            raise Problem("stopping", headers={"Retry-After": "2"})
        task = asyncio.create_task(turn)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Outcome]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waits is told; when nobody does, there is nothing to say

    async def outcome(self, task: asyncio.Task[Outcome]) -> Outcome:
        """What came of it. Whoever waits may leave, and the turn goes on; a turn that was put down is a problem."""
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise Problem("put-down", headers={"Retry-After": "2"}) from None
            raise

    async def finish(self, seconds: float) -> int:
        """Take nothing new; let what runs come to its end for ``seconds``, then put it down: what was said is kept in
        the inbox, and whoever runs next takes it up. How many were put down."""
        self.stopping.set()
        running = set(self._tasks)
        if not running:
            return 0
        _, late = await asyncio.wait(running, timeout=seconds)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        return len(late)
