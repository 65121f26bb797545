"""A session held through the sessions' own door, from start to end, by a visitor."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from heartrule.sessions import Outcome, Sessions
from heartrule.sessions.rows import state_of
from heartrule.store.records import Entry
from heartrule.testing.visitor import Visitor

START = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


class MovedClock:
    """The time of day, moved by the test."""

    def __init__(self, start: datetime = START) -> None:
        self.time = start

    def now(self) -> datetime:
        return self.time

    def pass_(self, **time: float) -> None:
        self.time += timedelta(**time)


@dataclass(slots=True)
class Held:
    """A session that has been held. ``entries`` are all inputs after the start, in order."""

    session: str
    outcome: Outcome
    entries: list[Entry] = field(default_factory=list)
    times: list[datetime] = field(default_factory=list)

    @property
    def completed(self) -> bool:
        return self.outcome.execution_status != "waiting_input"


async def hold(sessions: Sessions, session: str, visitor: Visitor, clock: MovedClock, limit: int = 200) -> Held:
    """Start a session and answer until it ends, or ``limit`` inputs have been given."""
    held = Held(session, await sessions.start(session))
    while not held.completed and len(held.entries) < limit:
        clock.pass_(seconds=30)
        loaded = await sessions.store.load(session, 1)
        kind, words = visitor.reply(state_of(loaded.state), held.outcome.request)
        after = loaded.messages[-1].number if loaded.messages else 0
        key = f"input {len(held.entries) + 1}"
        if kind == "choice":
            entry = Entry(key, "choice", choice=words, after=after)
        else:
            entry = Entry(key, "message", text=words, after=after)
        held.entries.append(entry)
        held.times.append(clock.now())
        held.outcome = await sessions.take(session, entry)
    return held
