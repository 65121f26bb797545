"""What staff did stands on record once, without content; and who stands by sees how sessions stand, and no word."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime

import pytest
from tests.store import worlds
from tests.store.worlds import NOW, later, say

from heartrule.store import Store
from heartrule.store.audit import AuditRecord
from heartrule.store.records import Entry, Gone, HumanRecord, KeyReused
from heartrule.store.watchlist import Which

WHO = {"id": "c-1", "name": "王老师"}
DEED = AuditRecord("c-1", "counselor", "s1", "write", NOW)
HUMAN = HumanRecord("c-1", "王老师", NOW)
CRISIS = {"phase": {"index": 0, "id": "p"}, "topic": {"index": 0, "id": "safety/crisis_support", "kind": "skill"}}


def spoken(key: str, text: str = "我在这里") -> Entry:
    return Entry(key, "human", text, who=WHO)


def test_an_entry_of_a_counsellor_comes_back_as_it_was_and_is_put_down_once(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        first = await store.audit.accept(spoken("k"), DEED)
        again = await store.audit.accept(spoken("k"), DEED)
        assert (first.repeated, again.repeated, again.number) == (False, True, first.number)
        assert [each.entry for each in await store.inbox("s1")] == [spoken("k")]
        assert await store.audit.newest() == (DEED,)
        other = replace(spoken("k"), who={"id": "c-2", "name": "李老师"})
        with pytest.raises(KeyReused):
            await store.audit.accept(other, DEED)
        assert await store.audit.newest() == (DEED,)

    asyncio.run(run())


def test_what_is_refused_is_not_on_record(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)

        def refuse(_: object) -> None:
            raise PermissionError

        with pytest.raises(PermissionError):
            await store.audit.accept(spoken("k"), DEED, refuse)
        with pytest.raises(Gone):
            await store.audit.accept(spoken("k"), replace(DEED, session="nothing"))
        assert await store.audit.newest() == ()
        assert await store.inbox("s1") == ()

    asyncio.run(run())


def test_entries_of_older_versions_are_read(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await store.accept("s1", say("k"), NOW)
        (found,) = await store.inbox("s1")
        assert found.entry == say("k")
        assert found.entry.who is None

    asyncio.run(run())


def test_the_newest_come_first_and_of_one_session_if_that_is_asked(store: Store) -> None:
    async def run() -> None:
        for number in range(5):
            await store.audit.note(AuditRecord("c-1", "counselor", f"s{number % 2}", "read", later(number)))
        assert [each.at for each in await store.audit.newest(2)] == [later(4), later(3)]
        assert [each.at for each in await store.audit.newest(session="s1")] == [later(3), later(1)]

    asyncio.run(run())


def test_the_record_outlives_the_person(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        await worlds.session(store, person=person)
        await store.audit.accept(spoken("k"), DEED)
        await store.erase_person(person)
        assert await store.audit.newest(session="s1") == (DEED,)

    asyncio.run(run())


async def held(store: Store, session: str, seq: int = 1, human: HumanRecord | None = HUMAN) -> None:
    await worlds.talk(store, session, seq, "一句话", human=human)


def test_who_holds_a_session_is_known_without_opening_it(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await held(store, "s1")
        record = await store.session("s1")
        assert record is not None
        assert record.human == HUMAN
        (seen,) = await watched(store, "taken")
        assert seen.human == HUMAN
        await held(store, "s1", 2, None)
        record = await store.session("s1")
        assert record is not None
        assert record.human is None
        assert await watched(store, "taken") == ()

    asyncio.run(run())


async def watched(
    store: Store, which: Which, *called: str, since: datetime | None = None, projects: list[str] | None = None
) -> tuple[object, ...]:
    found = await store.watchlist.sessions(which, since or later(-1), called, projects)
    return tuple(found)


def test_a_crisis_is_listed_from_when_it_began_until_it_is_over(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await worlds.talk(store, "s1", 1, "一")
        assert await watched(store, "help") == ()
        await worlds.talk(store, "s1", 2, "二", position=CRISIS)
        await worlds.talk(store, "s1", 3, "三", position=CRISIS)
        (seen,) = await watched(store, "help")
        assert seen.crisis_since == later(2)  # type: ignore[attr-defined]
        assert "三" not in repr(seen)
        await worlds.talk(store, "s1", 4, "四")
        assert await watched(store, "help") == ()

    asyncio.run(run())


def test_one_that_ended_in_a_crisis_is_still_listed_and_others_that_ended_are_not(store: Store) -> None:
    async def run() -> None:
        for name, position in (("s1", CRISIS), ("s2", {}), ("s3", {})):
            await worlds.session(store, name)
            await worlds.talk(store, name, 1, "一", position=position, status="ended", ended=True)
        assert await ids(store, "help") == ["s1"]
        assert await ids(store, "all", "s3") == ["s1", "s3"]

    asyncio.run(run())


async def ids(store: Store, which: Which, *called: str, projects: list[str] | None = None) -> list[str]:
    found = await watched(store, which, *called, projects=projects)
    return sorted(each.id for each in found)  # type: ignore[attr-defined]


def test_who_was_called_for_is_listed_and_only_projects_that_were_asked_for(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        for name, project in (("s1", "demo"), ("s2", "other")):
            await worlds.session(store, name, person, project=project)
            await worlds.talk(store, name, 1, "一")
        assert await ids(store, "help") == []
        assert await ids(store, "help", "s2", "gone") == ["s2"]
        assert await ids(store, "all") == ["s1", "s2"]
        assert await ids(store, "all", projects=["demo"]) == ["s1"]
        assert await ids(store, "all", projects=[]) == []
        await store.erase_person(person)
        assert await ids(store, "all", "s2") == []

    asyncio.run(run())


def test_what_happened_too_long_ago_is_not_listed(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await held(store, "s1")
        assert len(await watched(store, "taken", since=later(0))) == 1
        assert await watched(store, "taken", since=later(5)) == ()

    asyncio.run(run())
