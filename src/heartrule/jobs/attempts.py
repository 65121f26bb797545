"""An attempt, step by step, for a runner that keeps no record of steps: after a crash it begins with the first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from heartrule.jobs.work import Attempt, Work

Hold = Callable[[Attempt], Coroutine[Any, Any, bool]]
"""Says that this process works at an attempt; False when it is settled already."""


class Undurable:
    """Runs attempts in this event loop. What dies with the process is begun anew by the next one."""

    def __init__(self, works: Mapping[str, Work], hold: Hold, failed: Callable[[BaseException], None]) -> None:
        self._works, self._hold, self._failed = works, hold, failed
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @property
    def at_work(self) -> int:
        return len(self._tasks)

    async def start(self, attempt: Attempt) -> bool:
        if attempt.id not in self._tasks:
            task = asyncio.create_task(self._run(attempt))
            self._tasks[attempt.id] = task
            task.add_done_callback(lambda _: self._tasks.pop(attempt.id, None))
        return True

    async def stop(self, patience: float) -> None:
        tasks = list(self._tasks.values())
        if tasks:
            await asyncio.wait(tasks, timeout=patience)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, attempt: Attempt) -> None:
        work = self._works[attempt.kind]
        try:
            if await self._hold(attempt):
                outcomes = {step: await work.take(attempt, step) for step in await work.steps(attempt)}
                await work.settle(attempt, outcomes)
        except Exception as error:
            self._failed(error)
