"""Live events: the same transcript for everybody who listens, from wherever they come in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.server.material import Asked, Grounds, Json, Told, Visit, rest, run, said, seen, take, until
from tests.sessions.material import Gate

from heartrule.server import events, live
from heartrule.server.events import STEP
from heartrule.sessions import Watch, subscribers

BURST = ("我", "今天很难受", "睡不着")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for other processes' turns as often as a test can wait for."""
    monkeypatch.setattr(subscribers.Watchers.__init__, "__defaults__", (0.02,))


def spoken(told: list[Told]) -> list[Json]:
    return [event.data for event in told if event.name == "message.completed"]


def ids(told: list[Told]) -> list[int]:
    return [event.id for event in told if event.id is not None]


async def replayed(api: Asked, visit: Visit, last: Any, count: int, query: bool = False) -> list[Told]:
    async with api.events(visit, last, query) as stream:
        return await take(stream, count)


async def whole(api: Asked) -> tuple[Visit, list[Json], list[Told]]:
    """A session that was held to its end, and all its events."""
    visit = await api.visit()
    turns = await api.whole(visit)
    async with api.events(visit, 0) as stream:
        told: list[Told] = []
        while len([event for event in told if event.name == "turn.completed"]) < len(turns):
            told += await until(stream)
    return visit, turns, told


def test_the_events_are_the_transcript(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit, turns, told = await whole(api)
            assert spoken(told) == await api.messages(visit)
            assert ids(told) == sorted(set(ids(told)))
            for turn in turns:
                own = [event for event in told if event.id is not None and event.id // STEP == turn["turn"]["seq"]]
                names = [event.name for event in own]
                asked = ["choice.requested"] if turn["request"]["choices"] else []
                expected = ["message.completed"] * len(turn["messages"])
                assert names == ["turn.started", *expected, *asked, "progress", "turn.completed"]
                assert own[0].data == {"turn": {"id": turn["turn"]["id"], "seq": turn["turn"]["seq"]}}
                assert own[-1].data == {k: v for k, v in turn.items() if k not in ("messages", "debug")}
                assert own[-2].data == turn["progress"]
                if asked:
                    assert own[-3].data == turn["request"]
            assert (await api.session(visit))["last_event_id"] == told[-1].id

    run(work())


def test_a_stream_that_is_cut_anywhere_goes_on_where_it_was(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit, _, told = await whole(api)
            for place, event in enumerate(told[:-1]):
                for query in (False, True):
                    after = await replayed(api, visit, event.id, len(told) - place - 1, query)
                    assert [*told[: place + 1], *after] == told

    run(work(), 60)


@pytest.mark.parametrize("last", ["future", "garbage", "between", "none"])
def test_a_last_id_that_is_none_is_taken_for_the_nearest_that_is(grounds: Grounds, last: str) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit, first = await api.begun()
            after = seen(first)
            given = {"future": 99 * STEP, "garbage": "abc-1", "between": STEP + 50, "none": None}[last]
            async with api.events(visit, given) as stream:
                if last == "between":
                    left = await until(stream)
                    assert [event.name for event in left] == ["progress", "turn.completed"]
                turn = await api.turn(visit, text="还行", after=after)
                told = await until(stream)
                assert told[0].id == 2 * STEP
                assert spoken(told) == turn["messages"]
            if last == "future":
                for number in ("9" * 20, "18446744073709551616", "+1", "1.0", "٣", "-1", ""):
                    async with api.events(visit, number if number.isascii() else number.encode()) as stream:
                        pass

    run(work())


def test_who_listens_hears_what_others_say(grounds: Grounds) -> None:
    """A turn of another request, of the sweep, and of another process: to each listener the same, once."""

    async def work() -> None:
        async with grounds.served(sweep_seconds=0.02) as api, grounds.asgi() as other:
            visit = await api.visit()
            async with api.events(visit) as one, api.events(visit, 0) as two:
                first = await api.turn(visit, type="start")
                heard = await until(one)
                second = await other.turn(visit, text="提不起劲", after=seen(first))
                heard += await until(one)
                grounds.clock.pass_(minutes=11)
                heard += await until(one)
                assert heard[-1].data["turn"]["seq"] == 3
                fourth = await api.turn(visit, text="算了")
                heard += await until(one)
                again = [event for _ in range(4) for event in await until(two)]
                assert heard == again
                assert spoken(heard) == await api.messages(visit)
                for turn in (first, second, fourth):
                    assert all(message in spoken(heard) for message in turn["messages"])

    run(work())


def test_a_turn_is_told_of_while_it_is_worked_out(grounds: Grounds) -> None:
    async def work() -> None:
        gate = Gate()
        async with grounds.served(store={"model": gate.model()}) as api:
            visit, first = await api.begun()
            gate.close()
            async with api.events(visit) as one:
                saying = asyncio.create_task(api.turn(visit, text="睡不着", after=seen(first)))
                (started,) = await take(one, 1)
                assert (started.id, started.name) == (2 * STEP, "turn.started")
                async with api.events(visit) as late, api.events(visit, started.id) as back:
                    assert await take(late, 1) == [started]
                    await asyncio.sleep(0.1)
                    gate.opened.set()
                    told = await until(one)
                    assert await until(late) == told
                    assert await until(back) == told
                    assert spoken(told) == (await saying)["messages"]

    run(work())


def test_a_quiet_stream_shows_that_it_lives(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "QUIET", 0.02)

    async def work() -> None:
        async with grounds.served() as api:
            visit = await api.visit()
            headers = {"Authorization": f"Bearer {visit.token}"}
            async with api.client.stream("GET", f"{visit.path}/events", headers=headers) as answer:
                assert answer.headers["cache-control"] == "no-store"
                assert answer.headers["x-accel-buffering"] == "no"
                lines = answer.aiter_lines()
                found = [await anext(lines) for _ in range(6)]
                assert found == ["retry: 1000", "", ": ", "", ": ", ""]

    run(work())


# bursts


def test_a_burst_is_one_answer_and_every_sender_gets_it(grounds: Grounds) -> None:
    async def work() -> None:
        gate = Gate()
        async with grounds.served(store={"model": gate.model()}) as api:
            visit, first = await api.begun()
            gate.close()
            sending = []
            async with api.events(visit) as stream:
                for number, words in enumerate(BURST):
                    sent = api.turn(visit, text=words, after=seen(first), key=f"burst-{number:04}")
                    sending.append(asyncio.create_task(sent))
                    await asyncio.wait_for(gate.asked.wait(), 20)
                    gate.asked.clear()
                    await asyncio.sleep(0.05)
                gate.opened.set()
                turns = await asyncio.gather(*sending)
                assert turns[0] == turns[1] == turns[2]
                assert turns[0]["turn"]["seq"] == 2
                assert said(turns[0]) == list(BURST)
                told = await until(stream)
                assert [event.name for event in told].count("turn.started") == 1
                assert spoken(told) == turns[0]["messages"]
            again = await asyncio.gather(
                *(
                    api.turn(visit, text=words, after=seen(first), key=f"burst-{number:04}")
                    for number, words in enumerate(BURST)
                )
            )
            assert again == turns

    run(work())


def test_a_burst_without_a_model_loses_no_word(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit, first = await api.begun()
            turns = await asyncio.gather(*(api.turn(visit, text=words, after=seen(first)) for words in BURST))
            spoken_ = [m["content"] for m in await api.messages(visit) if m["sender"] == "person"]
            assert sorted(spoken_) == sorted(BURST)
            for words, turn in zip(BURST, turns, strict=True):
                assert words in said(turn)
            assert (await api.session(visit))["position"]["action"]["id"] == "hours"

    run(work())


def test_the_same_key_is_the_same_turn(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit, first = await api.begun()
            given = {"text": "还行", "after": seen(first), "key": "the-same-key"}
            turns = await asyncio.gather(*(api.turn(visit, **given) for _ in range(5)))
            assert all(turn == turns[0] for turn in turns)
            later = await api.turn(visit, text="6", after=seen(turns[0]))
            assert await api.turn(visit, **given) == turns[0]
            assert await api.turn(visit, type="start", key="another-key") == first
            assert (await api.session(visit))["turn"] == later["turn"]["seq"]

    run(work())


# turns as events


def test_a_turn_can_be_had_as_events(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit, first = await api.begun()
            body = {"key": "aloud-0001", "after": seen(first), "input": {"type": "message", "text": "还行"}}
            async with api.aloud(visit, **body) as stream:
                told = await rest(stream)
            turn = await api.turn(visit, text="还行", key="aloud-0001", after=seen(first))
            assert [event.name for event in told][:1] == ["turn.started"]
            assert told[-1].name == "turn.completed"
            assert spoken(told) == turn["messages"]
            assert ids(told) == sorted(set(ids(told)))
            await api.turn(visit, text="6", after=seen(turn))
            async with api.aloud(visit, **body) as stream:
                assert await rest(stream) == told
            body["input"] = {"type": "message", "text": "另一句"}
            async with api.aloud(visit, **body) as stream:
                (failed,) = await rest(stream)
                assert (failed.id, failed.name, failed.data["code"]) == (None, "error", "key-reused")

    run(work())


def test_a_turns_stream_misses_nothing_that_happened_before_it(grounds: Grounds) -> None:
    """Whoever goes on listening from its last number has missed nothing."""

    async def work() -> None:
        gate = Gate()
        async with grounds.served(store={"model": gate.model()}) as api:
            visit, first = await api.begun()
            gate.close()
            other = asyncio.create_task(api.turn(visit, text="难受", after=seen(first)))
            await asyncio.wait_for(gate.asked.wait(), 20)
            body = {"key": "aloud-0001", "after": 1, "input": {"type": "message", "text": "你好"}}
            async with api.aloud(visit, **body) as stream:
                assert (await take(stream, 1))[0].id == 2 * STEP
                gate.opened.set()
                told = await rest(stream)
            assert (await other)["turn"]["seq"] == 2
            assert told[-1].id == events.last_of(3)
            assert [message["content"] for message in spoken(told) if message["sender"] == "person"] == ["难受", "你好"]
            assert spoken(told) == (await api.messages(visit))[len(first["messages"]) :]

    run(work())


def test_what_is_accepted_decides_how_it_is_told(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            for accept, kind in {
                "text/event-stream": "text/event-stream",
                "text/event-stream, */*;q=0.1": "text/event-stream",
                "text/*": "text/event-stream",
                "*/*": "application/json",
                "application/json": "application/json",
                "application/json, text/event-stream": "application/json",
                "APPLICATION/*;q=0.5": "application/json",
                "": "application/json",
            }.items():
                answer = await api.send(visit, type="start", headers={"Accept": accept})
                assert answer.status_code == 200, answer.text
                assert answer.headers["content-type"].startswith(kind), accept

    run(work())


# leaving


@pytest.mark.parametrize("how", ["json", "events"])
def test_leaving_does_not_stop_a_turn(grounds: Grounds, how: str) -> None:
    async def work() -> None:
        gate = Gate()
        async with grounds.served(store={"model": gate.model()}) as api:
            visit, first = await api.begun()
            gate.close()
            accept = {"json": "application/json", "events": "text/event-stream"}[how]
            key = {"key": "left-00001", "text": "睡不着", "after": seen(first)}
            sent = asyncio.create_task(api.send(visit, **key, headers={"Accept": accept}))
            await asyncio.wait_for(gate.asked.wait(), 20)
            sent.cancel()
            await asyncio.gather(sent, return_exceptions=True)
            await asyncio.sleep(0.1)
            assert api.context.running.at_work == 1
            asked = len(gate.requests)
            async with api.events(visit) as stream:
                assert (await take(stream, 1))[0].name == "turn.started"
                gate.opened.set()
                await until(stream)
            assert len(gate.requests) >= asked
            assert len(gate.answered) == len(set(gate.answered))
            assert (await api.turn(visit, **key))["turn"]["seq"] == 2
            assert [m["content"] for m in await api.messages(visit) if m["sender"] == "person"] == ["睡不着"]

    run(work())


def test_listeners_who_leave_are_forgotten(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit = await api.visit()
            for _ in range(5):
                async with api.events(visit):
                    pass
            async with asyncio.timeout(20):
                while api.context.live.open or api.context.sessions._watchers._watches:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)

    run(work())


def test_the_stream_of_an_erased_person_ends(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit, _ = await api.begun()
            async with api.events(visit) as stream:
                record = await api.context.sessions.session(visit.id)
                await api.context.sessions.store.erase_person(record.person)
                assert await rest(stream) == []
            watch = api.context.sessions.watch
            later, _ = await api.begun()
            record = await api.context.sessions.session(later.id)

            @asynccontextmanager
            async def erased(session: str) -> AsyncIterator[Watch]:
                await api.context.sessions.store.erase_person(record.person)
                async with watch(session) as found:
                    yield found

            api.context.sessions.watch = erased  # type: ignore[method-assign,assignment]
            async with api.events(later) as stream:
                assert await rest(stream) == []
            assert (await api.get(f"{visit.path}/events", visit.token)).status_code == 404

    run(work())


def test_a_turn_that_breaks_is_told_of_and_kept(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit, first = await api.begun()
            commit = api.context.sessions.store.commit

            async def failing(*_: object) -> None:
                raise OSError("我不该被看见")

            api.context.sessions.store.commit = failing  # type: ignore[method-assign,assignment]
            given = {"text": "还行", "after": seen(first), "key": "broken-001"}
            async with api.events(visit) as stream:
                assert (await api.send(visit, **given)).status_code == 500
                started, failed = await take(stream, 2)
                assert (started.name, failed.id, failed.name) == ("turn.started", None, "error")
                assert failed.data["code"] == "put-down"
                api.context.sessions.store.commit = commit  # type: ignore[method-assign]
                turn = await api.turn(visit, **given)
                told = [started, *await until(stream)]
                assert ids(told) == sorted(set(ids(told)))
                assert spoken(told) == turn["messages"]

    run(work())
