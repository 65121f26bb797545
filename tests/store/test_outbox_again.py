"""What is asked for while it is being done is done once more, and never lost with the attempt that was under way."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from heartrule.store import Store
from heartrule.store.outbox import add_once

NOW = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)


def test_what_is_asked_for_meanwhile_outlives_the_attempt(store: Store) -> None:
    async def work() -> None:
        write = store._db.write
        await write(lambda tx: add_once(tx, "one", "remember", NOW))
        (row,) = await store.outbox.due(NOW, 10)
        assert await store.outbox.claim(row, "worker", NOW + timedelta(minutes=1))
        await write(lambda tx: add_once(tx, "one", "remember", NOW + timedelta(seconds=1)))
        assert not await store.outbox.settle("one", row.attempt, None, lambda tx: None), "it had read what was before"
        (again,) = await store.outbox.due(NOW + timedelta(seconds=1), 10)
        assert again.attempt == row.attempt + 1
        assert await store.outbox.claim(again, "worker", NOW + timedelta(minutes=1))
        assert await store.outbox.settle("one", again.attempt, None, lambda tx: None)
        assert await store.outbox.due(NOW + timedelta(hours=1), 10) == ()

    asyncio.run(work())


def test_what_waits_is_not_asked_for_twice(store: Store) -> None:
    async def work() -> None:
        for _ in range(2):
            await store._db.write(lambda tx: add_once(tx, "one", "remember", NOW))
        (row,) = await store.outbox.due(NOW, 10)
        assert row.attempt == 1

    asyncio.run(work())
