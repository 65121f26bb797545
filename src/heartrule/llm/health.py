"""How a model has been doing lately, short of being down: how often it failed and how long it took."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from heartrule.engine.session.tasks import Role


@dataclass(frozen=True, slots=True)
class HealthRules:
    """What ``window`` seconds say. A model is pushed back when at least ``failing`` of no fewer than ``calls`` calls
    gave no usable answer, or when its P95 is both ``slower`` times that of the quickest of its fellows and above
    ``noticed`` seconds."""

    window: float = 60.0
    calls: int = 6
    failing: float = 0.3
    slower: float = 2.5
    noticed: float = 1.0


@dataclass(slots=True)
class Call:
    """``good``: whether its answer was of use; what reads it may find out later that it was not."""

    at: float
    role: Role
    seconds: float
    good: bool


class Health:
    """Of one model. What is older than the window is forgotten, so one that was pushed back is tried again."""

    def __init__(self, now: Callable[[], float], rules: HealthRules) -> None:
        self._now = now
        self._rules = rules
        self._calls: deque[Call] = deque(maxlen=500)

    def note(self, role: Role, seconds: float, *, good: bool) -> Call:
        """A call that took so long gave an answer, or none."""
        call = Call(self._now(), role, seconds, good)
        self._calls.append(call)
        return call

    @property
    def failing(self) -> bool:
        calls = self._recent()
        bad = sum(not call.good for call in calls)
        return len(calls) >= self._rules.calls and bad >= self._rules.failing * len(calls)

    def p95(self, role: Role) -> float | None:
        """Seconds of good answers; None while there are too few to say."""
        seconds = [call.seconds for call in self._recent() if call.good and call.role == role]
        return percentile(seconds, 0.95) if len(seconds) >= self._rules.calls else None

    def slow(self, role: Role, fellows: Iterable[Health]) -> bool:
        """Whether others that could be asked instead answer much sooner."""
        own = self.p95(role)
        if own is None or own <= self._rules.noticed:
            return False
        others = [seconds for each in fellows if each is not self and (seconds := each.p95(role)) is not None]
        return bool(others) and own > self._rules.slower * min(others)

    def _recent(self) -> Sequence[Call]:
        oldest = self._now() - self._rules.window
        while self._calls and self._calls[0].at < oldest:
            self._calls.popleft()
        return self._calls


def percentile(numbers: Iterable[float], share: float) -> float:
    """By nearest rank."""
    ranked = sorted(numbers)
    return ranked[max(0, ceil(share * len(ranked)) - 1)]
