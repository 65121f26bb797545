"""Tasks → answers: asked side by side, within a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from random import random as any_number

from heartrule.engine.tasks import Answer, Attempt, Task
from heartrule.language.script import Script
from heartrule.llm.clock import Clock, LoopClock
from heartrule.llm.policy import Policy
from heartrule.llm.prices import Prices
from heartrule.llm.prompt import Prompt
from heartrule.llm.provider import Provider
from heartrule.llm.routing import Routes
from heartrule.llm.run import Means, Run

Listener = Callable[[Task, Attempt], None]
"""Is told of every attempt when its task is done with. It must neither raise nor wait."""


class Model:
    """What the driver asks. ``providers`` in order of preference; with none every answer is ``absent``."""

    def __init__(
        self,
        providers: Sequence[Provider] = (),
        policy: Policy | None = None,
        *,
        clock: Clock | None = None,
        random: Callable[[], float] = any_number,
        prices: Prices | None = None,
    ) -> None:
        self.policy = policy or Policy()
        self.prices = prices or Prices()
        self.listeners: list[Listener] = []
        self.clock: Clock = clock or LoopClock()
        self._routes = Routes(providers, self.clock.now, self.policy.breaker)
        self._means = Means(self._routes, self.policy, self.clock, random, self.prices)

    @property
    def configured(self) -> bool:
        return len(self._routes) > 0

    def deadline(self) -> float:
        """When a turn that starts now has used up its budget, on this model's clock."""
        return self.clock.now() + self.policy.budget

    async def answer(
        self,
        tasks: Sequence[Task],
        deadline: float | None = None,
        script: Script | None = None,
        prompts: Mapping[str, Prompt] | None = None,
        broken_off: dict[str, tuple[Attempt, ...]] | None = None,
    ) -> dict[str, Answer]:
        """Every task's answer, by key. ``deadline`` is absolute, on ``self.clock``; ``script`` brings its templates;
        ``prompts``, by key, are those that the caller has rendered already. Into ``broken_off`` goes what had been
        tried for each task when this was cancelled.

        Never raises for what a provider or a model does: such a task's answer is ``failed`` and says why.
        """
        if not self.configured:
            return {task.key: Answer(task.key, "absent") for task in tasks}
        until = self.deadline() if deadline is None else deadline
        runs = [Run(self._means, task, until, script, (prompts or {}).get(task.key)) for task in tasks]
        try:
            return await self._side_by_side(runs)
        except asyncio.CancelledError:
            if broken_off is not None:
                broken_off.update({run.task.key: run.attempts for run in runs})
            raise
        finally:
            for listener in self.listeners:
                for run in runs:
                    for attempt in run.attempts:
                        listener(run.task, attempt)

    async def _side_by_side(self, runs: Sequence[Run]) -> dict[str, Answer]:
        if len(runs) == 1 and runs[0].task.seconds is None:
            return {runs[0].task.key: await runs[0].answer()}
        running = {run: asyncio.ensure_future(run.answer()) for run in runs}
        try:
            await asyncio.gather(*(call for run, call in running.items() if run.task.seconds is None))
            return {run.task.key: await self._held(run, call) for run, call in running.items()}
        finally:
            for call in running.values():
                call.cancel()
            await asyncio.gather(*running.values(), return_exceptions=True)

    async def _held(self, run: Run, call: asyncio.Future[Answer]) -> Answer:
        """The answer, waited for as long as its task says now that the others are there."""
        if call.done() or run.task.seconds is None:
            return await call
        try:
            async with self.clock.within(run.task.seconds * self.policy.time_scale):
                return await call
        except TimeoutError:
            return run.given_up()

    async def aclose(self) -> None:
        await self._routes.aclose()
