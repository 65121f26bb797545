"""Where a session is in its life (seed 000 §8.1), read off the clock and never stored."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal, Protocol

Life = Literal["created", "active", "away", "suspended", "archived", "ended", "interrupted"]

HERE = timedelta(minutes=5)
"""Quiet for less than this is thinking, not leaving."""
AWAY = timedelta(minutes=30)
RETURN = timedelta(hours=24)
"""Until then a suspended session may be resumed; later it is archived and read-only."""


class LifeFacts(Protocol):
    """What is read of a session to tell."""

    @property
    def status(self) -> str: ...
    @property
    def seq(self) -> int: ...
    @property
    def last_active_at(self) -> datetime: ...
    @property
    def ended_at(self) -> datetime | None: ...


def life_of(session: LifeFacts, now: datetime) -> Life:
    """The session's state at ``now``. An ended session is archived after a day as well; one that its person has paused
    is suspended at once."""
    quiet = now - max(session.last_active_at, session.ended_at or session.last_active_at)
    if quiet >= RETURN:
        return "archived"
    if session.status == "ended":
        return "ended"
    if session.status == "interrupted":
        return "interrupted"
    if session.seq == 0:
        return "created"
    if session.status == "paused":
        return "suspended"
    if quiet < HERE:
        return "active"
    return "away" if quiet < AWAY else "suspended"


def read_only(life: Life) -> bool:
    """Whether nothing may be added any more."""
    return life in ("archived", "ended")
