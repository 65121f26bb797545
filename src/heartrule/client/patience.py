"""How often a request is tried, and how long is waited in between."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

from heartrule.client.answers import Reply, decode_reply
from heartrule.client.calls import Call
from heartrule.client.problem import Problem

T = TypeVar("T")
OUT_OF_ORDER = 0.15
"""Seconds before the second try: what was said before has not come yet, and a moment later it will have. Doubled like
other waits, so that all tries together last longer than the server waits for what does not come."""


@dataclass(frozen=True, slots=True)
class Patience:
    """At most ``tries``; ``first`` seconds before the second, twice as long before each further one, at most ``most``.
    A server that asks for more time (``Retry-After``) is given it, up to ``longest``."""

    tries: int = 6
    first: float = 0.5
    most: float = 8.0
    longest: float = 60.0

    def wait(self, tried: int, problem: Problem) -> float | None:
        """Seconds to wait after so many tries; None when it is not tried again."""
        asked = problem.retry_after or 0.0
        if tried >= self.tries or not problem.is_passing or asked > self.longest:
            return None
        first = OUT_OF_ORDER if problem.code == "out-of-order" else self.first
        return max(asked, min(first * 2.0 ** (tried - 1), self.most))


Step = Call[object] | float
"""A request to be sent, or seconds to be waited."""


def asked(call: Call[T], patience: Patience) -> Generator[Step, Reply | Problem | None, T]:
    """Yields the call and waits until there is an answer to be had, and returns it; is sent what came of each. Raises
    ``Problem``. What may have been heard and would count twice is not asked again."""
    tried = 0
    while True:
        came = yield call  # type: ignore[misc]
        tried += 1
        try:
            if isinstance(came, Reply):
                return decode_reply(call, came)
            assert came is not None
            problem = came
        except Problem as refused:
            problem = refused
        wait = patience.wait(tried, problem) if call.again or not problem.was_taken else None
        if wait is None:
            raise problem
        yield wait
