"""Persons, bundles and sessions, on both databases."""

from __future__ import annotations

import asyncio
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.store import worlds
from tests.store.conftest import Opener
from tests.store.worlds import NOW, SOURCES, later

from heartrule.language.compiling.script import Source
from heartrule.store import Store
from heartrule.store.bundles import NoSuchBundle
from heartrule.store.database import Tx
from heartrule.store.records import Gone, NewSession


def test_a_person_is_found_by_subject(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person("tenant|user-7")
        assert await store.person_of_subject("tenant|user-7") == person
        assert await store.person_of_subject("tenant|user-8") is None
        assert await store.new_person("tenant|user-7") == person

    asyncio.run(run())


def test_anonymous_persons_are_all_different(store: Store) -> None:
    async def run() -> None:
        assert len({await store.new_person() for _ in range(5)}) == 5

    asyncio.run(run())


def test_two_first_visits_of_one_subject_at_once_make_one_person(opener: Opener) -> None:
    one, other = opener(), opener()

    async def run() -> None:
        made = await asyncio.gather(*(each.new_person("same") for each in (one, other) * 6))
        assert len(set(made)) == 1
        await worlds.session(other, person=made[0])

    asyncio.run(run())


def test_a_bundle_comes_back_whole_and_in_order(store: Store) -> None:
    async def run() -> None:
        await store.save_bundle("b1", SOURCES)
        await store.save_bundle("b1", SOURCES)
        assert await store.bundle("b1") == SOURCES
        await store.save_bundle("b2", tuple(reversed(SOURCES)))
        assert await store.bundle("b2") == tuple(reversed(SOURCES))

    asyncio.run(run())


def test_a_bundle_may_hold_the_same_text_twice_and_any_character(store: Store) -> None:
    files = (
        Source("a", "x.yaml", "c" * 64, "a\x00b\udc80"),
        Source("b", "x.yaml", "c" * 64, "a\x00b\udc80"),
        Source("b", "empty.yaml", "d" * 64, ""),
    )

    async def run() -> None:
        await store.save_bundle("odd", files)
        assert await store.bundle("odd") == files
        await store.save_bundle("none", ())
        assert await store.bundle("none") == ()

    asyncio.run(run())


def test_an_unknown_bundle_is_refused(store: Store) -> None:
    async def run() -> None:
        with pytest.raises(NoSuchBundle):
            await store.bundle("nowhere")
        person = await store.new_person()
        with pytest.raises(NoSuchBundle):
            await store.create_session(NewSession("s", person, "demo", "demo/main", "nowhere", "zh", {}, NOW))
        assert await store.session("s") is None

    asyncio.run(run())


def test_a_new_session_comes_back_as_it_was_made(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        await worlds.session(store, "s1", person)
        await worlds.session(store, "s2", person, parent="s1", metadata={}, locale="en", created_at=later(5))
        found = await store.session("s1")
        assert found is not None
        assert (found.person, found.project, found.script, found.bundle) == (person, "demo", "demo/main", "bundle-1")
        assert (found.status, found.seq, found.position, found.parent) == ("created", 0, {}, None)
        assert (found.created_at, found.last_active_at, found.ended_at, found.wake_at) == (NOW, NOW, None, None)
        assert found.metadata == {"channel": "web"}
        assert [one.id for one in await store.sessions_of(person)] == ["s1", "s2"]
        assert (await store.sessions_of(person))[1].parent == "s1"
        assert await store.sessions_of("nobody") == ()

    asyncio.run(run())


def test_the_newest_sessions_of_everybody(store: Store) -> None:
    async def run() -> None:
        for number in (1, 2, 3):
            await worlds.session(store, f"s{number}", created_at=later(number))
        await worlds.talk(store, "s1", 1, "在", at=later(100))
        found = await store.newest_sessions(2)
        assert [one.id for one in found] == ["s3", "s2"]  # what was said to s1 came in a second after the beginning
        loaded = await worlds.start(store, "s1", worlds.say("k"), 50)
        await store.commit(worlds.turn("s1", 2, loaded.epoch, consumed=[2]))
        found = await store.newest_sessions(10)
        assert [one.id for one in found] == ["s1", "s3", "s2"]
        assert found[0] == await store.session("s1")

    asyncio.run(run())


def test_no_session_without_a_person(store: Store) -> None:
    async def run() -> None:
        with pytest.raises(Gone):
            await worlds.session(store, person="nobody")

    asyncio.run(run())


@pytest.mark.parametrize("name", ["", "\x00", "s1\x00", "\ud800", "…", "'; --", "x" * 10_000])
def test_names_no_session_can_have(store: Store, name: str) -> None:
    async def run() -> None:
        await worlds.session(store)
        assert await store.session(name) is None
        with pytest.raises(Gone):
            await store.accept(name, worlds.say("k"), NOW)

    asyncio.run(run())


def test_what_is_not_there(store: Store) -> None:
    async def run() -> None:
        assert await store.session("none") is None
        for work in (
            store.load("none", 20),
            store.accept("none", worlds.say("k"), NOW),
            store.accept_and_load("none", worlds.say("k"), NOW, "one", later(30), 20),
            store.claim("none", "one", NOW, later(30)),
            store.claim_and_load("none", "one", NOW, later(30), 20),
            store.commit(worlds.turn("none", 1, 1)),
            store.save_calls("none", "one", 1, [worlds.call(1)]),
            store.turn("none", 1),
            store.messages("none"),
            store.events("none"),
            store.calls("none"),
            store.inbox("none"),
            store.input("none", "k"),
            store.snapshot("none", 1),
            store.dump("none"),
            store.set_status("none", "ended", NOW),
        ):
            with pytest.raises(Gone):
                await work

    asyncio.run(run())


def test_times_are_kept_as_utc_and_come_back_aware(store: Store) -> None:
    eastward = NOW.astimezone(timezone(timedelta(hours=8)))

    async def run() -> None:
        await worlds.session(store, created_at=eastward)
        found = await store.session("s1")
        assert found is not None
        assert found.created_at == NOW
        assert found.created_at.utcoffset() == timedelta(0)

    asyncio.run(run())


def test_a_time_without_a_zone_is_refused(store: Store) -> None:
    async def run() -> None:
        with pytest.raises(Exception, match="without a zone"):
            await worlds.session(store, created_at=NOW.replace(tzinfo=None))

    asyncio.run(run())


def test_the_status_is_set_outside_turns(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        for status, at, ended in (
            ("interrupted", later(1), None),
            ("ended", later(2), later(2)),
            ("ended", later(3), later(2)),
            ("active", later(4), None),
        ):
            await store.set_status("s1", status, at)
            found = await store.session("s1")
            assert found is not None
            assert (found.status, found.ended_at, found.seq) == (status, ended, 0)

    asyncio.run(run())


def test_sessions_whose_time_has_come(store: Store) -> None:
    async def run() -> None:
        for number, wake in enumerate((later(50), None, later(10), later(100)), 1):
            name = await worlds.session(store, f"s{number}")
            loaded = await worlds.start(store, name, worlds.say("k"))
            await store.commit(worlds.turn(name, 1, loaded.epoch, consumed=[1], wake_at=wake))
        assert await store.due(later(9), 10) == ()
        assert await store.due(later(10), 10) == ("s3",)
        assert await store.due(later(60), 10) == ("s3", "s1")
        assert await store.due(later(200), 2) == ("s3", "s1")

    asyncio.run(run())


def test_interrupted_and_long_left_sessions_are_not_woken(store: Store) -> None:
    async def run() -> None:
        for name, seconds in (("s1", 1), ("s2", 1000), ("s3", 1000)):
            await worlds.session(store, name)
            loaded = await worlds.start(store, name, worlds.say("k"), seconds)
            await store.commit(worlds.turn(name, 1, loaded.epoch, consumed=[1], wake_at=later(2000)))
            await store.accept(name, worlds.say("waiting"), later(1500))
        await store.set_status("s3", "interrupted", later(1600))
        assert await store.due(later(2000), 10) == ("s1", "s2")
        assert await store.due(later(2000), 10, since=later(500)) == ("s2",)
        assert set(await store.unanswered(later(2000), 10)) == {"s1", "s2"}
        await store.set_status("s3", "active", later(1700))
        assert "s3" in await store.due(later(2000), 10)
        assert "s3" in await store.unanswered(later(2000), 10)

    asyncio.run(run())


def test_a_session_whose_state_cannot_be_read_can_still_be_looked_at(store: Store) -> None:
    def spoil(tx: Tx) -> None:
        tx.conn.execute(text("UPDATE sessions SET state = :bytes"), {"bytes": b"spoiled"})

    async def run() -> None:
        await worlds.session(store)
        await worlds.talk(store, "s1", 1, "在")
        await store._db.write(spoil)
        loaded = await store.load("s1", 20)
        assert loaded.state is None
        assert worlds.texts(loaded.messages) == ["在", "你说：在"]
        assert (await store.session("s1")) == loaded.session
        snapshot = await store.snapshot("s1", 1)
        assert snapshot is not None
        assert snapshot.state == worlds.STATE

    asyncio.run(run())


def test_a_wake_up_is_gone_when_the_next_turn_sets_none(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await worlds.talk(store, "s1", 1, "在", wake_at=later(10))
        assert await store.due(later(10), 10) == ("s1",)
        await worlds.talk(store, "s1", 2, "在")
        assert await store.due(later(1000), 10) == ()

    asyncio.run(run())


def test_a_store_opened_again_knows_everything(opener: Opener) -> None:
    async def write(store: Store) -> str:
        person = await store.new_person("known")
        await worlds.session(store, person=person)
        return person

    first = opener()
    person = asyncio.run(write(first))
    first.close()

    async def read(store: Store) -> None:
        assert await store.person_of_subject("known") == person
        assert [one.id for one in await store.sessions_of(person)] == ["s1"]
        assert await store.bundle("bundle-1") == SOURCES

    asyncio.run(read(opener()))


def test_a_url_needs_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="folder"):
        Store.open("postgresql://localhost/heartrule")
    url = f"sqlite:///{tmp_path / 'data.db'}"
    with Store.open(url, folder=tmp_path / "keys") as store:
        asyncio.run(worlds.session(store))
    assert (tmp_path / "data.db").exists()
    assert sorted(path.name for path in (tmp_path / "keys").iterdir()) == ["keys.db", "master.key"]
