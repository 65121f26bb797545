"""What model calls took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from heartrule.engine.session.tasks import Answer


@dataclass(slots=True)
class ModelSpend:
    """Calls (every try), those that came to nothing, tokens, and cost in billionths by currency."""

    calls: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Counter[str] = field(default_factory=Counter)

    def add(self, answers: Iterable[Answer]) -> None:
        for answer in answers:
            for each in answer.attempts:
                self.calls += 1
                self.failed += each.outcome != "ok"
                self.tokens_in += each.tokens_in or 0
                self.tokens_out += each.tokens_out or 0
                if each.cost is not None and each.currency:
                    self.cost[each.currency] += each.cost

    def __iadd__(self, other: ModelSpend) -> ModelSpend:
        self.calls += other.calls
        self.failed += other.failed
        self.tokens_in += other.tokens_in
        self.tokens_out += other.tokens_out
        self.cost.update(other.cost)
        return self
