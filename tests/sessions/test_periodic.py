"""Looks back over sessions: at their time, beside the turns, once, behind what a person says, and seen by nobody."""

from __future__ import annotations

import asyncio
import os
import signal
from datetime import timedelta
from typing import Any

import pytest
from tests.sessions.looking import (
    QUICK,
    SCRIPT,
    Looker,
    kinds,
    noticed,
    prepared,
    replayed,
    spoken,
    swept,
)
from tests.sessions.material import Place, change, reseal_state, run, say, seen, texts

from heartrule.llm.provider import ServerError
from heartrule.sessions import Sessions, periodic
from heartrule.sessions.subscribers import News
from heartrule.store.records import Entry


@pytest.fixture
def held(place: Place) -> Place:
    return prepared(place)


def test_a_look_is_made_at_its_time_and_acts_in_the_persons_next_turn(held: Place) -> None:
    async def work() -> None:
        looker = Looker()
        async with held.open(looker.model()) as sessions:
            session, outcome = await spoken(held, sessions)
            begun = (await sessions.session(session)).created_at
            assert (await sessions.session(session)).wake_at == begun + timedelta(minutes=5)
            held.clock.pass_(seconds=279)
            assert await swept(sessions) == 0
            assert looker.looks == []
            held.clock.pass_(seconds=1)
            assert await swept(sessions) == 0
            assert len(looker.looks) == 1
            (found,) = await noticed(sessions, session)
            assert (found.turn, found.data["verdict"], found.data["rest"]) == (
                3,
                "yes",
                "waits for the next hook point",
            )
            record = await sessions.session(session)
            assert (record.seq, record.wake_at, record.last_active_at) == (3, None, begun + timedelta(seconds=20))
            outcome = await sessions.take(session, say("b", "不太好", seen(outcome)))
            assert outcome.position["action"]["id"] == "calm_ask"
            assert await replayed(sessions, session) == 4

    run(work())


def test_what_it_cost_is_counted_for_the_session(held: Place) -> None:
    async def work() -> None:
        looker = Looker("no")
        async with held.open(looker.model()) as sessions:
            session, _ = await spoken(held, sessions)
            held.clock.pass_(minutes=5)
            await swept(sessions)
            (call,) = [call for call in await sessions.store.calls(session) if call.template == "periodic"]
            (tried,) = [one for one in await sessions.store.attempts(session) if one.template == "periodic"]
            assert (call.turn, call.status, call.data["verdicts"][0]["verdict"]) == (2, "answered", "no")  # type: ignore[index]
            assert (tried.turn, tried.tokens_in, tried.tokens_out, tried.currency) == (2, 100, 10, "CNY")
            figures = {each.key: each for each in await sessions.store.figures("purpose")}
            assert figures[("periodic",)].calls == 1
            assert call.prompt_hash == looker.looks[0].hash

    run(work())


def test_nobody_sees_it(held: Place) -> None:
    """Neither that somebody is at work, nor a message; whoever follows gets every turn by its number."""

    async def work() -> None:
        async with held.open(Looker().model()) as sessions:
            session, outcome = await spoken(held, sessions)
            before = await sessions.view(session)
            news: list[News] = []
            async with sessions.watch(session) as watch:
                held.clock.pass_(minutes=5)
                await swept(sessions)
                await sessions.take(session, say("b", "不太好", seen(outcome)))
                while not news or news[-1].turn < 4 or news[-1].kind != "committed":
                    news.append(await anext(watch))
            assert [(each.kind, each.turn) for each in news if each.kind != "released"] == [
                ("committed", 3),
                ("begun", 4),
                ("committed", 4),
            ]
            assert news[0].outcome is not None
            assert news[0].outcome.messages == ()
            assert news[0].outcome.request == before.request
            assert news[0].outcome.position == before.position

    run(work())


def test_the_sweep_does_not_wait_and_a_person_is_answered_meanwhile(held: Place) -> None:
    async def work() -> None:
        looker = Looker()
        async with held.open(looker.model()) as sessions:
            session, outcome = await spoken(held, sessions)
            held.clock.pass_(minutes=5)
            looker.opened.clear()
            assert await asyncio.wait_for(sessions.sweep(), 5) == 0
            await asyncio.wait_for(looker.asked.wait(), 5)
            assert await sessions.sweep() == 0
            outcome = await asyncio.wait_for(sessions.take(session, say("b", "不太好", seen(outcome))), 5)
            assert outcome.position["action"]["id"] == "last"
            looker.opened.set()
            await sessions.settled()
            assert len(looker.looks) == 1
            assert await kinds(sessions, session) == ["start", "message", "message", "noticed"]
            outcome = await sessions.take(session, say("c", "没有", seen(outcome)))
            assert outcome.position["action"]["id"] == "calm_ask"
            assert await replayed(sessions, session) == 5

    run(work())


def test_what_waits_goes_first(held: Place) -> None:
    """Words that came in before anybody looked, and those that come in beside what was found."""

    async def work() -> None:
        looker = Looker()
        async with held.open(looker.model()) as sessions:
            session, outcome = await spoken(held, sessions)
            held.clock.pass_(minutes=5)
            now = held.clock.now()
            await sessions.store.accept(session, say("b", "不太好", seen(outcome)), now)
            record = await sessions.session(session)
            sessions._periodic.begin(record, None)
            await sessions.settled()
            assert looker.looks == []
            held.clock.pass_(minutes=2)
            entry = Entry("noticed by hand", "noticed", text="[]")
            await sessions.store.accept(session, entry, held.clock.now())
            await sessions.store.accept(session, say("c", "还有", seen(outcome)), held.clock.now())
            for _ in range(3):
                await swept(sessions)
            assert (await kinds(sessions, session))[:5] == ["start", "message", "message", "message", "noticed"][:5]
            assert texts((await sessions.view(session)).messages) == ["还行", "不太好", "还有"]

    run(work())


def test_what_was_found_while_somebody_is_at_work_is_taken_in_later(held: Place) -> None:
    async def work() -> None:
        looker = Looker()
        async with held.open(looker.model()) as sessions:
            session, _ = await spoken(held, sessions)
            held.clock.pass_(minutes=5)
            async with sessions._conversations.of(session) as conversation, conversation.lock:
                await swept(sessions)
                assert await noticed(sessions, session) == []
            assert await swept(sessions) == 1
            assert len(await noticed(sessions, session)) == 1
            assert await swept(sessions) == 0

    run(work())


# once


def test_of_two_processes_one_looks(held: Place) -> None:
    async def work() -> None:
        looker = Looker()
        async with held.open(looker.model()) as one, held.open(looker.model()) as two:
            session, _ = await spoken(held, one)
            held.clock.pass_(minutes=5)
            await asyncio.gather(*(each.sweep() for each in (one, two) * 3))
            await asyncio.gather(one.settled(), two.settled())
            assert len(looker.looks) == 1
            assert len(await noticed(one, session)) == 1

    run(work())


@pytest.mark.parametrize("between", [False, True])
def test_what_two_find_acts_once(held: Place, between: bool) -> None:
    """The first was slow, and another took it for dead. ``between``: the person has spoken meanwhile."""

    async def work() -> None:
        slow, quick = Looker(), Looker()
        slow.opened.clear()
        async with held.open(slow.model()) as one, held.open(quick.model()) as two:
            session, outcome = await spoken(held, one)
            held.clock.pass_(minutes=5)
            await one.sweep()
            await slow.asked.wait()
            if between:
                outcome = await two.take(session, say("b", "不太好", seen(outcome)))
            held.clock.pass_(seconds=90)
            await swept(two)
            assert len(quick.looks) == 1
            slow.opened.set()
            await one.settled()
            found = await noticed(two, session)
            assert [event.data["rest"] for event in found][1:] == (["judged already"] if between else [])
            outcome = await two.take(session, say("c", "没有", seen(outcome)))
            outcome = await two.take(session, say("d", "好", seen(outcome)))
            assert len(await two.store.events(session, ("directive",))) == 1
            assert await replayed(two, session) == (await two.session(session)).seq

    run(work())


def test_what_was_bought_before_a_fault_is_not_bought_again(held: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        looker = Looker()
        async with held.open(looker.model()) as sessions:
            session, _ = await spoken(held, sessions)
            held.clock.pass_(minutes=5)
            accept = sessions.store.accept

            async def away(*given: Any) -> Any:
                monkeypatch.setattr(sessions.store, "accept", accept)
                raise OSError("the disk is gone")

            monkeypatch.setattr(sessions.store, "accept", away)
            await swept(sessions)
            assert (len(looker.looks), await noticed(sessions, session)) == (1, [])
            held.clock.pass_(seconds=59)
            await swept(sessions)
            assert await noticed(sessions, session) == []
            held.clock.pass_(seconds=1)
            await swept(sessions)
            assert (len(looker.looks), len(await noticed(sessions, session))) == (1, 1)

    run(work())


@pytest.mark.parametrize("fails", ["load", "calls", "save_aside", "postpone"])
def test_a_store_that_is_away_is_asked_again(held: Place, monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    async def work() -> None:
        looker = Looker()
        async with held.open(looker.model()) as sessions:
            session, _ = await spoken(held, sessions)
            held.clock.pass_(minutes=5)
            known, left = getattr(sessions.store, fails), [1]

            async def away(*given: Any) -> Any:
                if left:
                    left.pop()
                    raise OSError("the disk is gone")
                return await known(*given)

            monkeypatch.setattr(sessions.store, fails, away)
            await swept(sessions)
            assert await noticed(sessions, session) == []
            held.clock.pass_(minutes=1)
            await swept(sessions)
            assert len(await noticed(sessions, session)) == 1

    run(work())


def test_a_process_that_stops_leaves_its_looks_to_the_next(held: Place) -> None:
    async def work() -> None:
        looker = Looker()
        looker.opened.clear()
        async with held.open(looker.model()) as sessions:
            session, _ = await spoken(held, sessions)
            held.clock.pass_(minutes=5)
            await sessions.sweep()
            await looker.asked.wait()
        looker.opened.set()
        async with held.open(looker.model()) as sessions:
            assert [
                (one.outcome, one.turn) for one in await sessions.store.attempts(session) if one.template == "periodic"
            ] == [("cancelled", 2)]
            held.clock.pass_(minutes=1)
            await swept(sessions)
            assert len(await noticed(sessions, session)) == 1

    run(work())


def test_a_process_that_is_killed_while_it_looks(held: Place) -> None:
    async def prepare() -> str:
        async with held.open() as sessions:
            return (await spoken(held, sessions))[0]

    session = run(prepare())
    held.clock.pass_(minutes=5)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:

            async def die() -> None:
                looker = Looker()
                looker.opened.clear()
                async with held.open(looker.model()) as sessions:
                    await sessions.sweep()
                    await looker.asked.wait()
                    os.write(writing, b"!")
                    await sessions.settled()

            asyncio.run(die())
        finally:
            os._exit(1)
    os.read(reading, 1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)

    async def work() -> None:
        looker = Looker()
        async with held.open(looker.model()) as sessions:
            await swept(sessions)
            assert looker.looks == [], "it may be alive"
            held.clock.pass_(minutes=1)
            await swept(sessions)
            assert (len(looker.looks), len(await noticed(sessions, session))) == (1, 1)
            assert await replayed(sessions, session) == 3

    run(work())


# whom nobody looks at


def test_a_silence_is_looked_at_once(held: Place) -> None:
    async def work() -> None:
        looker = Looker("no")
        async with held.open(looker.model()) as sessions:
            session, outcome = await spoken(held, sessions)
            for _ in range(20):
                held.clock.pass_(minutes=5)
                await swept(sessions)
            assert len(looker.looks) == 1
            assert (await sessions.session(session)).wake_at is None
            await sessions.take(session, say("b", "我回来了", seen(outcome)))
            await swept(sessions)
            assert len(looker.looks) == 2

    run(work())


def test_who_has_paused_or_gone_for_a_day_is_left_alone(held: Place) -> None:
    async def work() -> None:
        looker = Looker("no")
        async with held.open(looker.model()) as sessions:
            paused, outcome = await spoken(held, sessions)
            await sessions.pause(paused)
            gone, _ = await spoken(held, sessions)
            held.clock.pass_(hours=24)
            await swept(sessions)
            assert looker.looks == []
            held.clock.pass_(hours=-20)
            outcome = await sessions.take(paused, say("b", "我回来了", seen(outcome)))
            await swept(sessions)
            assert len(await noticed(sessions, paused)) == 1
            assert (await sessions.session(paused)).status == "active"
            assert gone != paused

    run(work())


def test_what_is_found_leaves_a_paused_session_paused(held: Place) -> None:
    async def work() -> None:
        looker = Looker()
        looker.opened.clear()
        async with held.open(looker.model()) as sessions:
            session, _ = await spoken(held, sessions)
            held.clock.pass_(minutes=5)
            await sessions.sweep()
            await looker.asked.wait()
            await sessions.pause(session)
            looker.opened.set()
            await sessions.settled()
            record = await sessions.session(session)
            assert (record.status, record.wake_at) == ("paused", None)
            assert len(await noticed(sessions, session)) == 1

    run(work())


def test_what_is_found_of_a_session_that_has_ended_is_dropped(held: Place) -> None:
    async def work() -> None:
        looker = Looker()
        looker.opened.clear()
        async with held.open(looker.model()) as sessions:
            session, _ = await spoken(held, sessions)
            held.clock.pass_(minutes=5)
            await sessions.sweep()
            await looker.asked.wait()
            await sessions.end(session)
            looker.opened.set()
            await sessions.settled()
            assert await kinds(sessions, session) == ["start", "message", "end"]

    run(work())


def test_a_timeout_comes_first_and_the_look_after_it(held: Place) -> None:
    async def work() -> None:
        async with held.open(Looker("no").model()) as sessions:
            session, outcome = await spoken(held, sessions)
            held.clock.pass_(minutes=4)
            outcome = await sessions.take(session, say("b", "不太好", seen(outcome)))
            assert outcome.position["action"]["id"] == "last"
            held.clock.pass_(minutes=3)
            assert await swept(sessions) == 1
            assert await kinds(sessions, session) == ["start", "message", "message", "timer"]
            assert await swept(sessions) == 0
            assert (await kinds(sessions, session))[-1] == "noticed"

    run(work())


def test_a_look_does_not_keep_a_timeout_waiting(held: Place) -> None:
    """While a model takes its time, the session still wakes when its question's time is up."""

    async def work() -> None:
        looker = Looker()
        looker.opened.clear()
        async with held.open(looker.model()) as sessions:
            session, outcome = await spoken(held, sessions)
            held.clock.pass_(seconds=270)
            outcome = await sessions.take(session, say("b", "不太好", seen(outcome)))
            held.clock.pass_(seconds=90)
            await sessions.sweep()
            await looker.asked.wait()
            assert (await sessions.session(session)).wake_at == held.clock.now() + timedelta(seconds=30)
            held.clock.pass_(seconds=30)
            assert await sessions.sweep() == 1
            assert (await kinds(sessions, session))[-1] == "timer"
            looker.opened.set()
            await sessions.settled()
            assert (await kinds(sessions, session))[-1] == "noticed"

    run(work())


def test_a_state_that_cannot_be_read_marks_the_session(held: Place) -> None:
    async def work() -> None:
        async with held.open(Looker().model()) as sessions:
            session, _ = await spoken(held, sessions)
            await reseal_state(sessions, session, lambda state: {**state, "format": 99})
            held.clock.pass_(minutes=5)
            await swept(sessions)
            assert (await sessions.session(session)).status == "interrupted"

    run(work())


def test_what_is_due_no_more_is_put_off_until_it_is(held: Place) -> None:
    """As an older version, or a change by hand, may have left it."""

    async def work() -> None:
        looker = Looker("no")
        async with held.open(looker.model()) as sessions:
            session, _ = await spoken(held, sessions)
            right = (await sessions.session(session)).wake_at
            assert right is not None
            early = right - timedelta(minutes=2)
            assert await sessions.store.postpone(session, right, early)
            held.clock.pass_(minutes=3)
            await swept(sessions)
            assert (await sessions.session(session)).wake_at == right
            assert looker.looks == []

    run(work())


# models


def test_a_model_that_fails_is_asked_once_and_nobody_can_say(held: Place) -> None:
    async def work() -> None:
        looker = Looker()
        looker.verdict = ServerError("away")
        async with held.open(looker.model()) as sessions:
            session, _ = await spoken(held, sessions)
            held.clock.pass_(minutes=5)
            for _ in range(3):
                await swept(sessions)
                held.clock.pass_(minutes=2)
            (found,) = await noticed(sessions, session)
            assert (found.data["verdict"], found.data["source"]) == ("unknown", "default")
            tried = [one.outcome for one in await sessions.store.attempts(session) if one.template == "periodic"]
            assert set(tried) == {"error"}
            assert await replayed(sessions, session) == 3

    run(work())


def test_in_script_mode_rules_and_expressions_decide_without_a_call(place: Place) -> None:
    script = SCRIPT.replace("{judge: 来访者觉得没有被听见}", "len(心情) > 1")
    held = prepared(place, script)

    async def work() -> None:
        async with held.open() as sessions:
            session, outcome = await spoken(held, sessions, "很糟糕")
            held.clock.pass_(minutes=5)
            await swept(sessions)
            (found,) = await noticed(sessions, session)
            assert (found.data["verdict"], found.data["source"]) == ("yes", "rules")
            assert await sessions.store.calls(session) == ()
            outcome = await sessions.take(session, say("b", "不太好", seen(outcome)))
            assert outcome.position["action"]["id"] == "calm_ask"
            assert await replayed(sessions, session) == 4

    run(work())


@pytest.mark.parametrize(("scale", "seconds"), [(1.0, 60), (0.1, 60), (4.0, 240)])
def test_nobody_takes_a_slow_model_for_dead(held: Place, scale: float, seconds: int) -> None:
    """Deadlines stretch with ``time_scale``; the time after which a look is made again does too."""

    async def work() -> None:
        looker = Looker()
        looker.opened.clear()
        policy = type(QUICK)(waits=QUICK.waits, jitter=0.0, time_scale=scale)
        async with held.open(looker.model(policy)) as sessions:
            session, _ = await spoken(held, sessions)
            held.clock.pass_(minutes=5)
            await sessions.sweep()
            await looker.asked.wait()
            assert (await sessions.session(session)).wake_at == held.clock.now() + timedelta(seconds=seconds)
            assert policy.budget < seconds

    run(work())


# many


def test_many_sessions_are_looked_at_a_few_at_a_time(held: Place) -> None:
    async def work() -> None:
        looker = Looker("no")
        async with held.open(looker.model()) as sessions:
            known = [(await spoken(held, sessions))[0] for _ in range(30)]
            held.clock.pass_(minutes=30)
            looker.opened.clear()
            await sessions.sweep()
            for _ in range(200):
                await asyncio.sleep(0.01)
                if looker.now == periodic.AT_ONCE:
                    break
            assert (looker.now, looker.most) == (periodic.AT_ONCE, periodic.AT_ONCE)
            assert await sessions.sweep() == 0
            looker.opened.set()
            await sessions.settled()
            assert (len(looker.looks), looker.most) == (30, periodic.AT_ONCE)
            assert [len(await noticed(sessions, each)) for each in known] == [1] * 30

    run(work())


def test_more_than_can_be_seen_to_comes_later_and_keeps_no_timeout_waiting(
    held: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(periodic, "IN_HAND", 2)

    async def work() -> None:
        looker = Looker("no")
        looker.opened.clear()
        async with held.open(looker.model()) as sessions:
            known = [(await spoken(held, sessions))[0] for _ in range(5)]
            held.clock.pass_(minutes=30)
            await sessions.sweep()
            await looker.asked.wait()
            for _ in range(200):
                if not await sessions.store.due(held.clock.now(), 10):
                    break
                await asyncio.sleep(0.01)
            assert await sessions.store.due(held.clock.now(), 10) == ()
            looker.opened.set()
            await sessions.settled()
            assert len(looker.looks) == 2
            for _ in range(3):
                held.clock.pass_(minutes=1)
                await swept(sessions)
            assert [len(await noticed(sessions, each)) for each in known] == [1] * 5

    run(work())


def test_what_cannot_be_read_is_refused_by_its_turn(held: Place) -> None:
    """Only a fault puts such a thing into an inbox; the session says so, and nothing is lost."""

    async def work() -> None:
        async with held.open(Looker().model()) as sessions:
            session, _ = await spoken(held, sessions)
            await sessions.store.accept(session, Entry("n", "noticed", text="{"), held.clock.now())
            await swept(sessions)
            assert (await sessions.session(session)).status == "interrupted"
            change(sessions, "DELETE FROM inbox WHERE turn IS NULL")
            assert isinstance(sessions, Sessions)

    run(work())
