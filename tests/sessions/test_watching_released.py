"""What is released of a turn before it stands: told once, in order, to whoever looks on, and never taken back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sessions.material import Gate, Place, run, say, seen

from heartrule.sessions import NoSuchSession, Sessions, Watch, subscribers
from heartrule.sessions.shown_messages import ShownMessages
from heartrule.sessions.subscribers import KEPT, LEFT, News, Watchers
from heartrule.store.records import Entry

WORDS = "听起来这几天很不容易。😔 是什么让你睡不着？"


@asynccontextmanager
async def under_way(place: Place) -> AsyncIterator[tuple[Sessions, str, asyncio.Event]]:
    """A session whose second turn is being worked out; its person's words are message 3, the reply is 4. The event
    lets the turn end."""
    gate = Gate()
    async with place.open(gate.model()) as sessions:
        session, outcome = await place.begun(sessions)
        gate.close()
        taking = asyncio.create_task(sessions.take(session, say("a", "难受", seen(outcome))))
        await gate.asked.wait()
        try:
            yield sessions, session, gate.opened
        finally:
            gate.opened.set()
            await asyncio.gather(taking, return_exceptions=True)


def release(sessions: Sessions, session: str, offset: int, text: str, number: int = 4, turn: int = 2) -> None:
    """As whoever works the turn out does."""
    sessions._watchers.released(session, turn, number, offset, text)


async def quiet(watch: Watch) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await anext(watch)


def parts(news: Sequence[News]) -> list[tuple[int, int, str]]:
    assert {one.kind for one in news} <= {"released"}
    return [(one.number, one.offset, one.text) for one in news]


async def next_of(watch: Watch, count: int) -> list[News]:
    async with asyncio.timeout(10):
        return [await anext(watch) for _ in range(count)]


def test_each_part_is_told_as_it_is_released(place: Place) -> None:
    async def work() -> None:
        async with under_way(place) as (sessions, session, end), sessions.watch(session) as watch:
            assert [one.kind for one in await next_of(watch, 1)] == ["begun"]
            release(sessions, session, 0, "听到了。")
            first = await next_of(watch, 1)
            assert first == [News("released", 2, number=4, offset=0, text="听到了。")]
            assert "听到了" not in repr(first), "what is said is in no log"
            release(sessions, session, 4, "😔")
            release(sessions, session, 5, "后来呢？")
            release(sessions, session, 0, "另一条。", number=5)
            assert parts(await next_of(watch, 2)) == [(4, 4, "😔后来呢？"), (5, 0, "另一条。")]
            await quiet(watch)
            end.set()
            assert [(one.kind, one.turn) for one in await next_of(watch, 1)] == [("committed", 2)]
            await quiet(watch)

    run(work())


def test_who_comes_in_the_middle_gets_everything_so_far(place: Place) -> None:
    async def work() -> None:
        async with under_way(place) as (sessions, session, _):
            release(sessions, session, 0, "听到了。")
            release(sessions, session, 4, "后来呢？")
            async with sessions.watch(session) as one, sessions.watch(session) as two:
                for watch in (one, two):
                    told = await next_of(watch, 2)
                    assert told[0].kind == "begun"
                    assert parts(told[1:]) == [(4, 0, "听到了。后来呢？")]
                release(sessions, session, 8, "我在。")
                assert parts(await next_of(one, 1)) == parts(await next_of(two, 1)) == [(4, 8, "我在。")]

    run(work())


def test_a_slow_listener_gets_the_parts_of_a_message_in_one_and_holds_nothing_up(place: Place) -> None:
    async def work() -> None:
        async with under_way(place) as (sessions, session, end), sessions.watch(session) as slow:
            await next_of(slow, 1)
            for at in range(50 * KEPT):
                release(sessions, session, at, "字")
            assert len(slow._news) <= KEPT
            assert parts(await next_of(slow, 1)) == [(4, 0, "字" * 50 * KEPT)]
            release(sessions, session, 50 * KEPT, "尾")
            end.set()
            while session in sessions._watchers._running:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            assert [one.kind for one in await next_of(slow, 1)] == ["committed"], "a turn that stands is told as it is"
            await quiet(slow)

    run(work())


def test_what_was_read_stays_when_the_turn_is_put_down_and_is_told_to_who_comes_then(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            gate.close()
            async with sessions.watch(session) as watch:
                taking = asyncio.create_task(sessions.take(session, say("a", "难受", seen(outcome))))
                await gate.asked.wait()
                release(sessions, session, 0, "听到了。")
                assert [one.kind for one in await next_of(watch, 2)] == ["begun", "released"]
                release(sessions, session, 4, "后来呢？")
                taking.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await taking
                told = await next_of(watch, 2)
                assert told[0] == News("stopped", 2)
                assert parts(told[1:]) == [(4, 4, "后来呢？")]
                async with sessions.watch(session) as late:
                    assert parts(await next_of(late, 1)) == [(4, 0, "听到了。后来呢？")]
                    await quiet(late)
                gate.asked.clear()
                again = asyncio.create_task(sessions.take(session, say("a", "难受", seen(outcome))))
                await gate.asked.wait()
                release(sessions, session, 0, "听到了。后来呢？")
                release(sessions, session, 8, "我在。")
                told = await next_of(watch, 2)
                assert told[0] == News("begun", 2)
                assert parts(told[1:]) == [(4, 8, "我在。")], "what was told is not told again"
                gate.opened.set()
                while (last := (await next_of(watch, 1))[0]).kind == "released":
                    pass  # what the model's own reply has more of
                assert last.outcome == await again
            async with sessions.watch(session) as after:
                assert after.seq == 2
                await quiet(after)
            assert not sessions._watchers._released

    run(work())


def test_another_process_may_end_what_this_one_began(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who looks on here has the part that was released here, and then at least the message that stands."""
    monkeypatch.setattr(subscribers.Watchers.__init__, "__defaults__", (0.02,))

    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as one, place.open() as two:
            session, outcome = await place.begun(one)
            gate.close()
            async with one.watch(session) as here, two.watch(session) as there:
                taking = asyncio.create_task(one.take(session, say("a", "难受", seen(outcome))))
                await gate.asked.wait()
                release(one, session, 0, "听到了。")
                assert [each.kind for each in await next_of(here, 2)] == ["begun", "released"]
                await quiet(there)
                taking.cancel()
                await asyncio.gather(taking, return_exceptions=True)
                assert await next_of(here, 1) == [News("stopped", 2)]
                finished = await two.take(session, say("a", "难受", seen(outcome)))
                assert await next_of(here, 1) == [News("missed", 2)]
                assert [each.kind for each in await next_of(there, 2)] == ["begun", "committed"]
                assert list(await one.turns(session, after=1)) == [finished]
            assert not one._watchers._released, "what stands need not be kept besides"

    run(work())


def test_what_was_released_of_a_turn_that_stands_meanwhile_is_not_told(place: Place) -> None:
    """Nobody looked on here when the other process committed it."""

    async def work() -> None:
        async with place.open() as one, place.open() as two:
            session, outcome = await place.begun(one)
            release(one, session, 0, "听到了。")
            await two.take(session, say("a", "难受", seen(outcome)))
            async with one.watch(session) as watch:
                assert watch.seq == 2
                await quiet(watch)

    run(work())


def test_who_missed_turns_still_gets_the_one_that_runs(place: Place) -> None:
    """More news than are kept, and what is released on top of them."""

    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            async with sessions.watch(session) as watch:
                for number in range(2 * KEPT):
                    await sessions.take(session, Entry(f"r{number}", "resume"))
                last = 1 + 2 * KEPT
                sessions._watchers.begun(session, last + 1)
                release(sessions, session, 0, "听到了。", turn=last + 1)
                told = [await anext(watch)]
                while told[-1].kind != "released":
                    told.append(await anext(watch))
                assert parts(told[-1:]) == [(4, 0, "听到了。")]
                assert News("begun", last + 1) in told

    run(work())


def test_an_erased_session_leaves_nothing_of_what_was_said_in_memory(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscribers.Watchers.__init__, "__defaults__", (0.02,))

    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            release(sessions, session, 0, "听到了。")
            person = (await sessions.session(session)).person
            async with sessions.watch(session) as watch:
                assert len(await next_of(watch, 1)) == 1
                await sessions.store.erase_person(person)
                with pytest.raises(NoSuchSession):
                    await next_of(watch, 1)
            assert not sessions._watchers._released

    run(work())


def test_only_so_many_turns_that_nobody_takes_up_again_are_remembered() -> None:
    async def none(_: Sequence[str]) -> Mapping[str, int]:
        return {}

    watchers = Watchers(none)
    watchers.begun("at work", 1)
    watchers.released("at work", 1, 1, 0, "字")
    for number in range(LEFT + 10):
        watchers.begun(f"s{number}", 1)
        watchers.released(f"s{number}", 1, 1, 0, "字")
        watchers.rested(f"s{number}")
    assert len(watchers._released) <= LEFT + 1
    assert "at work" in watchers._released
    assert f"s{LEFT + 9}" in watchers._released
    assert "s0" not in watchers._released


def test_an_older_turn_takes_nothing_from_the_one_that_runs() -> None:
    async def three(_: Sequence[str]) -> Mapping[str, int]:
        return {"s": 2}

    async def work() -> None:
        watchers = Watchers(three)
        watchers.begun("s", 3)
        watchers.released("s", 3, 7, 0, "现在。")
        watchers.released("s", 2, 5, 0, "以前。")
        async with watchers.of("s") as watch:
            told = await next_of(watch, 2)
            assert parts(told[1:]) == [(7, 0, "现在。")]

    run(work())


@given(st.lists(st.tuples(st.integers(0, len(WORDS)), st.integers(0, len(WORDS))), max_size=30))
def test_parts_in_any_order_never_jump_back_and_never_double(given: list[tuple[int, int]]) -> None:
    """Whatever is told again or out of order, what may be read is always the beginning of the message, and grows."""
    released, before = ShownMessages(1), ""
    for offset, end in given:
        new = released.add(4, offset, WORDS[offset:end])
        now = dict(released).get(4, "")
        assert WORDS.startswith(now)
        assert now.startswith(before)
        assert new == (now != before)
        before = now
    reached = 0
    while any(offset <= reached < end for offset, end in given):
        reached = max(end for offset, end in given if offset <= reached)
        for offset, end in given:
            released.add(4, offset, WORDS[offset:end])
    assert dict(released).get(4, "")[:reached] == WORDS[:reached]
