"""What is known of a person, and what is left when one thing of it, or one session, is taken away."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import select
from tests.store import worlds
from tests.store.worlds import NOW, say, variable

from heartrule.store import Store
from heartrule.store.belongings import TABLES
from heartrule.store.records import Gone, NewEscalation
from heartrule.store.schema import metadata, variables

WORDS = "要忘记的话"


async def fill(store: Store, name: str, person: str) -> None:
    await worlds.session(store, name, person)
    for seq in range(1, 22):
        shared = [variable("shared", WORDS, scope="global"), variable("own", WORDS)]
        await worlds.talk(store, name, seq, WORDS, variables=shared)
    await store.accept(name, say("waiting"), NOW)


def rows(store: Store, session: str) -> int:
    """Of a session, in all tables that have any."""
    found = 0
    with store._db.engines.reader.begin() as connection:
        for table in metadata.sorted_tables:
            if table.name in TABLES and "session" in table.c:
                found += len(connection.execute(select(table).where(table.c.session == session)).all())
        found += len(connection.execute(select(variables).where(variables.c.owner == session)).all())
    return found


def test_a_session_goes_and_nothing_else(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        for name in ("s1", "s2"):
            await fill(store, name, person)
            await store.notes.add(name, "c-1", "王老师", WORDS, NOW, lambda _: None)
            await store.cards.change(name, NOW, lambda card: replace(card, tags=(WORDS,)))
        before = rows(store, "s2")
        assert rows(store, "s1") == before > 50
        await store.belongings.remove_session("s1")
        assert rows(store, "s1") == 0
        assert rows(store, "s2") == before
        assert await store.notes.counts(["s1", "s2"]) == {"s2": 1}
        assert list(await store.cards.of(["s1", "s2"])) == ["s2"]
        assert await store.session("s1") is None
        assert [each.id for each in await store.sessions_of(person)] == ["s2"]
        known = await store.belongings.known(person)
        assert [(each.variable.name, each.variable.value) for each in known] == [("shared", WORDS)]
        for work in (store.belongings.remove_session("s1"), store.accept("s1", say("k"), NOW)):
            with pytest.raises(Gone):
                await work
        with pytest.raises(Gone):
            await store.commit(worlds.turn("s1", 22, 1))

    asyncio.run(run())


def test_of_whom_a_session_called_only_that_it_did_is_left(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        for name in ("s1", "s2"):
            await worlds.session(store, name, person)
            told = [NewEscalation("1-1", "desk", "awareness safety/x", "P0", WORDS)]
            await worlds.talk(store, name, 1, WORDS, escalations=told)
        await store.belongings.remove_session("s1")
        left = await store.escalations.find("s1/1-1")
        assert left is not None
        assert (left.session, left.level, left.cause) == ("s1", "P0", "awareness safety/x")
        assert await store.escalations.note("s1/1-1") is None
        assert await store.escalations.note("s2/1-1") == WORDS

    asyncio.run(run())


def test_one_thing_is_forgotten_of_one_person(store: Store) -> None:
    async def run() -> None:
        persons = [await store.new_person(), await store.new_person()]
        for number, person in enumerate(persons):
            await fill(store, f"s{number}", person)
        (known,) = await store.belongings.known(persons[0])
        assert not await store.belongings.forget(persons[0], known.project, "other")
        assert not await store.belongings.forget(persons[0], "other", "shared")
        assert await store.belongings.forget(persons[0], known.project, "shared")
        assert not await store.belongings.forget(persons[0], known.project, "shared")
        assert await store.belongings.known(persons[0]) == ()
        assert len(await store.belongings.known(persons[1])) == 1

    asyncio.run(run())


def test_who_is_erased_is_nobody(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        assert await store.belongings.since(person) is not None
        await store.erase_person(person)
        assert await store.belongings.since(person) is None
        assert await store.belongings.since("nobody") is None

    asyncio.run(run())
