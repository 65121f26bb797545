"""Waiting for a model that has as many calls under way as it may have."""

from __future__ import annotations

import asyncio
from bisect import insort
from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import count

from heartrule.llm.clock import Clock
from heartrule.llm.upstream import Upstream


@dataclass(order=True, slots=True)
class _Waiter:
    urgency: int
    number: int
    wants: Collection[Upstream] = field(compare=False)
    granted: asyncio.Future[Upstream] = field(compare=False)


class Slots:
    """Who waits for which model: the more urgent first, then whoever came first. What becomes free is handed to the
    next who waits for it, so nobody who comes later gets in between."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: list[_Waiter] = []
        self._numbers = count()

    def take(self, upstream: Upstream) -> bool:
        """One more call is under way there, if there may be."""
        if upstream.full:
            return False
        upstream.busy += 1
        return True

    def free(self, upstream: Upstream) -> None:
        """A call is over."""
        upstream.busy -= 1
        if upstream.full:
            return
        for waiter in self._waiting:
            if upstream in waiter.wants and not waiter.granted.done():
                upstream.busy += 1
                waiter.granted.set_result(upstream)
                return

    async def wait(self, wants: Collection[Upstream], seconds: float, urgency: int = 1) -> Upstream | None:
        """The first of ``wants`` to become free, already taken; None when none did within ``seconds``."""
        granted: asyncio.Future[Upstream] = asyncio.get_running_loop().create_future()
        waiter = _Waiter(urgency, next(self._numbers), wants, granted)
        insort(self._waiting, waiter)
        try:
            async with self._clock.within(seconds):
                return await granted
        except TimeoutError:
            return granted.result() if granted.done() and not granted.cancelled() else None
        except asyncio.CancelledError:
            if granted.done() and not granted.cancelled():
                self.free(granted.result())
            raise
        finally:
            self._waiting.remove(waiter)
