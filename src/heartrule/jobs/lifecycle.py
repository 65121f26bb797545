"""Opening the jobs of a process beside its sessions, and closing them again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from heartrule.jobs.contact_confirmation import Confirm
from heartrule.jobs.digest import Digest
from heartrule.jobs.escalation import EscalationDelivery
from heartrule.jobs.job import Job
from heartrule.jobs.memory_job import Remember
from heartrule.jobs.settings import EscalationSettings
from heartrule.jobs.worker import LOOK_SECONDS, Worker
from heartrule.sessions import Sessions, Settings


@asynccontextmanager
async def working(
    sessions: Sessions,
    where: Settings,
    *,
    patience: float,
    settings: EscalationSettings | None = None,
    look_seconds: float = LOOK_SECONDS,
) -> AsyncIterator[Worker]:
    """What is in the outbox is done for as long as the context lasts; at its end what is under way has ``patience``
    seconds. Raises ``EscalationConfigError`` before anything is begun."""
    found = settings if settings is not None else EscalationSettings.load(where.data)
    jobs: dict[str, Job] = {
        EscalationDelivery.kind: EscalationDelivery(sessions.store, found, where.clock),
        Confirm.kind: Confirm(sessions.store, found, where.clock),
        Digest.kind: Digest(sessions.store, found, where.clock),
        Remember.kind: Remember(sessions, where.clock),
    }
    worker = Worker(sessions.store, where.clock, sessions.owner, jobs, look_seconds)
    worker.mails, worker.push = found.smtp is not None, found.push
    sessions.turn_listeners.append(worker.hear)
    sessions.reach(found.reaches())
    running = asyncio.create_task(worker.run())
    try:
        yield worker
    finally:
        sessions.reach(())
        sessions.turn_listeners.remove(worker.hear)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await worker.stop(patience)
