"""How the model is asked: how long, how often, what is given up. One object, handed to whatever asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from heartrule.engine.tasks import Role
from heartrule.llm.breaker import BreakerRules

DEADLINES: Mapping[Role, float] = MappingProxyType({"understand": 10.0, "generate": 15.0, "judge": 8.0})
"""Seconds a single call may take, by role."""
TURN_BUDGET = 20.0
"""Seconds all calls of a turn may take together, retries and waits included."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Times are in seconds. ``time_scale`` stretches deadlines for slow local models (or shrinks them in tests); waits
    between tries only ever shrink with it. ``least`` is the shortest time worth starting a call with."""

    deadlines: Mapping[Role, float] = field(default_factory=lambda: DEADLINES)
    turn_budget: float = TURN_BUDGET
    waits: tuple[float, ...] = (1.0, 2.0, 4.0)
    jitter: float = 0.25
    least: float = 0.25
    time_scale: float = 1.0
    max_tokens: int | None = 1500
    breaker: BreakerRules = field(default_factory=BreakerRules)

    def deadline(self, role: Role) -> float:
        return self.deadlines[role] * self.time_scale

    @property
    def budget(self) -> float:
        return self.turn_budget * self.time_scale

    def wait(self, retry: int, chance: float) -> float:
        """Before retry number ``retry`` (from 0), spread by up to ``jitter`` of itself either way."""
        return self.waits[retry] * min(1.0, self.time_scale) * (1 + self.jitter * (2 * chance - 1))
