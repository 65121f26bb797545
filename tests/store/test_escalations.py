"""Escalations: put down with the turn that wants them, settled once, on record when everything else is gone."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.store import worlds
from tests.store.conftest import Opener
from tests.store.worlds import NOW, later, say

from heartrule.store import Store
from heartrule.store.contacts import ContactRecord
from heartrule.store.escalations import EscalationRecord, settled
from heartrule.store.records import Gone, NewEscalation, Outdated

NOTE = "她说今晚不想活了"
DESK = NewEscalation("1-1", "desk", "awareness safety/suicide", "P0", NOTE)


async def escalated(store: Store, *news: NewEscalation, session: str = "s1", person: str | None = None) -> str:
    """A session whose first turn wants ``news`` told; the id of its person."""
    await worlds.session(store, session, person)
    await worlds.talk(store, session, 1, "在", escalations=list(news or [DESK]))
    record = await store.session(session)
    assert record is not None
    return record.person


async def one(store: Store, id_: str = "s1/1-1") -> EscalationRecord:
    found = await store.escalations.find(id_)
    assert found is not None
    return found


def test_a_turn_puts_down_whom_it_wants_told_and_that_it_is_to_be_done(store: Store) -> None:
    async def run() -> None:
        person = await escalated(store, DESK, NewEscalation("1-2", "contact", "awareness safety/suicide"))
        record = await one(store)
        assert record == EscalationRecord(
            *("s1/1-1", "s1", person, 1, "desk", "awareness safety/suicide", "P0", "open", later(1), 0),
            *(None, None, None, None),
        )
        assert await store.escalations.note("s1/1-1") == NOTE
        assert await store.escalations.note("s1/1-2") is None
        work = await store.outbox.find(await store.escalations.row("s1/1-2"))
        assert work is not None
        assert (work.kind, work.attempt, work.done, work.owner) == ("escalation", 1, (), None)
        assert later(1) - timedelta(days=1) < work.due_at <= later(1), "its time would name the turn"
        assert [each.id for each in await store.escalations.newest()] == ["s1/1-2", "s1/1-1"]
        assert NOTE not in repr(record)
        assert NOTE not in repr(DESK)

    asyncio.run(run())


def test_a_turn_that_is_refused_escalates_nothing(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        made = worlds.turn("s1", 1, loaded.epoch + 1, escalations=[DESK])
        with pytest.raises(Outdated):
            await store.commit(made)
        assert await store.escalations.newest() == ()
        assert await store.outbox.due(later(99), 10) == ()
        await store.commit(replace(made, epoch=loaded.epoch))
        assert len(await store.outbox.due(later(99), 10)) == 1

    asyncio.run(run())


def test_names_are_bounded(store: Store) -> None:
    async def run() -> None:
        await escalated(store, NewEscalation("1-1", "d" * 900, "c" * 900))
        record = await one(store)
        assert (len(record.to), len(record.cause)) == (200, 200)

    asyncio.run(run())


@pytest.mark.parametrize("acknowledged", [False, True])
def test_what_came_of_an_attempt_is_put_down_once(store: Store, acknowledged: bool) -> None:
    async def run() -> None:
        await escalated(store)
        await store.escalations.begin("s1/1-1")
        assert (await one(store)).status == "delivering"
        if acknowledged:
            assert await store.escalations.acknowledge("s1/1-1", "duty", later(2))
        effect = settled("s1/1-1", status="delivered", attempts=1, delivered_at=later(3))
        assert await store.outbox.settle(await store.escalations.row("s1/1-1"), 1, None, effect)
        wrong = settled("s1/1-1", status="failed", attempts=9, error="late")
        assert not await store.outbox.settle(await store.escalations.row("s1/1-1"), 1, None, wrong)
        record = await one(store)
        assert (record.attempts, record.last_error, record.delivered_at) == (1, None, later(3))
        assert record.status == ("acknowledged" if acknowledged else "delivered")
        await store.escalations.begin("s1/1-1")
        assert (await one(store)).status == record.status
        assert await store.outbox.find(await store.escalations.row("s1/1-1")) is None

    asyncio.run(run())


def test_a_session_has_its_own_calls_all_of_them_the_newest_first(store: Store) -> None:
    async def run() -> None:
        await escalated(store, DESK, replace(DESK, id="1-2"))
        await worlds.talk(store, "s1", 2, "在", escalations=[replace(DESK, id="2-1")])
        await escalated(store, DESK, session="s2")
        await store.escalations.acknowledge("s1/1-1", "duty", NOW)
        found = await store.escalations.of_session("s1")
        assert [each.id for each in found] == ["s1/2-1", "s1/1-2", "s1/1-1"]
        assert found[-1] == await one(store)
        assert await store.escalations.of_session("s3") == ()

    asyncio.run(run())


def test_only_the_first_to_acknowledge_does(store: Store) -> None:
    async def run() -> None:
        await escalated(store)
        assert not await store.escalations.acknowledge("s1/9-9", "duty", NOW)
        assert await store.escalations.acknowledge("s1/1-1", "duty", later(5))
        assert not await store.escalations.acknowledge("s1/1-1", "another", later(6))
        record = await one(store)
        assert (record.status, record.acknowledged_by, record.acknowledged_at) == ("acknowledged", "duty", later(5))
        assert await store.outbox.find(await store.escalations.row("s1/1-1")) is not None, "its delivery goes on"
        assert await store.escalations.newest(unacknowledged=True) == ()

    asyncio.run(run())


def test_how_many_stand_where_and_since_when(store: Store) -> None:
    async def run() -> None:
        assert (await store.escalations.tally()).oldest is None
        await escalated(store, DESK, replace(DESK, id="1-2"), replace(DESK, id="1-3"))
        await store.escalations.begin("s1/1-2")
        await store.escalations.acknowledge("s1/1-3", "duty", NOW)
        tally = await store.escalations.tally()
        assert tally.counts == {"open": 1, "delivering": 1, "acknowledged": 1}
        assert tally.oldest == later(1)

    asyncio.run(run())


def test_erasing_takes_what_it_says_and_leaves_that_it_was(store: Store) -> None:
    async def run() -> None:
        person = await escalated(store)
        kept = await escalated(store, session="s2")
        assert kept != person
        before = await one(store)
        await store.erase_person(person)
        assert await one(store) == before
        assert await store.escalations.note("s1/1-1") is None
        assert await store.escalations.note("s2/1-1") == NOTE
        assert await store.outbox.find(await store.escalations.row("s1/1-1")) is not None, (
            "whoever is to be told is told all the same"
        )
        with store._db.engines.reader.begin() as connection:
            notes = connection.exec_driver_sql("SELECT note FROM escalations").scalars().all()
        assert notes.count(None) == 1

    asyncio.run(run())


def test_erasing_that_was_broken_off_takes_the_note_when_the_store_is_opened(opener: Opener) -> None:
    async def run() -> None:
        store = opener()
        person = await escalated(store)
        with store._db.engines.writer.begin() as connection:
            connection.exec_driver_sql("UPDATE persons SET erasing = true")
        again = opener()
        assert await again.session("s1") is None
        assert await again.escalations.note("s1/1-1") is None
        assert (await one(again)).person == person

    asyncio.run(run())


def test_a_note_that_was_copied_from_another_row_does_not_open(store: Store) -> None:
    async def run() -> None:
        await escalated(store, DESK, replace(DESK, id="1-2", note="anderes"))
        row, other = [await store.escalations.row(f"s1/1-{number}") for number in (1, 2)]
        with store._db.engines.writer.begin() as connection:
            connection.exec_driver_sql(
                f"UPDATE escalations SET note = (SELECT note FROM escalations WHERE id = '{row}') WHERE id = '{other}'"
            )
        assert await store.escalations.note("s1/1-2") is None
        assert await store.escalations.note("s1/9-9") is None

    asyncio.run(run())


CONTACT = ContactRecord("email", "王医生", "wang@example.org", "小李")


def test_a_contact_is_kept_replaced_and_removed(store: Store) -> None:
    async def run() -> None:
        person, other = await store.new_person(), await store.new_person()
        assert await store.contacts.find(person) is None
        await store.contacts.save(person, CONTACT, NOW)
        assert await store.contacts.find(person) == CONTACT
        assert await store.contacts.find(other) is None
        changed = replace(CONTACT, address="other@example.org")
        await store.contacts.save(person, changed, later(1))
        assert await store.contacts.find(person) == changed
        assert await store.contacts.remove(person)
        assert not await store.contacts.remove(person)
        assert "wang" not in repr(CONTACT)

    asyncio.run(run())


def test_a_contact_goes_with_its_person(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        await store.contacts.save(person, CONTACT, NOW)
        await store.erase_person(person)
        assert await store.contacts.find(person) is None
        for work in (store.contacts.save(person, CONTACT, NOW), store.contacts.save("nobody", CONTACT, NOW)):
            with pytest.raises(Gone):
                await work

    asyncio.run(run())


def test_a_contact_copied_to_another_person_does_not_open(store: Store) -> None:
    async def run() -> None:
        one_, other = await store.new_person(), await store.new_person()
        for person in (one_, other):
            await store.contacts.save(person, CONTACT, NOW)
        with store._db.engines.writer.begin() as connection:
            statement = (
                "UPDATE contacts SET content = (SELECT content FROM contacts WHERE person = {0}) WHERE person = {1}"
            )
            connection.exec_driver_sql(statement.format(f"'{one_}'", f"'{other}'"))
        assert await store.contacts.find(other) is None
        assert await store.contacts.find(one_) == CONTACT

    asyncio.run(run())
