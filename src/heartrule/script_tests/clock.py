"""When a conversation is held: moments as tests write them."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import UTC, datetime, timedelta

BEGINS = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
"""When a conversation begins that does not say it."""


def moment(text: str) -> datetime | None:
    """A day and a time (UTC unless it says otherwise); None when the text is none."""
    try:
        at = datetime.fromisoformat(text)
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        for years in (-_ROOM, _ROOM):  # a conversation, and what it remembers, has to fit before the end of time
            (at + years).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return at


_ROOM = timedelta(days=36_525)


class SkippingClock:
    """A clock of the model layer that stands still until somebody sleeps: what would be waited is skipped."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        self._now += seconds

    def within(self, seconds: float) -> AbstractAsyncContextManager[object]:
        return nullcontext()
