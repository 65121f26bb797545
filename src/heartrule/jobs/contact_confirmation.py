"""The job of asking a contact whether they agree to be told: one message, and nothing else before they have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from heartrule.jobs.job import DONE, Attempt
from heartrule.jobs.notice import Undelivered
from heartrule.jobs.settings import EscalationSettings
from heartrule.sessions.clock import Clock
from heartrule.store.contacts import KIND
from heartrule.store.database import Tx
from heartrule.store.outbox import Again
from heartrule.store.store import Store

PAUSE = timedelta(minutes=10)
TIMES = 6
STEP = "email"


class Confirm:
    """The job of outbox rows of contacts."""

    kind = KIND

    def __init__(self, store: Store, settings: EscalationSettings, clock: Clock) -> None:
        self._store, self._settings, self._clock = store, settings, clock

    async def steps(self, attempt: Attempt) -> Sequence[str]:
        asked, row = await self._store.contacts.asked(attempt.row), await self._store.outbox.find(attempt.row)
        if asked is None or row is None or asked.contact.confirmed or not self._settings.asks:
            return []
        return [] if STEP in row.done else [STEP]

    async def take(self, attempt: Attempt, step: str) -> str:
        from heartrule.jobs.channels import mail_server
        from heartrule.jobs.email import request

        asked, server = await self._store.contacts.asked(attempt.row), mail_server(self._settings)
        if asked is None or server is None:
            return DONE
        try:
            await server.deliver(request(server.sender, asked, self._settings.asking(asked.token), self._clock.now()))
        except Undelivered as fault:
            return fault.kind
        return DONE

    async def settle(self, attempt: Attempt, outcomes: Mapping[str, str]) -> None:
        failed = any(outcome != DONE for outcome in outcomes.values())
        again = Again(self._clock.now() + PAUSE * attempt.number) if failed and attempt.number < TIMES else None
        await self._store.outbox.settle(attempt.row, attempt.number, again, _nothing)


def _nothing(tx: Tx) -> None:
    """Nobody waits for the outcome: whether they have agreed stands with the contact."""
