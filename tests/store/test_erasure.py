"""Erasing a person: the key first, then the rows; whatever breaks it off, it is finished."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import func, select
from tests.store import child, worlds
from tests.store.conftest import Opener
from tests.store.worlds import NOW, later, say, variable

from heartrule.store import Store, persons
from heartrule.store.audit import AuditRecord
from heartrule.store.contacts import ContactRecord
from heartrule.store.records import Gone, NewSession
from heartrule.store.reviews import ReplyReview
from heartrule.store.schema import (
    accounts,
    audit,
    bundle_sources,
    bundles,
    canned,
    devices,
    escalations,
    guesses,
    links,
    metadata,
    outbox,
    presences,
    requests,
    rota,
    sign_ins,
    sources,
)

WORDS = "要忘记的话"
STAFF = {accounts, sign_ins, devices, links, guesses, canned, rota, presences, audit}
SIGNING_IN = {metadata.tables[name] for name in ("challenges", "push_subscriptions", "service_tokens")}
WRITTEN = ("project", "debug_", "release", "served", "groups", "threads", "comments", "digest")
AUTHORS = {each for name, each in metadata.tables.items() if name.startswith(WRITTEN)}
"""Scripts, and sessions that authors hold with them."""
NOT_PERSONAL = {bundle_sources, bundles, sources, escalations, outbox, requests} | STAFF | SIGNING_IN | AUTHORS
"""What was escalated stays on record without what it says (see ``test_escalations``), and who of the staff looked."""


async def fill(store: Store, name: str, subject: str | None = None) -> str:
    person = await store.new_person(subject)
    await worlds.session(store, name, person)
    for seq in range(1, 22):
        shared = [variable("shared", WORDS, scope="global"), variable("own", WORDS)]
        shared.append(worlds.remembered(f"{name}.1", WORDS, session=name))
        await worlds.talk(store, name, seq, WORDS, variables=shared)
    await store.accept(name, say("waiting"), NOW)
    await store.contacts.save(person, ContactRecord("email", WORDS, "a@example.org"), NOW)
    await store.reports.add(name, 2, "hurtful", WORDS, NOW)
    looked = AuditRecord("c-1", "counsellor", name, "review", NOW)
    await store.reviews.judge(2, ReplyReview("harmful", "hurtful", WORDS), "王老师", looked)
    await store.drafts.add(name, "f1-1", {"notes": WORDS}, "c-1", NOW)
    await store.notes.add(name, "c-1", "王老师", WORDS, NOW, lambda _: None)
    await store.cards.change(name, NOW, lambda card: replace(card, tags=(WORDS,)))
    await store.recollections.keep(name, [worlds.recollection(name, WORDS)])
    return person


def counts(store: Store) -> dict[str, int]:
    with store._db.engines.reader.begin() as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in metadata.sorted_tables
            if table not in NOT_PERSONAL
        }


def test_nothing_of_an_erased_person_remains(store: Store) -> None:
    async def run() -> None:
        person = await fill(store, "s1", "subject")
        assert all(counts(store).values())
        await store.erase_person(person)
        assert not any(counts(store).values())
        assert await store.person_of_subject("subject") is None
        assert await store.sessions_of(person) == ()
        assert await store.session("s1") is None
        assert await store.bundle("bundle-1") == worlds.SOURCES
        for work in (
            store.accept("s1", say("k"), NOW),
            store.accept_and_load("s1", say("k"), NOW, "one", later(30), 20),
            store.load("s1", 20),
            store.commit(worlds.turn("s1", 22, 1)),
            store.messages("s1"),
        ):
            with pytest.raises(Gone):
                await work

    asyncio.run(run())


def test_others_keep_everything(store: Store) -> None:
    async def run() -> None:
        kept = await fill(store, "kept", "kept")
        before = await store.dump("kept")
        rows = counts(store)
        gone = await fill(store, "gone", "gone")
        await store.erase_person(gone)
        assert counts(store) == rows
        assert await store.dump("kept") == before
        assert await store.person_of_subject("kept") == kept

    asyncio.run(run())


def test_erasing_twice_or_nobody_is_no_fault(store: Store) -> None:
    async def run() -> None:
        person = await fill(store, "s1")
        await store.erase_person(person)
        await store.erase_person(person)
        await store.erase_person("nobody")

    asyncio.run(run())


def test_a_subject_may_come_again_as_someone_new(store: Store) -> None:
    async def run() -> None:
        first = await fill(store, "s1", "subject")
        await store.erase_person(first)
        second = await store.new_person("subject")
        assert second != first
        await worlds.session(store, "s1", second)
        assert await store.messages("s1") == ()
        assert await store.variables("s1") == ()

    asyncio.run(run())


def test_another_process_notices(opener: Opener) -> None:
    one, other = opener(), opener()

    async def run() -> None:
        person = await fill(one, "s1")
        assert len(await other.messages("s1")) == 42
        await one.erase_person(person)
        with pytest.raises(Gone):
            await other.accept("s1", say("k"), NOW)
        with pytest.raises(Gone):
            await other.create_session(NewSession("s2", person, "demo", "demo/main", "bundle-1", "zh", {}, NOW))

    asyncio.run(run())


def test_what_others_write_meanwhile_goes_too(opener: Opener) -> None:
    one, other = opener(), opener()

    async def run() -> None:
        person = await fill(one, "s1")

        async def go_on() -> int:
            for number in range(5000):
                try:
                    await other.accept("s1", say(f"late {number}"), NOW)
                except Gone:
                    return number
            return -1

        late, _ = await asyncio.gather(go_on(), one.erase_person(person))
        assert late >= 0
        assert not any(counts(one).values())

    asyncio.run(run())


def sealed(folder: Path) -> list[bytes]:
    """Every sealed value of the main database, and the wrapped keys."""
    import sqlite3

    found: list[bytes] = []
    for name, tables in (("heartrule.db", ("messages", "inbox", "events", "variables")), ("keys.db", ("data_keys",))):
        connection = sqlite3.connect(folder / name)
        for table in tables:
            mine = " WHERE person != 'index'" if table == "data_keys" else ""
            rows = connection.execute(f"SELECT * FROM {table}{mine}").fetchall()
            found += [value for row in rows for value in row if isinstance(value, bytes)]
        connection.close()
    return found


def test_not_even_the_sealed_bytes_remain_in_the_files(tmp_path: Path) -> None:
    with Store.open(tmp_path, synchronous="OFF") as store:
        person = asyncio.run(fill(store, "s1"))
        values = sealed(tmp_path)
        assert len(values) > 100
        asyncio.run(store.erase_person(person))
        for path in tmp_path.iterdir():
            data = path.read_bytes()
            assert not [value for value in values if value[-24:] in data], path.name


def test_a_backup_without_the_keys_says_nothing(tmp_path: Path) -> None:
    """An old copy of the main database, put back after the person was erased."""
    home, copy = tmp_path / "home", tmp_path / "copy.db"
    with Store.open(home) as store:
        person = asyncio.run(fill(store, "s1"))
    copy.write_bytes((home / "heartrule.db").read_bytes())
    with Store.open(home) as store:
        asyncio.run(store.erase_person(person))
    (home / "heartrule.db").write_bytes(copy.read_bytes())
    with Store.open(home) as store:
        for work in (store.messages("s1"), store.load("s1", 20), store.accept("s1", say("k"), NOW)):
            with pytest.raises(Gone):
                asyncio.run(work)


KILLED = """
folder, person, step = sys.argv[1:]
store = Store.open(folder)

def broken(*_):
    die()

if step == "marked":
    store._db.keys.destroy = broken
elif step == "key destroyed":
    from heartrule.store import persons
    persons._run_delete = broken
else:
    store._db.engines.__class__.scrub = broken
    store._db.keys._engines.scrub = lambda *tables: None
asyncio.run(store.erase_person(person))
"""


@pytest.mark.parametrize("step", ["marked", "key destroyed"])
def test_an_erasure_killed_at_any_step_is_finished_at_the_next_start(tmp_path: Path, step: str) -> None:
    with Store.open(tmp_path) as store:
        person = asyncio.run(fill(store, "s1", "subject"))
        other = asyncio.run(fill(store, "s2"))
    child.run(KILLED, str(tmp_path), person, step, dies=True)
    with Store.open(tmp_path) as store:
        assert asyncio.run(store.session("s1")) is None
        assert counts(store)["persons"] == 1
        assert len(asyncio.run(store.sessions_of(other))) == 1
        with pytest.raises(Gone):
            store._db.keys.box(person)


def test_once_marked_a_person_is_gone_for_everybody(store: Store) -> None:
    async def run() -> None:
        person = await fill(store, "s1", "subject")
        await store._db.write(persons._run_mark, person)
        assert await store.person_of_subject("subject") is None
        assert await store.session("s1") is None
        assert await store.due(later(10**6), 10) == ()
        assert await store.unanswered(later(10**6), 10) == ()
        with pytest.raises(Gone):
            await store.accept("s1", say("k"), NOW)

    asyncio.run(run())
