"""Whoever looks on is told of every turn, in order, whoever works it out; and never holds anybody up."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.sessions.material import ANSWERS, Gate, Place, answer, run, say, seen

from heartrule.sessions import NoSuchSession, Sessions, Watch, subscribers
from heartrule.sessions.subscribers import KEPT, News
from heartrule.store.records import Entry


async def next_of(watch: Watch, count: int) -> list[News]:
    return [await anext(watch) for _ in range(count)]


def shown(news: list[News]) -> list[tuple[str, int]]:
    return [(one.kind, one.turn) for one in news]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the database for other processes' turns as often as a test can wait for."""
    monkeypatch.setattr(subscribers.Watchers.__init__, "__defaults__", (0.02,))


def test_each_turn_is_told_as_it_begins_and_as_it_stands(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            record = await sessions.create(place.script)
            async with sessions.watch(record.id) as watch:
                assert watch.seq == 0
                first = await sessions.start(record.id)
                last = await answer(sessions, record.id, first)
                news = await next_of(watch, 2 * (1 + len(ANSWERS)))
                assert shown(news) == [(kind, n) for n in range(1, 6) for kind in ("begun", "committed")]
                assert news[1].outcome == first
                assert news[-1].outcome == last

    run(work())


def test_two_who_look_on_are_told_the_same(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            async with sessions.watch(session) as one, sessions.watch(session) as two:
                assert one.seq == two.seq == 1
                await sessions.take(session, say("a", "难受", seen(outcome)))
                assert await next_of(one, 2) == await next_of(two, 2)
            async with sessions.watch(session) as late:
                assert late.seq == 2

    run(work())


def test_other_sessions_are_not_told_of(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            other, outcome = await place.begun(sessions)
            async with sessions.watch(session) as watch:
                await sessions.take(other, say("a", "难受", seen(outcome)))
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.05):
                        await anext(watch)

    run(work())


def test_who_comes_while_a_turn_is_worked_out_is_told_that_it_is(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            gate.close()
            taking = asyncio.create_task(sessions.take(session, say("a", "难受", seen(outcome))))
            await gate.asked.wait()
            async with sessions.watch(session) as watch:
                assert shown(await next_of(watch, 1)) == [("begun", 2)]
                gate.opened.set()
                news = await next_of(watch, 1)
                assert shown(news) == [("committed", 2)]
                assert news[0].outcome == await taking

    run(work())


def test_a_turn_that_more_words_join_begins_once(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            gate.close()
            async with sessions.watch(session) as watch:
                one = asyncio.create_task(sessions.take(session, say("a", "我", seen(outcome))))
                await gate.asked.wait()
                two = asyncio.create_task(sessions.take(session, say("b", "睡不着", seen(outcome))))
                await asyncio.sleep(0.05)
                gate.opened.set()
                await asyncio.gather(one, two)
                assert shown(await next_of(watch, 2)) == [("begun", 2), ("committed", 2)]

    run(work())


def test_a_turn_that_breaks_off_is_told_of_too(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            gate.close()
            async with sessions.watch(session) as watch:
                taking = asyncio.create_task(sessions.take(session, say("a", "难受", seen(outcome))))
                await gate.asked.wait()
                taking.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await taking
                gate.opened.set()
                await sessions.take(session, say("a", "难受", seen(outcome)))
                told = shown(await next_of(watch, 4))
                assert told == [("begun", 2), ("stopped", 2), ("begun", 2), ("committed", 2)]

    run(work())


def test_a_repeated_key_is_no_news(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await sessions.take(session, say("a", "难受", seen(outcome)))
            async with sessions.watch(session) as watch:
                await sessions.take(session, say("a", "难受", seen(outcome)))
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.05):
                        await anext(watch)

    run(work())


def test_a_timer_that_the_sweep_wakes_is_told(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await sessions.take(session, say("a", "难受", seen(outcome)))
            async with sessions.watch(session) as watch:
                place.clock.pass_(minutes=11)
                assert await sessions.sweep() == 1
                news = await next_of(watch, 2)
                assert shown(news) == [("begun", 3), ("committed", 3)]
                assert news[1].outcome is not None
                assert news[1].outcome.position["action"]["id"] == "go"

    run(work())


async def turns_without_reading(sessions: Sessions, session: str, count: int) -> None:
    for number in range(count):
        await sessions.take(session, Entry(f"r{number}", "resume"))


def test_who_does_not_come_for_the_news_is_told_to_read_again(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            async with sessions.watch(session) as watch:
                await turns_without_reading(sessions, session, 3 * KEPT)
                assert len(watch._news) <= KEPT
                news = [await anext(watch)]
                assert news[0].kind == "missed"
                while news[-1].turn < 1 + 3 * KEPT or news[-1].kind == "begun":
                    news.append(await anext(watch))
                stands = news[0].turn
                for one in news[1:]:
                    if one.kind == "committed":
                        assert one.turn == stands + 1
                        stands = one.turn
                assert stands == 1 + 3 * KEPT
                read = await sessions.turns(session, after=1, limit=1000)
                assert [outcome.turn for outcome in read] == list(range(2, 2 + 3 * KEPT))

    run(work())


@pytest.mark.usefixtures("quick")
def test_turns_of_another_process_are_noticed(place: Place) -> None:
    async def work() -> None:
        async with place.open() as one, place.open() as two:
            session, outcome = await place.begun(one)
            async with one.watch(session) as watch:
                outcome = await two.take(session, say("a", "难受", seen(outcome)))
                assert shown(await next_of(watch, 1)) == [("missed", 2)]
                assert list(await one.turns(session, after=watch.seq)) == [outcome]
                outcome = await one.take(session, say("b", "8", seen(outcome)))
                news = await next_of(watch, 2)
                assert shown(news) == [("begun", 3), ("committed", 3)]

    run(work())


def test_turns_between_ours_are_not_passed_over(place: Place) -> None:
    async def work() -> None:
        async with place.open() as one, place.open() as two:
            session, outcome = await place.begun(one)
            async with one.watch(session) as watch:
                outcome = await two.take(session, say("a", "难受", seen(outcome)))
                await one.take(session, say("b", "8", seen(outcome)))
                assert shown(await next_of(watch, 2)) == [("begun", 3), ("missed", 3)]
                assert [turn.turn for turn in await one.turns(session, after=watch.seq)] == [2, 3]

    run(work())


@pytest.mark.usefixtures("quick")
def test_the_look_survives_a_database_that_is_away(place: Place) -> None:
    async def work() -> None:
        async with place.open() as one, place.open() as two:
            session, outcome = await place.begun(one)
            async with one.watch(session) as watch:
                seqs, failed = one.store.seqs, asyncio.Event()

                async def away(_: Any) -> dict[str, int]:
                    failed.set()
                    raise OSError("away")

                one._watchers._seqs = away
                await failed.wait()
                one._watchers._seqs = seqs
                await two.take(session, say("a", "难受", seen(outcome)))
                assert shown(await next_of(watch, 1)) == [("missed", 2)]

    run(work())


@pytest.mark.usefixtures("quick")
def test_a_session_that_is_erased_ends_the_watch(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            person = (await sessions.session(session)).person
            async with sessions.watch(session) as watch:
                await sessions.store.erase_person(person)
                with pytest.raises(NoSuchSession):
                    await anext(watch)

    run(work())


def test_there_is_nothing_to_watch_of_no_session(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            for name in ("nobody's", "\x00", "\ud800"):
                with pytest.raises(NoSuchSession):
                    async with sessions.watch(name):
                        pass
            assert not sessions._watchers._watches

    run(work())


def test_closing_ends_every_watch(place: Place) -> None:
    async def listen(sessions: Sessions, session: str, ready: asyncio.Event) -> list[News]:
        async with sessions.watch(session) as watch:
            ready.set()
            return [news async for news in watch]

    async def work() -> None:
        ready = asyncio.Event()
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            listening = asyncio.create_task(listen(sessions, session, ready))
            await ready.wait()
            await sessions.take(session, Entry("r", "resume"))
        assert shown(await listening) == [("begun", 2), ("committed", 2)]

    run(work())


def test_nothing_is_kept_of_who_has_left(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            for _ in range(3):
                async with sessions.watch(session), sessions.watch(session):
                    assert sessions._watchers._looking is not None
                assert not sessions._watchers._watches
                assert sessions._watchers._looking is None
            assert not sessions._watchers._running

    run(work())
