"""Inputs: accepted once, whatever is sent again, in order, and never to a session that is gone."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import select
from tests.store import worlds
from tests.store.conftest import Opener
from tests.store.worlds import NOW, later, say

from heartrule.store import Store
from heartrule.store.database import Tx
from heartrule.store.records import Accepted, Entry, InboxEntry, KeyReused, StoreError
from heartrule.store.schema import leases


def test_an_input_is_numbered_and_waits(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        assert await store.accept("s1", say("k1", "我"), later(1)) == Accepted(1, False, None)
        assert await store.accept("s1", say("k2", "睡不着", after=4), later(2)) == Accepted(2, False, None)
        loaded = await store.load("s1", 20)
        assert loaded.pending == (
            InboxEntry(1, say("k1", "我"), later(1), None),
            InboxEntry(2, say("k2", "睡不着", after=4), later(2), None),
        )
        assert await store.inbox("s1") == loaded.pending

    asyncio.run(run())


@pytest.mark.parametrize(
    "entry",
    [
        Entry("k", "start"),
        Entry("k", "message", "text", after=0),
        Entry("k", "choice", choice="b", after=7),
        Entry("k", "timer"),
        Entry("k", "resume"),
        Entry("k", "end", text=""),
        Entry("", "message", "空的键"),
        Entry("键\x00\ud800", "message", "\x00\udfff"),
    ],
)
def test_every_kind_of_input_comes_back_as_it_was(store: Store, entry: Entry) -> None:
    async def run() -> None:
        await worlds.session(store)
        await store.accept("s1", entry, NOW)
        assert (await store.accept("s1", entry, later(5))).repeated
        assert [one.entry for one in await store.inbox("s1")] == [entry]

    asyncio.run(run())


def test_what_came_in_is_not_counted_to_the_byte(store: Store) -> None:
    """The sum stands in clear: what one answer adds to it must not tell which it was."""

    async def run() -> None:
        added = {}
        for session, said in (("s1", "yes"), ("s2", "no"), ("s3", "")):
            await worlds.session(store, session)
            await store.accept(session, say("k", said), NOW)
            added[session] = await store._db.read(partial(_counted, session))
        assert added["s1"] == added["s2"] == added["s3"] > 0

    asyncio.run(run())


def _counted(session: str, tx: Tx) -> int:
    return int(tx.conn.execute(select(leases.c.bytes).where(leases.c.session == session)).scalar_one())


def test_the_same_input_again_changes_nothing(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await store.accept("s1", say("k1"), later(1))
        assert await store.accept("s1", say("k1"), later(9)) == Accepted(1, True, None)
        assert [one.received_at for one in await store.inbox("s1")] == [later(1)]

    asyncio.run(run())


def test_a_repeated_input_says_which_turn_consumed_it(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await worlds.talk(store, "s1", 1, "你好")
        again = say("key-1", "你好")
        assert await store.accept("s1", again, later(9)) == Accepted(1, True, 1)
        accepted, loaded = await store.accept_and_load("s1", again, later(9), "two", later(30), 20)
        assert accepted == Accepted(1, True, 1)
        assert loaded is None
        assert await store.claim("s1", "three", later(9), later(30)) is not None

    asyncio.run(run())


@pytest.mark.parametrize(
    "other",
    [
        replace(say("k1", "one", 3), text="two"),
        replace(say("k1", "one", 3), text=None),
        replace(say("k1", "one", 3), after=4),
        replace(say("k1", "one", 3), after=None),
        replace(say("k1", "one", 3), choice="one"),
        replace(say("k1", "one", 3), kind="choice"),
    ],
)
def test_a_key_with_another_body_is_refused(store: Store, other: Entry) -> None:
    async def run() -> None:
        await worlds.session(store)
        await store.accept("s1", say("k1", "one", 3), NOW)
        with pytest.raises(KeyReused):
            await store.accept("s1", other, NOW)
        with pytest.raises(KeyReused):
            await store.accept_and_load("s1", other, NOW, "one", later(30), 20)
        assert [one.entry for one in await store.inbox("s1")] == [say("k1", "one", 3)]

    asyncio.run(run())


def test_the_same_key_in_another_session_is_another_input(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        for name in ("s1", "s2"):
            await worlds.session(store, name, person)
            assert await store.accept(name, say("k", f"to {name}"), NOW) == Accepted(1, False, None)

    asyncio.run(run())


def test_inputs_that_come_at_once_all_get_their_own_number(opener: Opener) -> None:
    stores = [opener(), opener()]

    async def run() -> None:
        await worlds.session(stores[0])
        accepted = await asyncio.gather(
            *(stores[n % 2].accept("s1", say(f"k{n}", f"text {n}"), NOW) for n in range(30)),
        )
        assert sorted(one.number for one in accepted) == list(range(1, 31))
        assert len((await stores[0].load("s1", 20)).pending) == 30

    asyncio.run(run())


def test_the_same_input_sent_many_times_at_once_is_accepted_once(opener: Opener) -> None:
    stores = [opener(), opener()]

    async def run() -> None:
        await worlds.session(stores[0])
        accepted = await asyncio.gather(*(stores[n % 2].accept("s1", say("k"), NOW) for n in range(20)))
        assert sorted(one.repeated for one in accepted) == [False] + [True] * 19
        assert {one.number for one in accepted} == {1}

    asyncio.run(run())


def test_accept_and_load_gives_everything_a_turn_needs(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await worlds.talk(store, "s1", 1, "一")
        accepted, loaded = await store.accept_and_load("s1", say("k2", "二", 2), later(5), "one", later(35), 1)
        assert accepted == Accepted(2, False, None)
        assert loaded is not None
        assert loaded.session.seq == 1
        assert loaded.state["seq"] == 1
        assert worlds.texts(loaded.messages) == ["你说：一"]
        assert [one.entry.text for one in loaded.pending] == ["二"]
        assert [one.value for one in loaded.variables] == ["一"]
        assert loaded.calls == ()
        assert loaded.epoch == 2
        found = await store.session("s1")
        assert found == loaded.session

    asyncio.run(run())


def test_accept_and_load_accepts_even_while_another_holds_the_session(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        assert await store.claim("s1", "other", NOW, later(30)) == 1
        accepted, loaded = await store.accept_and_load("s1", say("k"), later(1), "one", later(31), 20)
        assert (accepted.number, loaded) == (1, None)
        assert len((await store.load("s1", 0)).pending) == 1

    asyncio.run(run())


def test_what_a_crash_left_unanswered_is_found(store: Store) -> None:
    async def run() -> None:
        for name in ("s1", "s2", "s3"):
            await worlds.session(store, name)
        await store.accept("s1", say("k"), NOW)
        await worlds.start(store, "s2", say("k"))
        assert await store.unanswered(later(1), 10) == ("s1",)
        assert await store.unanswered(later(30), 10) == ("s1", "s2")
        assert await store.unanswered(later(30), 1) == ("s1",)
        await worlds.talk(store, "s3", 1, "在")
        assert "s3" not in await store.unanswered(later(99), 10)

    asyncio.run(run())


def test_an_input_is_found_by_its_key(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await worlds.talk(store, "s1", 1, "你好")
        await store.accept("s1", say("\x00 odd \ud800", "再说"), later(2))
        assert await store.input("s1", "key-1") == InboxEntry(1, say("key-1", "你好"), later(1), 1)
        found = await store.input("s1", "\x00 odd \ud800")
        assert found is not None
        assert found.turn is None
        assert await store.input("s1", "key-2") is None
        assert await store.inbox("s1", waiting=True) == (found,)
        assert len(await store.inbox("s1")) == 2

    asyncio.run(run())


def test_a_batch_of_waiting_inputs_shares_fate_with_none(store: Store) -> None:
    """Many transactions wait at once; those that are refused undo nothing of the others."""

    async def run() -> None:
        await worlds.session(store)
        await store.accept("s1", say("taken", "first"), NOW)
        work = []
        for number in range(40):
            work.append(store.accept("s1", say(f"k{number}"), NOW))
            work.append(store.accept("s1", say("taken", f"other {number}"), NOW))
            work.append(store.accept("nowhere", say("k"), NOW))
        done = await asyncio.gather(*work, return_exceptions=True)
        assert sum(isinstance(one, Accepted) for one in done) == 40
        assert sum(isinstance(one, StoreError) for one in done) == 80
        assert len(await store.inbox("s1")) == 41

    asyncio.run(run())
