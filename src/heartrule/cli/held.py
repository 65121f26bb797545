"""One session as a conversation needs it: called from a thread that waits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from heartrule.cli.door import Door
from heartrule.sessions import Outcome, View, Why
from heartrule.store.records import Entry


class Held(Protocol):
    @property
    def id(self) -> str: ...

    def start(self) -> Outcome:
        """The first turn; asked for again, the same one."""
        ...

    def take(self, entry: Entry) -> Outcome: ...

    def view(self) -> View: ...

    def why(self) -> Sequence[Why]:
        """What was decided lately, newest last."""
        ...

    def due(self) -> tuple[datetime, float] | None:
        """When the session wants a turn of its own, and in how many seconds that is."""
        ...


class Session:
    """A session behind the door."""

    def __init__(self, door: Door, session: str) -> None:
        self._door = door
        self.id = session

    def start(self) -> Outcome:
        return self._door.call(self._door.sessions.start, self.id)

    def take(self, entry: Entry) -> Outcome:
        return self._door.call(self._door.sessions.take, self.id, entry)

    def view(self) -> View:
        return self._door.call(self._door.sessions.view, self.id)

    def why(self) -> Sequence[Why]:
        return self._door.call(self._door.sessions.why, self.id)

    def due(self) -> tuple[datetime, float] | None:
        record = self._door.call(self._door.sessions.session, self.id)
        if record.wake_at is None:
            return None
        return record.wake_at, (record.wake_at - self._door.sessions.clock.now()).total_seconds()
