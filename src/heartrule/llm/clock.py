"""Time as the model layer sees it: injected, so that tests never wait."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Protocol


class Clock(Protocol):
    """Seconds that only go forward."""

    def now(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...

    def within(self, seconds: float) -> AbstractAsyncContextManager[object]:
        """Cancels what runs inside after so many seconds, and raises TimeoutError."""
        ...


class LoopClock:
    """The running event loop's own clock (``time.monotonic`` on the usual loops)."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def within(self, seconds: float) -> AbstractAsyncContextManager[object]:
        return asyncio.timeout(seconds)
