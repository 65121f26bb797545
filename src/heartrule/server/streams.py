"""Answers that are streams of events, and pages that follow one."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Annotated, TypeVar

from fastapi import Depends, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from heartrule.server.problems import asker_language

EVENT_STREAM = "text/event-stream"
Part = TypeVar("Part")


async def _language(request: Request) -> str:
    return asker_language(request)


Language = Annotated[str, Depends(_language)]


LOOK = 15.0
"""Seconds between looks whether who follows a stream still may what they did."""


async def as_long_as(
    still: Callable[[], Awaitable[bool]], parts: AsyncIterable[Part], every: float
) -> AsyncIterator[Part]:
    """The parts, as long as that holds, which is asked for so many seconds after it was asked for last."""
    looked = time.monotonic()
    async for part in parts:
        if time.monotonic() - looked >= every:
            looked = time.monotonic()
            if not await still():
                break
        yield part
    if isinstance(parts, AsyncGenerator):
        await parts.aclose()


class EventStream(StreamingResponse):
    """Not kept anywhere on its way, and not held back by a proxy."""

    def __init__(self, parts: AsyncIterator[bytes]) -> None:
        super().__init__(
            parts, media_type=EVENT_STREAM, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        )


KEPT = 200
"""Events kept for a page that does not take them; with more it is told to read everything again."""


class Listener:
    """One page that follows."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque()
        self._ready = asyncio.Event()
        self._over = False

    def tell(self, name: str, data: BaseModel) -> None:
        if len(self._waiting) >= KEPT:
            self._waiting.clear()
            self._waiting.append(b"event: missed\ndata: {}\n\n")
        text = json.dumps(data.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":"))
        self._waiting.append(f"event: {name}\ndata: {text}\n\n".encode())
        self._ready.set()

    def end(self) -> None:
        self._over = True
        self._ready.set()

    async def next(self, seconds: float) -> bytes | None:
        """None when nothing came. Raises ``StopAsyncIteration`` when nothing more will."""
        if not self._waiting and not self._over:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._ready.wait()
        self._ready.clear()
        if self._waiting:
            if len(self._waiting) > 1:
                self._ready.set()
            return self._waiting.popleft()
        if self._over:
            raise StopAsyncIteration
        return None
