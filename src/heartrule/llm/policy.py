"""How the model is asked: how long, how often, which one, what is given up. One object, handed to whatever asks."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from heartrule.engine.session.tasks import Role, Task
from heartrule.llm.breaker import BreakerRules
from heartrule.llm.health import HealthRules

Tier = Literal["fast", "balanced", "quality"]
TIERS: tuple[Tier, ...] = ("fast", "balanced", "quality")
"""From the quickest and cheapest to the most able."""

DEADLINES: Mapping[Role, float] = MappingProxyType({"understand": 10.0, "generate": 15.0, "judge": 8.0})
"""Seconds a single call may take, by role."""
TURN_BUDGET = 20.0
"""Seconds all calls of a turn may take together, retries and waits included."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How tasks of one template or kind are asked. None: not said here. ``deadline`` is in seconds."""

    tier: Tier | None = None
    deadline: float | None = None
    retries: int | None = None
    temperature: float | None = None
    max_tokens: int | None = None


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "judge": Rule(tier="fast"),
        "extract": Rule(tier="fast"),
        "generate": Rule(tier="balanced"),
        "analyse": Rule(tier="quality"),
        "risk": Rule(tier="fast"),
        "ai_ask": Rule(tier="balanced"),
        "stretch": Rule(tier="balanced"),
        "ask": Rule(tier="balanced"),
        "choice": Rule(tier="balanced"),
        "review": Rule(tier="quality"),
    }
)
"""By template, else by kind. ``ai_ask``, ``stretch``, ``ask`` and ``choice`` extract, and what they write is spoken."""

FIRST = frozenset({"risk", "reading", "denial"})
"""Templates whose calls go before all others where calls must wait."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Times are in seconds. ``time_scale`` stretches deadlines for slow local models (or shrinks them in tests); waits
    between tries only ever shrink with it. ``least`` is the shortest time worth starting a call with, ``patience`` the
    longest a call waits for the model it prefers when another could be asked at once. A prompt of more than
    ``long_prompt`` characters, and an answer that was rejected, take the next higher tier. ``breaker`` rests a provider
    that is down, ``useless`` one for a template to which nothing of use came from it."""

    deadlines: Mapping[Role, float] = field(default_factory=lambda: DEADLINES)
    turn_budget: float = TURN_BUDGET
    waits: tuple[float, ...] = (1.0, 2.0, 4.0)
    jitter: float = 0.25
    least: float = 0.25
    patience: float = 0.3
    time_scale: float = 1.0
    max_tokens: int | None = 1500
    long_prompt: int = 24_000
    rules: Mapping[str, Rule] = field(default_factory=lambda: RULES)
    breaker: BreakerRules = field(default_factory=BreakerRules)
    useless: BreakerRules = field(default_factory=lambda: BreakerRules(failures=6, longest=30.0))
    health: HealthRules = field(default_factory=HealthRules)

    def persevering(self) -> Policy:
        """For measuring models: however often nothing of use came back, the next question is put all the same."""
        return replace(self, useless=replace(self.useless, failures=sys.maxsize))

    def deadline(self, role: Role) -> float:
        return self.deadlines[role] * self.time_scale

    @property
    def budget(self) -> float:
        return self.turn_budget * self.time_scale

    def wait(self, retry: int, chance: float) -> float:
        """Before retry number ``retry`` (from 0), spread by up to ``jitter`` of itself either way."""
        return self.waits[retry] * min(1.0, self.time_scale) * (1 + self.jitter * (2 * chance - 1))

    def tier(self, task: Task) -> Tier:
        """Which models ``task`` is meant for."""
        return as_tier(task.tier) or self._said(task).tier or "balanced"

    def seconds(self, task: Task) -> float:
        """How long a single call for ``task`` may take; never longer than its role."""
        said, longest = self._said(task).deadline, self.deadline(task.role)
        return longest if said is None else min(said * self.time_scale, longest)

    def retries(self, task: Task) -> int:
        """How often it may be asked again; never more often than there are ``waits``."""
        said = self._said(task).retries
        return len(self.waits) if said is None else min(said, len(self.waits))

    def temperature(self, task: Task) -> float:
        said = self._said(task).temperature
        return task.temperature if said is None else said

    def tokens(self, task: Task) -> int | None:
        """The most tokens an answer may have; never more than ``max_tokens``."""
        said = self._said(task).max_tokens
        return self.max_tokens if said is None else min(said, self.max_tokens or said)

    def urgency(self, task: Task) -> int:
        """Where calls must wait: lower goes first. What may be a matter of life, then what somebody waits to read."""
        if task.template in FIRST:
            return 0
        return 2 if task.kind == "analyse" else 1

    def _said(self, task: Task) -> Rule:
        own, kind = self.rules.get(task.template, _NOTHING), self.rules.get(task.kind, _NOTHING)
        return over(own, kind)


def over(one: Rule, other: Rule) -> Rule:
    """What ``one`` says, and what only ``other`` says."""
    return Rule(
        tier=one.tier or other.tier,
        deadline=other.deadline if one.deadline is None else one.deadline,
        retries=other.retries if one.retries is None else one.retries,
        temperature=other.temperature if one.temperature is None else one.temperature,
        max_tokens=other.max_tokens if one.max_tokens is None else one.max_tokens,
    )


def as_tier(said: str | None) -> Tier | None:
    return next((tier for tier in TIERS if tier == said), None)


def higher(tier: Tier) -> Tier:
    """The next more able one; the most able stays."""
    return TIERS[min(TIERS.index(tier) + 1, len(TIERS) - 1)]


_NOTHING = Rule()
