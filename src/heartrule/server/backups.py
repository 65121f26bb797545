"""Copies that the server makes of what it keeps, when one is due."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta
from pathlib import Path

from heartrule import logs
from heartrule.server.settings import Backups
from heartrule.sessions import Settings
from heartrule.store import backup
from heartrule.store.records import StoreError

_AGAIN = timedelta(minutes=10)
"""After a copy that failed."""


class ScheduledBackups:
    """One at a time, on a thread of its own; who serves does not wait for it."""

    def __init__(self, wanted: Backups | None, where: Settings) -> None:
        self._wanted, self._where = wanted, where
        self._next: datetime | None = None
        self._running: asyncio.Task[None] | None = None

    def sweep(self, now: datetime) -> None:
        """Begin a copy where one is due."""
        if self._wanted is None or (self._running is not None and not self._running.done()):
            return
        if self._next is None:
            self._next = self._due(now)
        if now >= self._next:
            self._running = asyncio.create_task(self._make(now))

    async def finish(self) -> None:
        """Wait for one that has begun."""
        if self._running is not None:
            await self._running

    def _due(self, now: datetime) -> datetime:
        assert self._wanted is not None
        made = [time for path in backup.taken(self._wanted.folder) if (time := backup.time_of(path)) is not None]
        return max(made) + timedelta(hours=self._wanted.hours) if made else now

    async def _make(self, now: datetime) -> None:
        assert self._wanted is not None
        try:
            made = await asyncio.to_thread(self._take, now, self._wanted.folder, self._wanted.keep)
        except (StoreError, OSError) as error:
            kind, code = type(error).__name__, getattr(error, "code", None)
            logs.event("backup failed", level=logging.ERROR, kind=kind, code=code)
            self._next = now + _AGAIN
        else:
            logs.event("backup made", file=made.name, bytes=made.stat().st_size)
            self._next = now + timedelta(hours=self._wanted.hours)

    def _take(self, now: datetime, folder: Path, keep: int) -> Path:
        made = backup.take(self._where.data, folder, now, database=self._where.database)
        backup.prune(folder, keep)
        return made
