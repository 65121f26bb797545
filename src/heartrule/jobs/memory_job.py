"""The job of remembering a session: what was said so far moves from the window into the other layers, made anew as a
whole each time, so that doing it once more after a crash changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta

from heartrule.jobs.job import DONE, Attempt
from heartrule.sessions import Sessions
from heartrule.sessions.clock import Clock
from heartrule.store.database import Tx
from heartrule.store.outbox import Again
from heartrule.store.recollections import KIND
from heartrule.store.records import Gone

REMEMBER, EMBED = "remember", "embed"
MOVED_ON = "the session has moved on"
PAUSE = timedelta(seconds=5)
LATER = timedelta(minutes=10)
TIMES = 50
"""Attempts at vectors that cannot be had; what is remembered is there without them."""


class Remember:
    """The job of outbox rows that name a session."""

    kind = KIND

    def __init__(self, sessions: Sessions, clock: Clock) -> None:
        self._sessions, self._clock = sessions, clock

    async def steps(self, attempt: Attempt) -> Sequence[str]:
        row = await self._sessions.store.outbox.find(attempt.row)
        record = await self._sessions.store.session(attempt.row)
        if row is None or record is None:
            return []
        wanted = [REMEMBER, *([EMBED] if self._sessions.model.embedder is not None else [])]
        return [each for each in wanted if each not in row.done]

    async def take(self, attempt: Attempt, step: str) -> str:
        with suppress(Gone):  # the session, or its person, is no more: nothing is to be remembered
            if step == REMEMBER:
                return DONE if await self._sessions.remember(attempt.row) else MOVED_ON
            return DONE if await self._sessions.embed(attempt.row) else "unreachable"
        return DONE

    async def settle(self, attempt: Attempt, outcomes: Mapping[str, str]) -> None:
        now, again = self._clock.now(), None
        if outcomes.get(REMEMBER, DONE) != DONE:
            again = Again(now + min(PAUSE * attempt.number, LATER))
        elif outcomes.get(EMBED, DONE) != DONE and attempt.number < TIMES:
            again = Again(now + LATER, (REMEMBER,))
        await self._sessions.store.outbox.settle(attempt.row, attempt.number, again, _nothing)


def _nothing(tx: Tx) -> None:
    """What is remembered was written by the step, whole."""
