"""Words that came before those they follow: how long they wait for them."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 3.0
"""Seconds since the first try. What was only lost on its way is sent again well within it."""
MOST = 10_000
"""Of such words; of more the oldest are forgotten, and wait anew."""


class MessageOrder:
    """Counted in this process. What they follow may never come: it was refused, or its sender has gone. Words that may
    tell of danger are not lost for that, and are taken when they have waited long enough."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since: dict[tuple[str, str], float] = {}

    def waits(self, session: str, key: str) -> bool:
        """Whether the words of this key are to be sent again, as what they follow has not come."""
        now = self._clock()
        since = self._since.setdefault((session, key), now)
        if len(self._since) > MOST:
            del self._since[next(iter(self._since))]
        return now - since < PATIENCE
