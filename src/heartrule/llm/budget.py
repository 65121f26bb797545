"""What a turn may take in time and money, and what is given up first when that is not enough. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from heartrule.engine.session.tasks import Task
from heartrule.llm.policy import FIRST, Tier

Stage = Literal["analyse", "perceive", "review", "quality", "reply"]
STAGES: tuple[Stage, ...] = ("analyse", "perceive", "review", "quality", "reply")
"""What can be given up, from what is missed least. ``quality`` is no task: a less able model is asked instead."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Of one turn. ``max_latency`` is in seconds, ``max_cost`` in billionths of ``currency``; None: no limit."""

    max_latency: float | None = None
    max_cost: int | None = None
    currency: str = ""
    give_up: tuple[Stage, ...] = STAGES

    def within(self, other: Budget) -> Budget:
        """This one, and no more than ``other`` allows: amounts of another currency cannot be compared, and the other's
        stands."""
        seconds = [each for each in (self.max_latency, other.max_latency) if each is not None]
        cost, currency = self.max_cost, self.currency
        if other.max_cost is not None and (cost is None or currency != other.currency or other.max_cost < cost):
            cost, currency = other.max_cost, other.currency
        return Budget(min(seconds, default=None), cost, currency, self.give_up)

    @property
    def limited(self) -> bool:
        return self.max_latency is not None or self.max_cost is not None


def stage(task: Task) -> Stage | None:
    """What giving up ``task`` would be; None for what is never given up: whether somebody is in danger."""
    if task.template in FIRST:
        return None
    if task.template == "review":
        return "review"
    if task.kind == "analyse":
        return "analyse"
    return "perceive" if task.kind == "judge" or task.template in ("perceive", "listen") else "reply"


@dataclass(frozen=True, slots=True)
class Choice:
    """A model that a task could be put to. ``cost``: the most it can cost, in billionths of the budget's currency;
    ``p50`` and ``p95``: seconds. None: not known."""

    tier: Tier
    cost: int | None = None
    p50: float | None = None
    p95: float | None = None


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """A task of a checkpoint. ``choices``: the model it is meant for, then the less able ones."""

    key: str
    stage: Stage | None
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """``asked``: who is asked, by key; ``given_up`` in the order in which it was."""

    asked: Mapping[str, Choice] = field(default_factory=dict)
    given_up: tuple[str, ...] = ()

    @property
    def cost(self) -> int:
        """The most that all of it can cost, as far as that is known."""
        return sum(each.cost or 0 for each in self.asked.values())


def plan(wanted: Sequence[PlannedTask], budget: Budget, cost: int | None, seconds: float | None) -> Plan:
    """What is asked of whom when there is so much money (billionths) and time left; None: no limit.

    Calls are made side by side: their costs add up, their seconds do not. What nobody has measured is taken to be in
    time, what has no price to cost nothing. What is never given up is asked whatever is left.
    """
    asked = {each.key: each.choices[0] for each in wanted}
    given_up: list[str] = []

    def excess() -> int:
        return 0 if cost is None else sum(each.cost or 0 for each in asked.values()) - cost

    for step in budget.give_up:
        for each in _at_stake(step, wanted, asked, budget):
            now = asked[each.key]
            if step == "quality":
                if excess() > 0 or _late(now, seconds):
                    asked[each.key] = _lesser(each, now, excess(), seconds)
            elif (excess() > 0 and now.cost) or _hopeless(now, seconds):
                del asked[each.key]
                given_up.append(each.key)
    return Plan(asked, tuple(given_up))


def _at_stake(
    step: Stage, wanted: Iterable[PlannedTask], asked: Mapping[str, Choice], budget: Budget
) -> list[PlannedTask]:
    """Whose answer, or quality of answer, is given up at this step, in this order: the dearest first."""
    order = {each: place for place, each in enumerate(budget.give_up)}
    found = [
        (order[each.stage], -(asked[each.key].cost or 0), place, each)
        for place, each in enumerate(wanted)
        if each.key in asked and each.stage is not None and step in ("quality", each.stage)
    ]
    return [each for *_, each in sorted(found, key=lambda one: one[:3])]


def _late(choice: Choice, seconds: float | None) -> bool:
    """Whether it may well not be there in time."""
    return seconds is not None and choice.p95 is not None and choice.p95 > seconds


def _hopeless(choice: Choice, seconds: float | None) -> bool:
    """Whether more often than not it is not there in time, or no time is left at all."""
    return seconds is not None and (seconds <= 0 or (choice.p50 is not None and choice.p50 > seconds))


def _lesser(each: PlannedTask, now: Choice, excess: int, seconds: float | None) -> Choice:
    """The most able of the less able ones that is in time and cheap enough; else, for want of time, one that is in time
    more often than not; for want of money the cheapest, if it is cheaper and no later than ``now``; else ``now``."""
    below = each.choices[each.choices.index(now) + 1 :]
    comparable = [choice for choice in below if (choice.cost is None) == (now.cost is None)]
    saved = {choice: (now.cost or 0) - (choice.cost or 0) for choice in comparable}
    for choice, saving in saved.items():
        if saving >= excess and not _late(choice, seconds):
            return choice
    if excess <= 0:
        likely = [choice for choice in comparable if _hopeless(now, seconds) and not _hopeless(choice, seconds)]
        return likely[0] if likely else now
    late = _late(now, seconds)
    cheaper = [choice for choice, saving in saved.items() if saving > 0 and (late or not _late(choice, seconds))]
    return min(cheaper, key=lambda choice: choice.cost or 0, default=now)
