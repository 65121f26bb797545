"""Tasks → answers: asked side by side, within a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from random import random as any_number
from typing import Any

from heartrule.engine.tasks import Answer, Task
from heartrule.language.script import Script
from heartrule.llm.asking import Asking, Listener
from heartrule.llm.clock import Clock, LoopClock
from heartrule.llm.policy import Policy
from heartrule.llm.prices import Prices
from heartrule.llm.prompt import Prompt
from heartrule.llm.provider import Provider
from heartrule.llm.routing import Routes
from heartrule.llm.run import Means, Run
from heartrule.llm.voice import Voice

Spoken = tuple[Mapping[str, Any], str]
"""An answer's fields before its ``content``, and what of that has been shown."""


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

    def ask(
        self,
        tasks: Sequence[Task],
        deadline: float | None = None,
        script: Script | None = None,
        prompts: Mapping[str, Prompt] | None = None,
        spoken: Mapping[str, Spoken] | None = None,
    ) -> Asking:
        """Begin to ask, all side by side. ``deadline`` is absolute, on ``self.clock``; ``script`` brings its templates
        and what words are checked for; ``prompts``, by key, are those that the caller has rendered already. Tasks that
        speak are listened to where ``spoken`` is given; what it holds, by key, had been shown before a crash.

        Nothing of it raises for what a provider or a model does: such a task's answer is ``failed`` and says why.
        """
        until = self.deadline() if deadline is None else deadline
        checks = script.checks if script else None
        runs = []
        for task in tasks:
            voice = Voice(task, checks) if task.speaks and spoken is not None else None
            if voice is not None and spoken and task.key in spoken:
                voice.resume(*spoken[task.key])
            runs.append(Run(self._means, task, until, script, (prompts or {}).get(task.key), voice))
        return Asking(runs, self.clock, self.policy.time_scale, self.listeners)

    async def answer(
        self, tasks: Sequence[Task], deadline: float | None = None, script: Script | None = None
    ) -> dict[str, Answer]:
        """Every task's answer, whole, by key; as ``ask``. Without a provider they are ``absent``."""
        if not self.configured:
            return {task.key: Answer(task.key, "absent") for task in tasks}
        asking = self.ask(tasks, deadline, script)
        try:
            return await asking.all()
        finally:
            await asyncio.shield(asking.aclose())

    async def aclose(self) -> None:
        await self._routes.aclose()
