"""The job of telling an author by mail what was said to them beside a script: who, how often and where. The words
themselves stay where one has to sign in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta

from heartrule.jobs.job import DONE, Attempt
from heartrule.jobs.notice import Undelivered, digest_line
from heartrule.jobs.settings import EscalationSettings
from heartrule.sessions.clock import Clock
from heartrule.store.comments import KIND, OwedNotice, told
from heartrule.store.outbox import Again
from heartrule.store.store import Store

PAUSE = timedelta(minutes=10)
TIMES = 6
STEP = "email"


class Digest:
    """The job of outbox rows that are called after an author."""

    kind = KIND

    def __init__(self, store: Store, settings: EscalationSettings, clock: Clock) -> None:
        self._store, self._settings, self._clock = store, settings, clock
        self._taken: dict[str, tuple[OwedNotice, ...]] = {}

    async def steps(self, attempt: Attempt) -> Sequence[str]:
        who = _who(attempt)
        if self._settings.smtp is None or await self._store.comments.address(who) is None:
            return []
        return [STEP] if await self._store.comments.owed(who) else []

    async def take(self, attempt: Attempt, step: str) -> str:
        from heartrule.jobs.channels import mail_server
        from heartrule.jobs.email import digest

        who, server = _who(attempt), mail_server(self._settings)
        known, owed = await self._store.comments.address(who), await self._store.comments.owed(who)
        self._taken[attempt.id] = owed
        if known is None or server is None:
            return DONE
        address, language = known
        lines = await self._lines(who, language, owed)
        if not lines:
            return DONE
        key = " ".join([who, *(f"{each.thread}/{each.number}" for each in owed)])
        try:
            await server.deliver(digest(server.sender, address, language, lines, key, self._clock.now()))
        except Undelivered as fault:
            self._taken.pop(attempt.id)
            return fault.kind
        return DONE

    async def _lines(self, who: str, language: str, owed: Sequence[OwedNotice]) -> list[str]:
        """One for each project that they may still open."""
        account = await self._store.accounts.find(who)
        granted = account.granted if account is not None else ()
        lines = []
        for project in dict.fromkeys(each.project for each in owed):
            record = await self._store.projects.find(project)
            writers, readers = await self._store.teams.with_whom(project)
            opens = who in writers | readers or ("developer", project) in granted
            if record is None or not (opens or who == record.owner):
                continue
            by = Counter(each.author for each in owed if each.project == project)
            link = f"{self._settings.address}/staff/workbench/{project}" if self._settings.address else ""
            lines.append(digest_line(language, record.name, by, link))
        return lines

    async def settle(self, attempt: Attempt, outcomes: Mapping[str, str]) -> None:
        failed = any(outcome != DONE for outcome in outcomes.values())
        again = Again(self._clock.now() + PAUSE * attempt.number) if failed and attempt.number < TIMES else None
        owed = self._taken.pop(attempt.id, ())
        await self._store.outbox.settle(attempt.row, attempt.number, again, lambda tx: told(tx, _who(attempt), owed))


def _who(attempt: Attempt) -> str:
    return attempt.row.removeprefix(f"{KIND}/")
