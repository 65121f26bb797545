"""Which sessions are over: told without opening anything of them."""

from __future__ import annotations

import asyncio

import pytest
from tests.store import worlds
from tests.store.worlds import later

from heartrule.store import Store
from heartrule.store.crypto import Box
from heartrule.store.records import EndedSession


def test_those_that_have_ended_are_told_the_earliest_first(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        assert await store.ended_sessions() == ()
        person = await store.new_person()
        for name in ("s1", "s2", "s3"):
            await worlds.session(store, name, person=person)
        await store.set_status("s3", "ended", later(1))
        await store.set_status("s1", "ended", later(2))
        await store.set_status("s2", "paused", later(3))
        monkeypatch.setattr(Box, "open", None)
        assert await store.ended_sessions() == (
            EndedSession("s3", "demo/main", "bundle-1", later(1)),
            EndedSession("s1", "demo/main", "bundle-1", later(2)),
        )

    asyncio.run(run())


def test_those_of_somebody_who_is_being_erased_are_left_out(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        await worlds.session(store, "s1", person=person)
        await store.set_status("s1", "ended", later(1))
        await store.erase_person(person)
        assert await store.ended_sessions() == ()

    asyncio.run(run())
