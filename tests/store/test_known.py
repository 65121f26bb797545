"""Loading only what others may have changed, of a session that stands where the caller left it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from tests.store import worlds
from tests.store.worlds import LEASE, NOW, later, say

from heartrule.store import Store
from heartrule.store.records import Gone, InboxEntry, LoadedSession, Mark


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


async def enter(store: Store, key: str, known: Mark | None, seconds: float = 5, owner: str = "one") -> LoadedSession:
    now = later(seconds)
    _, loaded = await store.accept_and_load("s1", say(key), now, owner, now + LEASE, 20, None, known)
    assert loaded is not None
    return loaded


async def committed(store: Store) -> Mark:
    """One turn, and where it left the session."""
    await worlds.session(store)
    made = await worlds.talk(store, "s1", 1, "在", variables=[worlds.variable("said", 1), SHARED])
    return Mark(made.epoch, made.seq)


SHARED = worlds.variable("name", "小明", scope="global")


def test_what_the_caller_knows_is_not_read(store: Store) -> None:
    async def work() -> None:
        known = await committed(store)
        loaded = await enter(store, "k", known)
        assert loaded.unchanged
        assert (loaded.state, loaded.messages, loaded.calls) == (None, (), ())
        assert [(v.name, v.value) for v in loaded.variables] == [("name", "小明")]
        assert loaded.session == await store.session("s1")
        assert loaded.epoch == known.epoch + 1

    run(work())


def test_what_waits_is_as_it_is_read(store: Store) -> None:
    async def work() -> None:
        known = await committed(store)
        loaded = await enter(store, "k", known)
        assert loaded.pending == await store.inbox("s1", waiting=True)
        assert loaded.pending == (InboxEntry(2, say("k"), later(5), None),)
        whole = await enter(store, "l", known)
        assert [item.number for item in whole.pending] == [2, 3]
        assert whole.pending == await store.inbox("s1", waiting=True)

    run(work())


@pytest.mark.parametrize("known", [None, Mark(1, 0), Mark(0, 1), Mark(2, 1), Mark(1, 2)], ids=str)
def test_anything_but_where_it_stands_is_read_whole(store: Store, known: Mark | None) -> None:
    async def work() -> None:
        assert await committed(store) == Mark(1, 1)
        loaded = await enter(store, "k", known)
        assert not loaded.unchanged
        assert loaded.state is not None
        assert [v.name for v in loaded.variables] == ["name", "said"]
        assert worlds.texts(loaded.messages) == ["在", "你说：在"]

    run(work())


def test_a_lease_taken_and_given_back_in_between_shows(store: Store) -> None:
    async def work() -> None:
        known = await committed(store)
        epoch = await store.claim("s1", "two", NOW, NOW + LEASE)
        assert epoch is not None
        await store.save_calls("s1", "two", epoch, [worlds.call(2)])
        await store.release("s1", "two", epoch)
        loaded = await enter(store, "k", known)
        assert not loaded.unchanged
        assert len(loaded.calls) == 1

    run(work())


def test_a_lease_that_another_let_run_out_shows(store: Store) -> None:
    async def work() -> None:
        known = await committed(store)
        await store.claim("s1", "two", NOW, NOW + LEASE)
        assert not (await enter(store, "k", known, seconds=500)).unchanged

    run(work())


def test_a_turn_that_another_committed_shows(store: Store) -> None:
    async def work() -> None:
        known = await committed(store)
        await worlds.talk(store, "s1", 2, "还在")
        loaded = await enter(store, "k", known, seconds=9)
        assert not loaded.unchanged
        assert worlds.texts(loaded.messages)[-1] == "你说：还在"

    run(work())


def test_globals_of_another_session_are_read(store: Store) -> None:
    async def work() -> None:
        known = await committed(store)
        record = await store.session("s1")
        assert record is not None
        await worlds.session(store, "s2", record.person)
        await worlds.talk(store, "s2", 1, "在", variables=[worlds.variable("name", "大明", scope="global")])
        loaded = await enter(store, "k", known)
        assert loaded.unchanged
        assert [v.value for v in loaded.variables] == ["大明"]

    run(work())


def test_nothing_is_known_of_who_is_gone(store: Store) -> None:
    async def work() -> None:
        known = await committed(store)
        record = await store.session("s1")
        assert record is not None
        await store.erase_person(record.person)
        with pytest.raises(Gone):
            await enter(store, "k", known)

    run(work())
