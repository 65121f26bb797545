"""A circuit breaker: when a provider keeps failing, say so at once instead of making every person wait for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class BreakerRules:
    """``failures`` in a row open it for ``rest`` seconds, doubled after each failed probe up to ``longest``."""

    failures: int = 5
    rest: float = 10.0
    longest: float = 120.0


class Breaker:
    """closed → open (nothing passes) → half open (one probe passes) → closed, or open again for longer.

    Every ``enter`` that returned True is followed by one ``succeeded``, ``failed`` or ``left``.
    """

    def __init__(self, now: Callable[[], float], rules: BreakerRules | None = None) -> None:
        self._now = now
        self._rules = rules or BreakerRules()
        self._failures = 0
        self._rest = self._rules.rest
        self._until: float | None = None
        self._probing = False

    @property
    def state(self) -> Literal["closed", "open", "half_open"]:
        if self._until is None:
            return "closed"
        return "open" if self._now() < self._until else "half_open"

    @property
    def ready(self) -> bool:
        """Whether a call may be made now."""
        state = self.state
        return state == "closed" or (state == "half_open" and not self._probing)

    def enter(self) -> bool:
        """Whether a call may be made now; if so it is taken for granted that it is."""
        if not self.ready:
            return False
        self._probing = self._until is not None
        return True

    def succeeded(self) -> None:
        self._failures = 0
        self._rest = self._rules.rest
        self._until = None
        self._probing = False

    def failed(self) -> None:
        """A call that was under way when the breaker opened changes nothing; a failed probe lengthens the rest."""
        if self._until is None:
            self._failures += 1
            if self._failures >= self._rules.failures:
                self._until = self._now() + self._rest
        elif self._probing:
            self._probing = False
            self._rest = min(self._rest * 2, self._rules.longest)
            self._until = self._now() + self._rest

    def left(self) -> None:
        """The call ended in a way that says nothing about the provider: cancelled, or refused for its content."""
        self._probing = False
