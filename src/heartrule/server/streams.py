"""Answers that are streams of events."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Request
from fastapi.responses import StreamingResponse

from heartrule.server.problems import asker_language

EVENT_STREAM = "text/event-stream"


async def _language(request: Request) -> str:
    return asker_language(request)


Language = Annotated[str, Depends(_language)]


class EventStream(StreamingResponse):
    """Not kept anywhere on its way, and not held back by a proxy."""

    def __init__(self, parts: AsyncIterator[bytes]) -> None:
        super().__init__(
            parts, media_type=EVENT_STREAM, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        )
