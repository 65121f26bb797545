"""The time of day within a conversation: as long as it would take two people, however long the readers take."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

READING = {True: 8.0, False: 20.0}
TYPING = {True: 1.5, False: 4.0}
"""Characters a second, of writing with Chinese characters and without."""
ANSWERING = 4.0
"""Seconds a turn of a model takes."""

EVENING = 20
"""The hour (of the server's clock, UTC) at which a conversation begins."""


class TalkClock:
    """Stands still while somebody is thought for, and is moved by what was read and typed. Without it a topic's time
    would be up, and a visitor be tired, because a reader was slow. It begins in the evening of today, when those who
    are played mostly write: told that it is six in the morning, a model wonders at it."""

    def __init__(self, start: datetime | None = None) -> None:
        self._now = start or datetime.now(UTC).replace(hour=EVENING, minute=0, second=0, microsecond=0)

    @classmethod
    def on(cls, day: date | None) -> TalkClock:
        """In the evening of ``day``; of today where none is told."""
        return cls(None if day is None else datetime.combine(day, time(EVENING), UTC))

    def now(self) -> datetime:
        return self._now

    def read(self, text: str) -> None:
        self.wait(len(text) / READING[is_chinese(text)])

    def typed(self, text: str) -> None:
        self.wait(2 + len(text) / TYPING[is_chinese(text)])

    def wait(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)
