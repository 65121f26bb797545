"""How many requests are answered: of a token, of a network address, and how many new sessions and turns."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from heartrule.server.problems import Problem
from heartrule.server.settings import Rates


class Limits:
    """Counted in this process. Raises the problem ``too-many-requests`` when a limit is reached. Tokens are counted
    under their hashes."""

    def __init__(self, rates: Rates, clock: Callable[[], float] = time.time) -> None:
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._items = {name: RateLimitItemPerMinute(rate) for name, rate in rates.model_dump().items() if rate}
        self._clock = clock

    def token(self, token: str) -> None:
        self._count("token", hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest())

    def address(self, address: str) -> None:
        self._count("address", address)

    def new_session(self, address: str) -> None:
        self._count("sessions", address)

    def turn(self, session: str) -> None:
        self._count("turns", session)

    def _count(self, name: str, who: str) -> None:
        item = self._items.get(name)
        if item is None or self._limiter.hit(item, name, who):
            return
        until = self._limiter.get_window_stats(item, name, who).reset_time
        seconds = min(60, max(1, math.ceil(until - self._clock())))
        raise Problem("too-many-requests", seconds=seconds, headers={"Retry-After": str(seconds)})
