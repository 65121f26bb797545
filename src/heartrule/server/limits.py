"""How many requests are answered: of a token, of a network address, and how many new sessions and turns."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable

from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from heartrule.server.problems import Problem
from heartrule.server.settings import Rates

CONTACTS = 20
"""An hour, of one address."""
KILOBYTES = 64 * 1024
"""An hour, of what one address sends to be kept."""
APART = frozenset({"message", "form_draft"})
"""Kinds of turns that have an allowance of their own."""


class Limits:
    """Counted in this process. Raises the problem ``too-many-requests`` when a limit is reached. Tokens are counted
    under their hashes."""

    def __init__(self, rates: Rates, clock: Callable[[], float] = time.time) -> None:
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._items: dict[str, RateLimitItem] = {
            name: RateLimitItemPerMinute(rate) for name, rate in rates.model_dump().items() if rate
        }
        if any(self._items):
            self._items["contacts"] = RateLimitItemPerHour(CONTACTS)
            self._items["kilobytes"] = RateLimitItemPerHour(KILOBYTES)
        self._clock = clock

    def token(self, token: str) -> None:
        self._count("token", hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest())

    def address(self, address: str) -> None:
        self._count("address", address)

    def page(self, address: str) -> None:
        self._count("pages", address)

    def weigh(self, address: str, size: int) -> None:
        """Of what one address sends to be kept."""
        self._count("kilobytes", address, -(-size // 1024))

    def contact(self, address: str) -> None:
        """Of naming contacts, and of what they answer: it goes to somebody else in our name."""
        self._count("contacts", address)

    def new_session(self, address: str) -> None:
        self._count("sessions", address)

    def turn(self, session: str, kind: str = "") -> None:
        """A person's words and the drafts of their forms are counted each by itself, and apart from all else that makes
        a turn: none of it, whoever does it, uses up what the person may say."""
        self._count("turns", f"{session} {kind if kind in APART else ''}")

    def _count(self, name: str, who: str, cost: int = 1) -> None:
        item = self._items.get(name)
        if item is None or self._limiter.hit(item, name, who, cost=cost):
            return
        until = self._limiter.get_window_stats(item, name, who).reset_time
        seconds = min(item.get_expiry(), max(1, math.ceil(until - self._clock())))
        raise Problem("too-many-requests", seconds=seconds, headers={"Retry-After": str(seconds)})
