"""Tasks → answers: asked side by side, within a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from random import random as any_number
from typing import Any

from heartrule.engine.session.tasks import Answer, Task
from heartrule.language.compiling.script import Script
from heartrule.llm.budget import Budget, Plan, stage
from heartrule.llm.clock import Clock, LoopClock
from heartrule.llm.model_choice import Costs, planned
from heartrule.llm.overrides import budget_for, policy_for
from heartrule.llm.pending_calls import Listener, PendingCalls
from heartrule.llm.pictures import PictureProvider, drawn
from heartrule.llm.policy import Policy
from heartrule.llm.prices import Prices
from heartrule.llm.prompt import Prompt, render
from heartrule.llm.provider import Provider
from heartrule.llm.providers.openai_embeddings import OpenAIEmbeddings
from heartrule.llm.routing import Routes
from heartrule.llm.run import Run, RunContext
from heartrule.llm.streamed_reply import StreamedReply
from heartrule.llm.turn_budget import TurnBudget
from heartrule.prompts.template import TemplateError

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
        budget: Budget | None = None,
        pictures: PictureProvider | None = None,
        embedder: OpenAIEmbeddings | None = None,
    ) -> None:
        self.policy = policy or Policy()
        self.pictures = pictures
        self.embedder = embedder
        self.prices = prices or Prices()
        self.budget = budget or Budget()
        self.listeners: list[Listener] = []
        self.clock: Clock = clock or LoopClock()
        self._routes = Routes(providers, self.policy, self.clock, random)
        self._means = RunContext(self._routes, self.policy, self.clock, random, self.prices)

    @property
    def configured(self) -> bool:
        return len(self._routes) > 0

    @property
    def providers(self) -> list[str]:
        """The names of all that may be asked."""
        return [each.offer.name for each in self._routes.upstreams]

    def alone(self, name: str) -> Model:
        """The same with no other model than the one of this name; nothing is closed twice by closing both."""
        own = [replace(each.offer, weight=1.0) for each in self._routes.upstreams if each.offer.name == name]
        found = Model(own, self.policy, clock=self.clock, prices=self.prices, budget=self.budget)
        found.listeners = self.listeners
        return found

    def deadline(self) -> float:
        """When a turn that starts now has used up its budget, on this model's clock."""
        return self.clock.now() + self.policy.budget

    def turn_budget(self, script: Script | None) -> TurnBudget | None:
        """What a turn of this script that begins now may spend; None: as much as it takes."""
        budget = budget_for(self.budget, script)
        return TurnBudget(budget, self.clock.now()) if budget.limited else None

    def ask(
        self,
        tasks: Sequence[Task],
        deadline: float | None = None,
        script: Script | None = None,
        prompts: Mapping[str, Prompt] | None = None,
        spoken: Mapping[str, Spoken] | None = None,
        *,
        aloud: bool = True,
        stay: str = "",
        turn_budget: TurnBudget | None = None,
    ) -> PendingCalls:
        """Begin to ask, all side by side. ``deadline`` is absolute, on ``self.clock``; ``script`` brings its templates
        and what words are checked for; ``prompts``, by key, are those that the caller has rendered already. Tasks that
        speak are streamed where ``spoken`` is given; what it holds, by key, had been shown before a crash. ``aloud``:
        somebody looks on, and the replies are listened to while they come; else they can only be stopped. ``stay``
        names what stays with one model where it can, a session. What there is no money or time for in ``turn_budget``
        is not asked: its answer is ``failed``, with an attempt ``given_up``.

        Nothing of it raises for what a provider or a model does: such a task's answer is ``failed`` and says why.
        """
        until = self.deadline() if deadline is None else deadline
        checks = script.checks if script else None
        prompts = prompts or {}
        policy = policy_for(self.policy, script)
        means = replace(self._means, policy=policy, stay=stay, turn_budget=turn_budget)
        plan = None if turn_budget is None else self._plan(tasks, script, prompts, policy, turn_budget, stay)
        runs = []
        for task in tasks:
            choice = plan.asked.get(task.key) if plan else None
            forgone = plan is not None and choice is None
            ends = (
                until
                if turn_budget is None or turn_budget.until is None or stage(task) is None
                else min(until, turn_budget.until)
            )
            streamed = StreamedReply(task, checks, listens=aloud) if task.speaks and spoken is not None else None
            if streamed is not None and spoken and task.key in spoken:
                streamed.resume(*spoken[task.key])
            prompt, tier = prompts.get(task.key), choice.tier if choice else None
            runs.append(Run(means, task, ends, script, prompt, streamed, tier, forgone))
        return PendingCalls(runs, self.clock, self.policy.time_scale, self.listeners)

    def _plan(
        self,
        tasks: Sequence[Task],
        script: Script | None,
        prompts: Mapping[str, Prompt],
        policy: Policy,
        turn_budget: TurnBudget,
        stay: str,
    ) -> Plan:
        ready = dict(prompts)
        for task in tasks:
            with suppress(TemplateError):
                ready[task.key] = prompts.get(task.key) or render(task, script)
        costs = Costs(self.prices, turn_budget.budget.currency)
        return planned(tasks, ready, self._routes, policy, costs, turn_budget, stay)

    async def answer(
        self,
        tasks: Sequence[Task],
        deadline: float | None = None,
        script: Script | None = None,
        *,
        stay: str = "",
        turn_budget: TurnBudget | None = None,
    ) -> dict[str, Answer]:
        """Every task's answer, whole, by key; as ``ask``. Without a provider they are ``absent``."""
        if not self.configured:
            return {task.key: Answer(task.key, "absent") for task in tasks}
        asking = self.ask(tasks, deadline, script, stay=stay, turn_budget=turn_budget)
        try:
            return await asking.all()
        finally:
            await asyncio.shield(asking.aclose())

    async def draw(self, task: Task, prompt: Prompt | None, deadline: float) -> Answer:
        """The answer to a task that asks for a picture: never later than the turn's ``deadline``, never an error."""
        words = prompt.messages[-1].text if prompt is not None else ""
        provider = self.pictures if words else None
        return await drawn(provider, task.key, words, deadline - self.clock.now(), prompt.hash if prompt else "")

    async def aclose(self) -> None:
        await self._routes.aclose()
        if self.pictures is not None:
            await self.pictures.aclose()
        if self.embedder is not None:
            await self.embedder.aclose()
