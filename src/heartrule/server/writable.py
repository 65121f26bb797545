"""Whether anything can be written now: a disk that is full answers what is read."""

from __future__ import annotations

import asyncio
import time

from heartrule.store.store import Store

TRIED_EVERY = 5.0
"""Seconds that an answer counts, so that whoever asks often costs no writes."""


class Writable:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._one = asyncio.Lock()
        self._until, self._well = 0.0, False

    async def now(self) -> bool:
        async with self._one:
            if time.monotonic() >= self._until:
                self._well = await self._tried()
                self._until = time.monotonic() + TRIED_EVERY
            return self._well

    async def _tried(self) -> bool:
        try:
            await self._store.try_to_write()
        except Exception:
            return False
        return True
