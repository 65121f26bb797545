"""What one turn may still spend. Money is put aside for a call before it is made, so that all calls of a turn, retries
and stand-ins among them, never cost more together than they may."""

from __future__ import annotations

from heartrule.engine.session.tasks import Attempt
from heartrule.llm.budget import Budget

UNPAID = frozenset({"refused", "rate_limited", "unauthorised", "bad_request", "unsupported", "server_error"})
"""Codes of calls that came to nothing at the provider's, who bills none of them."""


class TurnBudget:
    """Of one turn. Amounts are in billionths of the budget's currency. ``began``: when the turn did, on the model's
    clock; what an earlier try at the same turn has ``spent`` counts."""

    def __init__(self, budget: Budget, began: float, spent: int = 0) -> None:
        self.budget = budget
        self.spent = spent
        self._began = began
        self._aside: dict[str, int] = {}

    @property
    def until(self) -> float | None:
        """When the turn has taken as long as it may."""
        return None if self.budget.max_latency is None else self._began + self.budget.max_latency

    @property
    def left(self) -> int | None:
        """What is neither spent nor put aside. Below 0 where what is never given up cost more than there was."""
        return None if self.budget.max_cost is None else self.budget.max_cost - self.spent - sum(self._aside.values())

    def put_aside(self, key: str, cost: int | None) -> None:
        """For the first call of a task, so that nobody else takes it."""
        self._aside[key] = cost or 0

    def take(self, key: str, cost: int | None, *, always: bool = False) -> bool:
        """Whether a call for this task that can cost so much (None: nobody knows) may be made; if so, it is put aside.
        ``always``: it is made whatever is left."""
        aside = self._aside.pop(key, 0)
        left = self.left
        fits = always or not cost or left is None or cost <= left
        self._aside[key] = (cost or 0) if fits else aside
        return fits

    def settle(self, key: str, attempt: Attempt) -> None:
        """The call is over. What it cost is spent; where nobody said what it used, all that was put aside."""
        aside = self._aside.pop(key, 0)
        if attempt.cost is not None:
            self.spent += attempt.cost if attempt.currency == self.budget.currency else 0
        elif attempt.code.partition(":")[0] not in UNPAID:
            self.spent += aside

    def release(self, key: str) -> None:
        """No more calls are made for this task."""
        self._aside.pop(key, None)
