"""Reading part of a history, on every database: the turns after one, a person's sessions, how far sessions are."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

import pytest
from tests.store import worlds

from heartrule.store import Store
from heartrule.store.crypto import Unreadable
from heartrule.store.records import Gone


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


def test_turns_after_one(store: Store) -> None:
    async def work() -> None:
        session = await worlds.session(store)
        for seq in range(1, 6):
            await worlds.talk(store, session, seq, f"第 {seq} 句")
        found = await store.turns(session, after=2, limit=2)
        assert [turn.seq for turn in found] == [3, 4]
        assert found == (await store.turn(session, 3), await store.turn(session, 4))
        assert worlds.texts(found[0].messages) == ["第 3 句", "你说：第 3 句"]
        assert await store.turns(session, after=5) == ()
        with pytest.raises(Gone):
            await store.turns("nobody's")

    run(work())


def test_turns_that_said_nothing_are_among_them(store: Store) -> None:
    async def work() -> None:
        session = await worlds.session(store)
        await worlds.talk(store, session, 1, "在")
        await worlds.talk(store, session, 2, "", messages=[], consumed=[2])
        last = worlds.message(3, 3, "再见")
        await worlds.talk(store, session, 3, "", messages=[last], consumed=[3])
        found = await store.turns(session)
        assert [worlds.texts(turn.messages) for turn in found] == [["在", "你说：在"], [], ["再见"]]
        assert [worlds.texts(turn.messages) for turn in await store.turns(session, 1, 1)] == [[]]

    run(work())


def test_a_persons_sessions_newest_first(store: Store) -> None:
    async def work() -> None:
        person = await store.new_person()
        for number, seconds in enumerate((0, 5, 5, 3)):
            await worlds.session(store, f"s{number}", person, created_at=worlds.later(seconds))
        await worlds.session(store, "other")
        found = await store.newest_of_person(person, 10)
        assert [record.id for record in found] == ["s2", "s1", "s3", "s0"]
        assert found[0] == await store.session("s2")
        assert [record.id for record in await store.newest_of_person(person, 2, "s2")] == ["s1", "s3"]
        assert [record.id for record in await store.newest_of_person(person, 2, "s0")] == []
        for strange in ("other", "nobody's"):
            assert await store.newest_of_person(person, 2, strange) == ()

    run(work())


def test_how_far_sessions_are(store: Store) -> None:
    async def work() -> None:
        one, two = await worlds.session(store, "s1"), await worlds.session(store, "s2")
        await worlds.talk(store, two, 1, "在")
        assert await store.seqs([one, two, "s3", "\x00", "\ud800"]) == {"s1": 0, "s2": 1}
        assert await store.seqs([]) == {}
        record = await store.session(two)
        assert record is not None
        await store.erase_person(record.person)
        assert await store.seqs([one, two]) == {"s1": 0}

    run(work())


def test_how_far_sessions_are_is_read_without_a_key(store: Store) -> None:
    """It is asked about every second, for everything that somebody watches."""

    async def work() -> None:
        session = await worlds.session(store)
        opened = store._db.keys.box
        store._db.keys.box = None  # type: ignore[method-assign, assignment]
        assert await store.seqs([session]) == {session: 0}
        store._db.keys.box = opened  # type: ignore[method-assign]

    run(work())


def test_a_turn_may_pause_its_session(store: Store) -> None:
    async def work() -> None:
        session = await worlds.session(store)
        await worlds.talk(store, session, 1, "在", status="paused")
        record = await store.session(session)
        assert record is not None
        assert record.status == "paused"
        await store.put_down(session, "one", None, interrupted=True)
        after = await store.session(session)
        assert after == replace(record, status="interrupted")

    run(work())


def test_messages_before_one(store: Store) -> None:
    async def work() -> None:
        session = await worlds.session(store)
        for seq in range(1, 6):
            await worlds.talk(store, session, seq, f"第 {seq} 句")
        everything = await store.messages(session)
        assert await store.last_messages(session) == everything
        assert await store.last_messages(session, limit=3) == everything[-3:]
        assert await store.last_messages(session, before=8, limit=3) == everything[4:7]
        assert await store.last_messages(session, before=3) == everything[:2]
        assert await store.last_messages(session, before=1) == ()
        assert await store.last_messages(session, limit=0) == ()

    run(work())


KINDS = ("exit", "judged", "round")
CHOSEN = [
    ({}, list(range(1, 13))),
    ({"limit": 4}, [9, 10, 11, 12]),
    ({"limit": 99}, list(range(1, 13))),
    ({"limit": 0}, []),
    ({"kinds": ("exit",)}, [1, 4, 7, 10]),
    ({"kinds": ("exit",), "limit": 2}, [7, 10]),
    ({"kinds": ("exit", "judged"), "limit": 3}, [8, 10, 11]),
    ({"kinds": (), "limit": 3}, []),
    ({"kinds": ("directive",), "limit": 3}, []),
    ({"turn": 2}, [4, 5, 6]),
    ({"turn": 2, "limit": 1}, [6]),
    ({"turn": 2, "kinds": ("judged",)}, [5]),
    ({"turn": 9}, []),
]


@pytest.mark.parametrize(("wanted", "numbers"), CHOSEN, ids=str)
def test_events_of_a_kind_a_turn_and_the_latest(store: Store, wanted: dict[str, Any], numbers: list[int]) -> None:
    async def work() -> None:
        session = await worlds.session(store)
        for seq in range(1, 5):
            first = 3 * (seq - 1) + 1
            happened = [worlds.event(seq, n, KINDS[n - 1], count=first + n - 1) for n in (1, 2, 3)]
            await worlds.talk(store, session, seq, "在", events=happened)
        found = await store.events(session, **wanted)
        assert [event.data["count"] for event in found] == numbers

    run(work())


def test_events_that_are_not_given_back_are_not_opened(store: Store) -> None:
    async def work() -> None:
        session = await worlds.session(store)
        for seq in (1, 2, 3):
            await worlds.talk(store, session, seq, "在")
        with store._db.engines.writer.begin() as connection:
            connection.exec_driver_sql(
                "UPDATE events SET data = turn_data.data FROM (SELECT data FROM events LIMIT 1)"
                " AS turn_data WHERE turn < 3"
            )
        assert len(await store.events(session, limit=2)) == 2
        with pytest.raises(Unreadable):
            await store.events(session, limit=3)

    run(work())


def test_calls_of_one_turn(store: Store) -> None:
    async def work() -> None:
        session = await worlds.session(store)
        for seq in (1, 2):
            await worlds.talk(store, session, seq, "在")
        assert [call.turn for call in await store.calls(session)] == [1, 2]
        assert [call.turn for call in await store.calls(session, 2)] == [2]

    run(work())
