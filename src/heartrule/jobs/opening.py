"""Opening the jobs of a process beside its sessions, and closing them again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from heartrule.jobs.dispatch import LOOK_SECONDS, Dispatcher
from heartrule.jobs.escalating import Escalate
from heartrule.jobs.settings import EscalationSettings
from heartrule.jobs.work import Jobs, Work
from heartrule.sessions import Sessions, Settings


@asynccontextmanager
async def working(
    sessions: Sessions,
    where: Settings,
    *,
    patience: float,
    settings: EscalationSettings | None = None,
    look_seconds: float = LOOK_SECONDS,
) -> AsyncIterator[Dispatcher]:
    """What is in the outbox is done for as long as the context lasts; at its end what is under way has ``patience``
    seconds. Raises ``EscalationConfigError`` before anything is begun."""
    found = settings if settings is not None else EscalationSettings.load(where.data)
    works: dict[str, Work] = {Escalate.kind: Escalate(sessions.store, found, where.clock)}

    async def open_jobs() -> Jobs:
        # Imported here: only who has something to do pays for it.
        from heartrule.jobs.attempts import Undurable
        from heartrule.jobs.durable import Durable, Taken

        place = where.database if where.database and not where.database.startswith("sqlite") else where.data
        try:
            return await Durable.open(place, sessions.owner.id, works, dispatcher.hold, dispatcher.failed)
        except Taken:
            return Undurable(works, dispatcher.hold, dispatcher.failed)

    dispatcher = Dispatcher(sessions.store, where.clock, sessions.owner, works, open_jobs, where.data, look_seconds)
    sessions.turn_listeners.append(dispatcher.hear)
    sessions.reach(found.reaches())
    running = asyncio.create_task(dispatcher.run())
    try:
        yield dispatcher
    finally:
        sessions.reach(())
        sessions.turn_listeners.remove(dispatcher.hear)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await dispatcher.stop(patience)
