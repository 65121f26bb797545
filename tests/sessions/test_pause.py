"""A person lays their session aside, and comes back to it."""

from __future__ import annotations

import asyncio

import pytest
from tests.sessions.material import Gate, Place, answer, run, say, seen, texts

from heartrule.sessions import Closed, Sessions
from heartrule.store.records import Entry, KeyReused


def test_a_paused_session_is_suspended_at_once_and_gone_on_with_by_a_message(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            paused = await sessions.pause(session)
            assert (paused.status, paused.messages) == ("paused", ())
            assert paused.position == outcome.position
            assert paused.request == outcome.request
            view = await sessions.view(session)
            assert (view.life, view.session.status) == ("suspended", "paused")
            went_on = await sessions.take(session, say("a", "难受", seen(outcome)))
            assert went_on.status == "active"
            assert texts(went_on.messages) == ["难受"]
            assert (await sessions.view(session)).life == "active"
            assert (await answer(sessions, session, went_on, first=1)).execution_status == "completed"

    run(work())


def test_coming_back_is_enough(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await sessions.pause(session)
            place.clock.pass_(hours=3)
            back = await sessions.take(session, Entry("back", "resume"))
            assert (back.status, back.messages, back.position) == ("active", (), outcome.position)
            assert sessions.life(await sessions.session(session)) == "active"

    run(work())


def test_a_pause_has_a_key_like_any_input(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            paused = await sessions.pause(session, "p")
            assert await sessions.pause(session, "p") == paused
            assert (await sessions.pause(session)).turn == 3
            with pytest.raises(KeyReused):
                await sessions.take(session, say("p", "难受", seen(outcome)))

    run(work())


def test_a_paused_session_is_archived_a_day_later(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            place.clock.pass_(hours=2)
            await sessions.pause(session)
            place.clock.pass_(hours=23, minutes=59)
            assert (await sessions.view(session)).life == "suspended"
            place.clock.pass_(minutes=1)
            assert (await sessions.view(session)).life == "archived"
            with pytest.raises(Closed):
                await sessions.take(session, say("a", "我回来了", seen(outcome)))
            with pytest.raises(Closed):
                await sessions.pause(session)

    run(work())


def test_what_is_over_is_not_paused(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            await sessions.end(session)
            with pytest.raises(Closed):
                await sessions.pause(session)
            assert (await sessions.view(session)).life == "ended"

    run(work())


def test_a_session_may_be_ended_while_it_is_paused(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            await sessions.pause(session)
            assert (await sessions.end(session)).status == "ended"
            assert (await sessions.view(session)).life == "ended"

    run(work())


def test_pausing_what_was_not_begun_begins_it(place: Place) -> None:
    """Its greeting is there for whoever comes back."""

    async def work() -> None:
        async with place.open() as sessions:
            record = await sessions.create(place.script)
            assert (await sessions.pause(record.id)).turn == 2
            view = await sessions.view(record.id)
            assert view.life == "suspended"
            assert texts(view.messages, "ai")

    run(work())


def test_a_pause_waits_for_the_turn_that_is_being_worked_out(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as one, place.open() as two:
            session, outcome = await place.begun(one)
            for number, (sessions, words) in enumerate(((one, "难受"), (two, "8"))):
                gate.close()
                taking = asyncio.create_task(one.take(session, say(f"k{number}", words, seen(outcome))))
                await gate.asked.wait()
                pausing = asyncio.create_task(sessions.pause(session))
                await asyncio.sleep(0.1)
                assert not pausing.done()
                gate.opened.set()
                outcome = await taking
                assert outcome.status == "active"
                assert (await pausing).turn == outcome.turn + 1
                assert (await one.view(session)).life == "suspended"

    run(work())


# timers stand still


async def waiting_for_hours(place: Place, sessions: Sessions) -> str:
    session, outcome = await place.begun(sessions)
    await sessions.take(session, say("k", "还行", seen(outcome)))
    return session


def test_a_timeout_stands_still_while_its_session_is_paused(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session = await waiting_for_hours(place, sessions)
            place.clock.pass_(minutes=4)
            await sessions.pause(session)
            assert (await sessions.session(session)).wake_at is None
            place.clock.pass_(hours=5)
            assert await sessions.sweep() == 0
            await sessions.pause(session)
            place.clock.pass_(hours=5)
            await sessions.take(session, Entry("back", "resume"))
            place.clock.pass_(minutes=5, seconds=59)
            assert await sessions.sweep() == 0
            place.clock.pass_(seconds=1)
            assert await sessions.sweep() == 1
            assert (await sessions.view(session)).position["action"]["id"] == "go"

    run(work())


def test_a_timer_that_came_in_before_the_pause_strikes_and_leaves_it_paused(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session = await waiting_for_hours(place, sessions)
            place.clock.pass_(minutes=11)
            due = (await sessions.session(session)).wake_at
            assert due is not None
            pause, timer = Entry("p", "pause"), Entry(f"timer {due.isoformat()}", "timer")
            for entry in (pause, timer):
                await sessions.store.accept(session, entry, place.clock.now())
            struck = await sessions.take(session, timer)
            assert (struck.status, struck.position["action"]["id"]) == ("paused", "go")
            assert (await sessions.view(session)).life == "suspended"

    run(work())


def test_a_pause_that_a_crash_left_waiting_is_taken_up(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            await sessions.store.accept(session, Entry("p", "pause"), place.clock.now())
        async with place.open() as sessions:
            assert await sessions.sweep() == 1
            assert (await sessions.view(session)).life == "suspended"
            assert await sessions.sweep() == 0

    run(work())
