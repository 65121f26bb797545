"""Where a session is in its life, read off the clock; timers; what cannot be gone on with; beginning anew."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.sessions.material import Place, answer, change, reseal_state, run, say, seen, texts, value

from heartrule.engine.session.state import FORMAT
from heartrule.sessions import CannotRestore, Closed, NoSuchSession
from heartrule.store.records import Entry

MOMENTS = [
    ({"seconds": 1}, "active"),
    ({"minutes": 4, "seconds": 59}, "active"),
    ({"minutes": 5}, "away"),
    ({"minutes": 29, "seconds": 59}, "away"),
    ({"minutes": 30}, "suspended"),
    ({"hours": 23, "minutes": 59}, "suspended"),
    ({"hours": 24}, "archived"),
    ({"days": 400}, "archived"),
]


@pytest.mark.parametrize(("quiet", "life"), MOMENTS, ids=str)
def test_the_life_of_a_session_that_waits(place: Place, quiet: dict[str, float], life: str) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            place.clock.pass_(**quiet)
            assert (await sessions.view(session)).life == life
            entry = say("k", "我回来了", seen(outcome))
            if life == "archived":
                before = await sessions.store.dump(session)
                with pytest.raises(Closed):
                    await sessions.take(session, entry)
                with pytest.raises(Closed):
                    await sessions.end(session)
                assert await sessions.store.dump(session) == before
                assert (await sessions.start(session)).turn == 1
            else:
                assert (await sessions.take(session, entry)).turn == 2
                assert (await sessions.view(session)).life == "active"

    run(work())


def test_an_ended_session_is_archived_after_a_day(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            ended = await sessions.end(session)
            assert ended.execution_status == "completed"
            assert await sessions.end(session) == ended
            for hours, life in ((0, "ended"), (23.9, "ended"), (0.1, "archived")):
                place.clock.pass_(hours=hours)
                assert (await sessions.view(session)).life == life
                with pytest.raises(Closed):
                    await sessions.take(session, say(life + str(hours), "还在吗"))

    run(work())


def test_a_session_that_was_never_started(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            record = await sessions.create(place.script)
            place.clock.pass_(hours=23)
            assert (await sessions.view(record.id)).life == "created"
            place.clock.pass_(hours=1)
            assert (await sessions.view(record.id)).life == "archived"
            with pytest.raises(Closed):
                await sessions.start(record.id)

    run(work())


def test_coming_back_goes_on_at_the_same_action(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            outcome = await sessions.take(session, say("k", "不知道", seen(outcome)))
            where = outcome.position
        place.clock.pass_(hours=20)
        async with place.open() as sessions:
            assert (await sessions.view(session)).life == "suspended"
            back = await sessions.take(session, Entry("back", "resume"))
            assert back.position == where
            assert back.messages == ()

    run(work())


# timers


async def waiting_for_hours(place: Place, sessions: Any) -> tuple[str, int]:
    session, outcome = await place.begun(sessions)
    outcome = await sessions.take(session, say("k", "还行", seen(outcome)))
    assert (await sessions.session(session)).wake_at == place.clock.now() + timedelta(minutes=10)
    return session, seen(outcome)


def test_a_timeout_strikes_when_it_is_swept(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await waiting_for_hours(place, sessions)
            place.clock.pass_(minutes=9, seconds=59)
            assert await sessions.sweep() == 0
            place.clock.pass_(seconds=1)
            assert await sessions.sweep() == 1
            view = await sessions.view(session)
            assert view.position["action"]["id"] == "go"
            assert view.session.wake_at is None
            assert await value(sessions, session, "睡了") is None
            assert await sessions.sweep() == 0
            assert view.life == "away"  # a timer is nobody coming back

    run(work())


def test_a_timer_in_two_processes_strikes_once(place: Place) -> None:
    async def work() -> None:
        import asyncio

        async with place.open() as one, place.open() as two:
            session, _ = await waiting_for_hours(place, one)
            place.clock.pass_(minutes=11)
            await asyncio.gather(one.sweep(), two.sweep())
            kinds = [item.entry.kind for item in await one.store.inbox(session)]
            assert kinds == ["start", "message", "timer"]
            assert (await one.view(session)).session.seq == 3

    run(work())


def test_an_answer_that_came_in_time_leaves_the_timer_nothing(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, after = await waiting_for_hours(place, sessions)
            due = (await sessions.session(session)).wake_at
            assert due is not None
            await sessions.take(session, say("l", "8", after))
            place.clock.pass_(minutes=11)
            assert await sessions.sweep() == 0
            struck = await sessions.take(session, Entry(f"timer {due.isoformat()}", "timer"))
            assert struck.messages == ()
            assert await value(sessions, session, "睡了") == 8
            assert (await sessions.view(session)).position["action"]["id"] == "go"

    run(work())


def test_a_timer_of_an_archived_session_is_left_alone(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            old, _ = await waiting_for_hours(place, sessions)
            place.clock.pass_(days=2)
            young, _ = await waiting_for_hours(place, sessions)
            place.clock.pass_(minutes=11)
            assert await sessions.sweep(limit=1) == 1  # the old one does not stand in the young one's way
            assert (await sessions.view(young)).position["action"]["id"] == "go"
            assert (await sessions.view(old)).position["action"]["id"] == "hours"

    run(work())


def test_sessions_that_were_only_made_do_not_keep_others_from_being_swept(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            for _ in range(3):
                await sessions.create(place.script)
            place.clock.pass_(minutes=1)
            session, outcome = await place.begun(sessions)
            await sessions.store.accept(session, say("k", "在吗", seen(outcome)), place.clock.now())
            assert await sessions.sweep(limit=1) == 1
            assert texts((await sessions.view(session)).messages) == ["在吗"]

    run(work())


def test_the_sweep_answers_everything_that_a_crash_left_in_its_order(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            after = seen(outcome)
            for key, words, at in (("a", "我", after), ("b", "以前的话", 1), ("c", "很累", after)):
                await sessions.store.accept(session, say(key, words, at), place.clock.now())
            record = await sessions.create(place.script)
            await sessions.store.accept(record.id, Entry("start", "start"), place.clock.now())
            assert await sessions.sweep() == 2
            assert texts((await sessions.view(session)).messages) == ["我", "很累", "以前的话"]
            assert [item.turn for item in await sessions.store.inbox(session)] == [1, 2, 3, 2]
            assert (await sessions.view(record.id)).session.seq == 1

    run(work())


# what cannot be restored


def newer(state: dict[str, Any]) -> Any:
    return {**state, "format": FORMAT + 1}


def unknown_field(state: dict[str, Any]) -> Any:
    return {**state, "mood": "我的秘密"}


def wrong_shape(state: dict[str, Any]) -> Any:
    return {**state, "running": "我的秘密"}


GARBAGE = [
    newer,
    unknown_field,
    wrong_shape,
    lambda _: None,
    lambda _: [],
    lambda _: "我的秘密",
    lambda state: {**state, "format": "我的秘密"},
    lambda state: {**state, "format": None},
    lambda _: {},
]


@pytest.mark.parametrize("become", GARBAGE, ids=range(len(GARBAGE)))
def test_a_state_that_cannot_be_restored(place: Place, become: Any) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions, variables={"心情": "低落"})
            outcome = await sessions.take(session, say("k", "还行", seen(outcome)))
            await reseal_state(sessions, session, become)
            for what in (sessions.view(session), sessions.take(session, say("l", "我的秘密", seen(outcome)))):
                with pytest.raises(CannotRestore) as caught:
                    await what
                assert "秘密" not in str(caught.value)
            assert await sessions.store.holder(session) is None
            assert (await sessions.session(session)).status == "interrupted"
            assert await sessions.sweep() == 0
            assert (await sessions.take(session, say("k", "还行", 2))).turn == 2  # what was answered is still known

    run(work())


def test_a_state_of_bytes_that_do_not_open(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await sessions.take(session, say("k", "还行", seen(outcome)))
            change(sessions, "UPDATE sessions SET state = :state WHERE id = :id", state=b"garbage", id=session)
            with pytest.raises(CannotRestore):
                await sessions.view(session)
            over = await sessions.start_over(session, place.script)
            await sessions.start(over.id)
            assert texts((await sessions.view(over.id)).messages) == ["还行"]

    run(work())


def test_an_interrupted_session_goes_on_when_its_fault_is_gone(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await reseal_state(sessions, session, newer)
            entry = say("k", "还行", seen(outcome))
            with pytest.raises(CannotRestore):
                await sessions.take(session, entry)
            record = await sessions.session(session)
            from heartrule.sessions.session_status import life_of

            assert life_of(record, place.clock.now()) == "interrupted"
            await reseal_state(sessions, session, lambda state: {**state, "format": FORMAT})
            assert (await sessions.take(session, entry)).turn == 2
            assert (await sessions.view(session)).life == "active"

    run(work())


def test_beginning_anew_keeps_messages_and_the_sessions_variables(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            old, outcome = await place.begun(sessions)
            outcome = await sessions.take(old, say("k", "提不起劲", seen(outcome)))
            outcome = await sessions.take(old, say("l", "5", seen(outcome)))
            before = await sessions.store.dump(old)
            over = await sessions.start_over(old, place.script)
            assert (over.parent, over.person, over.status) == (old, (await sessions.session(old)).person, "created")
            first = await sessions.start(over.id)
            assert texts(first.messages, "ai") == ["你好。", "最近心情怎样？"]
            assert texts(first.messages) == []  # this turn's own messages, not the old ones again
            view = await sessions.view(over.id)
            assert texts(view.messages) == ["提不起劲", "5"]
            assert [message.number for message in view.messages] == list(range(1, len(view.messages) + 1))
            assert await value(sessions, over.id, "心情") == "提不起劲"
            assert await value(sessions, over.id, "睡了") == 5
            assert await sessions.store.dump(old) == before
            done = await answer(sessions, over.id, first)
            assert done.execution_status == "completed"
            again = await sessions.start_over(over.id, place.script)
            await sessions.start(again.id)
            assert texts((await sessions.view(again.id)).messages)[:3] == ["提不起劲", "5", "提不起劲"]

    run(work())


def test_one_session_that_fails_does_not_keep_the_others_from_being_swept(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            found = []
            for _ in range(3):
                session, outcome = await place.begun(sessions)
                place.clock.pass_(seconds=1)
                await sessions.store.accept(session, say("k", "在吗", seen(outcome)), place.clock.now())
                found.append(session)
            await reseal_state(sessions, found[0], newer)
            change(sessions, "DELETE FROM leases WHERE session = :id", id=found[1])
            assert await sessions.sweep() == 1
            assert texts((await sessions.view(found[2])).messages) == ["在吗"]
            with pytest.raises(NoSuchSession):
                await sessions.session(found[1])

    run(work())
