"""From words that call for help to somebody who has been told."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.jobs.material import CALL, NOTE, SECRET, Place, one, run, settled, told, until
from tests.jobs.receivers import Hook, Mailbox
from tests.store import worlds

from heartrule.jobs.escalation import FIRST, JITTER, LONGEST, NOBODY, UNKNOWN, EscalationDelivery
from heartrule.jobs.job import DONE, Attempt
from heartrule.jobs.settings import EscalationSettings
from heartrule.sessions import Sessions, open_sessions
from heartrule.store.contacts import ContactRecord
from heartrule.store.records import NewEscalation

NAME = "豆豆"
"""What was said and is nobody's business."""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def desk(url: str, box: Mailbox | None = None, **more: Any) -> EscalationSettings:
    """The desk has a webhook, and a mailbox too when there is one."""
    to = {"name": "desk", "webhook": url, "secret": SECRET, "allow_private": True, **more}
    if box is None:
        return EscalationSettings.model_validate({"to": [to]})
    return EscalationSettings.model_validate({"to": [{**to, "email": "desk@example.org"}], "smtp": server(box)})


def server(box: Mailbox) -> dict[str, Any]:
    return {"host": "127.0.0.1", "port": box.port, "sender": "heartrule@example.org", "security": "none"}


async def attempts(sessions: Sessions, place: Place, number: int) -> None:
    """Move the clock until so many attempts are behind it."""

    async def made() -> bool:
        place.clock.pass_(seconds=30)
        return (await one(sessions)).attempts >= number

    await until(made)


def test_words_that_call_for_help_are_told_at_once(place: Place) -> None:
    async def talk(url: str) -> None:
        async with place.open(told(url)) as (sessions, _):
            session = await place.called(sessions)
            record = await settled(sessions)
            assert (record.session, record.to, record.level, record.attempts) == (session, "desk", "P0", 1)
            assert record.cause == "awareness talk/help"
            assert record.delivered_at == place.clock.now()
            assert await sessions.store.outbox.find(await sessions.store.escalations.row(record.id)) is None

    with Hook().serving() as hook:
        run(talk(hook.url))
        (taken,) = hook.taken
    assert taken.told["id"] == taken.key


def test_nothing_that_was_said_is_told_or_written_down(
    place: Place, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    files: dict[str, bytes] = {}

    async def talk(url: str) -> None:
        async with place.open(told(url)) as (sessions, _):
            await place.called(sessions)
            await settled(sessions)
            files.update({path.name: path.read_bytes() for path in place.data.iterdir() if path.is_file()})

    with Hook(answers=deque([204])).serving() as hook:
        run(talk(hook.url))
        (taken,) = hook.taken
    out = capfd.readouterr()
    told_of = [taken.content.decode(), str(taken.headers), caplog.text, out.out, out.err]
    for word in (NAME, CALL):
        assert not [text for text in told_of if word in text]
        assert not [name for name, data in files.items() if word.encode() in data]
    assert not [text for text in told_of if NOTE in text]
    assert (out.out, out.err) == ("", "")


@pytest.mark.parametrize("include", [True, False])
def test_the_note_goes_along_only_when_it_is_wanted(place: Place, include: bool) -> None:
    async def talk(url: str) -> None:
        async with place.open(desk(url, include_note=include)) as (sessions, _):
            await place.called(sessions)
            await settled(sessions)

    with Hook().serving() as hook:
        run(talk(hook.url))
        (taken,) = hook.taken
    assert taken.told.get("note") == (NOTE if include else None)


def test_it_is_tried_again_under_the_same_key_until_it_is_taken(place: Place) -> None:
    async def talk(url: str) -> None:
        async with place.open(told(url)) as (sessions, _):
            await place.called(sessions)
            await attempts(sessions, place, 1)
            record = await one(sessions)
            assert (record.status, record.delivered_at) == ("delivering", None)
            assert record.last_error == "desk.webhook: status 503"
            await attempts(sessions, place, 4)
            record = await settled(sessions)
            assert (record.attempts, record.last_error) == (4, None)

    with Hook(answers=deque([503, "cut", 302])).serving() as hook:
        run(talk(hook.url))
        assert len(hook.keys) == 4
        assert len(set(hook.keys)) == 1
        assert {taken.path for taken in hook.taken} == {"/hook"}, "a redirection was followed"


def test_what_one_way_has_taken_it_is_not_told_again(place: Place) -> None:
    async def talk(url: str, box: Mailbox) -> None:
        async with place.open(desk(url, box)) as (sessions, _):
            await place.called(sessions)
            await attempts(sessions, place, 2)
            assert (await one(sessions)).last_error == "desk.email: reply 451"
            box.refuse.clear()
            await attempts(sessions, place, 3)
            await settled(sessions)

    with Hook().serving() as hook, Mailbox(refuse={"MAIL": 451}).serving() as box:
        run(talk(hook.url, box))
        assert (len(hook.taken), len(box.mails)) == (1, 1)


def test_where_nobody_is_named_it_stays_open(place: Place) -> None:
    async def talk() -> None:
        async with place.open(EscalationSettings()) as (sessions, _):
            await place.called(sessions)

            async def emptied() -> bool:
                return (
                    await sessions.store.outbox.find(await sessions.store.escalations.row((await one(sessions)).id))
                    is None
                )

            await until(emptied)
            record = await one(sessions)
            assert (record.status, record.last_error, record.delivered_at) == ("open", NOBODY, None)

    run(talk())


def test_somebody_whom_nobody_knows_is_the_desk(tmp_path: Path) -> None:
    place = Place(tmp_path, to=["督导"])

    async def talk(url: str) -> None:
        async with place.open(told(url)) as (sessions, _):
            await place.called(sessions)
            record = await settled(sessions)
            assert (record.to, record.last_error) == ("督导", UNKNOWN)

    with Hook().serving() as hook:
        run(talk(hook.url))
        assert hook.taken[0].told["to"] == "督导"


def test_whoever_has_seen_it_does_not_stop_it(place: Place) -> None:
    async def talk(url: str) -> None:
        async with place.open(told(url)) as (sessions, _):
            await place.called(sessions)
            await attempts(sessions, place, 1)
            record = await one(sessions)
            assert await sessions.store.escalations.acknowledge(record.id, "值班", place.clock.now())
            await attempts(sessions, place, 2)
            record = await settled(sessions, "acknowledged")
            assert record.delivered_at is not None

    with Hook(answers=deque([500])).serving() as hook:
        run(talk(hook.url))
        assert len(hook.taken) == 2


def test_erasing_does_not_stop_it_and_nothing_of_the_note_goes_along(place: Place) -> None:
    async def talk(url: str) -> None:
        async with place.open(desk(url, include_note=True)) as (sessions, _):
            await place.called(sessions)
            await attempts(sessions, place, 1)
            await sessions.store.erase_person((await one(sessions)).person)
            await attempts(sessions, place, 2)
            await settled(sessions)

    with Hook(answers=deque([500])).serving() as hook:
        run(talk(hook.url))
        first, second = (taken.told for taken in hook.taken)
    assert first["note"] == NOTE
    assert "note" not in second
    assert second == {name: value for name, value in first.items() if name != "note"}


CONTACT = ContactRecord("email", "李老师", "li@example.org", "小王")


async def with_contact(
    place: Place, settings: EscalationSettings, during: Callable[[Sessions, str], Any], locale: str = "zh-CN"
) -> None:
    """A turn of a session in ``locale`` wants the contact told whom the person named; ``during`` is done before
    anything is delivered. Which scripts may order that is the language's to say."""
    async with open_sessions(place.where()) as sessions:
        person = await sessions.store.new_person()
        await sessions.store.contacts.save(person, replace(CONTACT, confirmed=True), place.clock.now())
        await worlds.session(sessions.store, "s1", person, locale=locale)
        told_of = NewEscalation("1-1", "contact", "awareness safety/suicide", "P0", NOTE)
        await worlds.talk(sessions.store, "s1", 1, CALL, escalations=[told_of])
        await during(sessions, person)
    async with place.open(settings) as (sessions, _):
        await settled(sessions)


MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


async def not_agreed(sessions: Sessions, person: str) -> None:
    await sessions.store.contacts.save(person, replace(CONTACT, address="another@example.org"), MOMENT)


async def nothing(_: Sessions, __: str) -> None:
    """Before the delivery."""


async def erased(sessions: Sessions, person: str) -> None:
    await sessions.store.erase_person(person)


async def taken_back(sessions: Sessions, person: str) -> None:
    await sessions.store.contacts.remove(person)


def test_a_contact_is_told_that_help_is_needed_and_by_whom_and_no_more(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with Mailbox().serving() as box:
        settings = EscalationSettings.model_validate(
            {"smtp": server(box), "address": "https://talk.example.org", "link": "https://desk.example.org/{session}"}
        )
        run(with_contact(place, settings, nothing))
        (mail,) = box.mails
    assert mail["To"] == "li@example.org"
    text = mail.get_content()
    assert "李老师" in text
    assert "小王" in text
    for word in (NAME, NOTE, "desk.example.org", "P0", "s1"):
        assert word not in text


@pytest.mark.parametrize(("locale", "word"), [("en-AU", "Dear"), ("EN-au", "Dear"), ("ZH-cn", "请尽快")])
def test_a_contact_is_told_in_the_language_of_the_session(tmp_path: Path, locale: str, word: str) -> None:
    with Mailbox().serving() as box:
        settings = EscalationSettings.model_validate({"smtp": server(box), "address": "https://talk.example.org"})
        run(with_contact(Place(tmp_path), settings, nothing, locale))
        (mail,) = box.mails
    assert word in mail.get_content()


@pytest.mark.parametrize("before", [erased, taken_back, not_agreed])
def test_where_the_contact_cannot_be_told_the_desk_is(tmp_path: Path, before: Callable[[Sessions, str], Any]) -> None:
    place = Place(tmp_path)
    with Hook().serving() as hook, Mailbox().serving() as box:
        run(with_contact(place, desk(hook.url, box), before))
        assert [taken.told["to"] for taken in hook.taken] == ["contact"]
        assert [mail["To"] for mail in box.mails] == ["desk@example.org"]
        assert "小王" not in box.mails[0].get_content()


# The work by itself


async def put_down(
    place: Place, work: Callable[[EscalationDelivery, Sessions], Any], settings: EscalationSettings
) -> None:
    """An escalation that nobody is at work on, and the work that would be done for it."""
    async with open_sessions(place.where()) as sessions:
        await place.called(sessions)
        await work(EscalationDelivery(sessions.store, settings, place.clock, Random(1)), sessions)


async def attempt(sessions: Sessions, number: int = 1) -> Attempt:
    return Attempt("escalation", await sessions.store.escalations.row((await one(sessions)).id), number)


def test_pauses_grow_to_a_quarter_of_an_hour_and_are_never_the_same(place: Place) -> None:
    pauses: list[timedelta] = []

    async def work(escalate: EscalationDelivery, sessions: Sessions) -> None:
        for number in range(1, 15):
            await escalate.settle(await attempt(sessions, number), {"desk.webhook": "status 500"})
            row = await sessions.store.outbox.find(await sessions.store.escalations.row((await one(sessions)).id))
            assert row is not None
            pauses.append(row.due_at - place.clock.now())
            assert (row.attempt, row.done) == (number + 1, ())

    run(put_down(place, work, told("http://127.0.0.1:1/")))
    assert len(set(pauses)) == len(pauses)
    for number, pause in enumerate(pauses):
        middle = min(LONGEST, FIRST * 2**number)
        assert middle * (1 - JITTER) <= pause <= middle * (1 + JITTER)


def test_it_is_given_up_in_the_end_and_says_so(place: Place) -> None:
    async def work(escalate: EscalationDelivery, sessions: Sessions) -> None:
        place.clock.pass_(hours=72)
        await escalate.settle(await attempt(sessions), {"desk.webhook": "timeout"})
        record = await one(sessions)
        assert (record.status, record.last_error, record.attempts) == ("failed", "desk.webhook: timeout", 1)
        assert await sessions.store.outbox.find(await sessions.store.escalations.row(record.id)) is None

    run(put_down(place, work, told("http://127.0.0.1:1/")))


def test_a_way_that_is_in_the_settings_no_more_is_a_fault(place: Place) -> None:
    async def work(escalate: EscalationDelivery, sessions: Sessions) -> None:
        assert await escalate.take(await attempt(sessions), "desk.email") == UNKNOWN
        assert await escalate.steps(await attempt(sessions)) == ["desk.webhook"]

    run(put_down(place, work, told("http://127.0.0.1:1/")))


def test_what_is_no_more_is_no_work(place: Place) -> None:
    async def work(escalate: EscalationDelivery, sessions: Sessions) -> None:
        gone = Attempt("escalation", "s/9-9", 1)
        assert await escalate.steps(gone) == []
        assert await escalate.take(gone, "desk.webhook") == DONE
        await escalate.settle(gone, {})

    run(put_down(place, work, told("http://127.0.0.1:1/")))


def test_an_attempt_that_came_late_changes_nothing(place: Place) -> None:
    async def work(escalate: EscalationDelivery, sessions: Sessions) -> None:
        first = await attempt(sessions)
        await escalate.settle(first, {"desk.webhook": "status 500"})
        before = await one(sessions)
        await escalate.settle(first, {"desk.webhook": DONE})
        assert await one(sessions) == before

    run(put_down(place, work, told("http://127.0.0.1:1/")))
