"""A reply as it is written, on the wire: in pieces that follow on each other, without numbers of their own, and always
all of it again for who comes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from tests.server.material import Asked, Grounds, Told, Visit, rest, run, seen, take, until
from tests.sessions.material import Gate

from heartrule.server import live
from heartrule.server.events import STEP
from heartrule.sessions import subscribers

FIRST, SECOND = "听起来很不容易。\n", "😔 是什么让你睡不着？"
BOTH = {"turn": 2, "number": 4, "offset": 0, "text": FIRST + SECOND}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscribers.Watchers.__init__, "__defaults__", (0.02,))


@asynccontextmanager
async def answering(grounds: Grounds) -> AsyncIterator[tuple[Asked, Visit, Gate]]:
    """A server that is at work on the second turn of a session; its reply will be message 4."""
    gate = Gate()
    async with grounds.served(store={"model": gate.model()}) as api:
        visit, first = await api.begun()
        gate.close()
        saying = asyncio.create_task(api.turn(visit, text="睡不着", after=seen(first), key="said-00001"))
        await asyncio.wait_for(gate.asked.wait(), 20)
        try:
            yield api, visit, gate
        finally:
            gate.opened.set()
            await asyncio.gather(saying, return_exceptions=True)


def release(api: Asked, visit: Visit, offset: int, text: str, number: int = 4) -> None:
    api.context.sessions._watchers.released(visit.id, 2, number, offset, text)


def deltas(told: Sequence[Told]) -> list[object]:
    return [event.data for event in told if event.name == "message.delta"]


def test_a_reply_is_told_as_it_is_written_and_then_whole(grounds: Grounds) -> None:
    async def work() -> None:
        async with answering(grounds) as (api, visit, gate), api.events(visit) as stream:
            (started,) = await take(stream, 1)
            release(api, visit, 0, FIRST)
            (one,) = await take(stream, 1)
            assert one == Told(None, "message.delta", BOTH | {"text": FIRST})
            release(api, visit, len(FIRST), SECOND)
            (two,) = await take(stream, 1)
            assert two == Told(None, "message.delta", BOTH | {"offset": len(FIRST), "text": SECOND})
            gate.opened.set()
            told = await until(stream)
            assert deltas(told) == []
            numbers = [event.id for event in [started, *told]]
            assert numbers == sorted(number for number in numbers if number is not None)
            messages = [event.data["seq"] for event in told if event.name == "message.completed"]
            assert messages[:2] == [3, 4]

    run(work())


def test_who_comes_or_comes_back_in_the_middle_gets_all_of_it(grounds: Grounds) -> None:
    """With no number, with that of the last turn that stands, and with that of the start of the one that runs."""

    async def work() -> None:
        async with answering(grounds) as (api, visit, gate):
            release(api, visit, 0, FIRST)
            release(api, visit, len(FIRST), SECOND)
            for last in (None, (await api.session(visit))["last_event_id"], 2 * STEP, 0):
                async with api.events(visit, last) as stream:
                    told = await until(stream, "message.delta")
                    assert told[-1] == Told(None, "message.delta", BOTH)
                    if last != 2 * STEP:
                        assert told[-2].name == "turn.started"
            async with api.events(visit, 2 * STEP) as stream:
                assert await take(stream, 1) == [Told(None, "message.delta", BOTH)]
                gate.opened.set()
                assert (await until(stream))[-1].id == 3 * STEP - 1
            async with api.events(visit, 2 * STEP - 1) as stream:
                assert deltas(await until(stream)) == [], "it stands: there is nothing left to be written"

    run(work())


def test_a_turn_that_is_had_as_events_has_them_too(grounds: Grounds) -> None:
    async def work() -> None:
        async with answering(grounds) as (api, visit, gate):
            body = {"key": "said-00001", "after": 2, "input": {"type": "message", "text": "睡不着"}}
            async with api.aloud(visit, **body) as stream:
                assert [event.name for event in await take(stream, 1)] == ["turn.started"]
                release(api, visit, 0, FIRST)
                assert await take(stream, 1) == [Told(None, "message.delta", BOTH | {"text": FIRST})]
                release(api, visit, len(FIRST), SECOND)
                assert deltas(await take(stream, 1)) == [BOTH | {"offset": len(FIRST), "text": SECOND}]
                gate.opened.set()
                assert (await rest(stream))[-1].name == "turn.completed"

    run(work())


def test_a_reader_who_is_slow_gets_it_in_fewer_pieces(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept for them but the text itself, and nobody waits for them."""
    monkeypatch.setattr(live, "QUIET", 0.05)

    async def work() -> None:
        async with answering(grounds) as (api, visit, _), api.events(visit) as stream:
            await take(stream, 1)
            line = "很长的一句话。" * 1_000
            for at in range(300):
                release(api, visit, at * len(line), line)
                if at % 50 == 0:
                    await asyncio.sleep(0)
            (watch,) = api.context.sessions._watchers._watches[visit.id]
            assert not watch._news
            told, pieces = "", 0
            while len(told) < 300 * len(line):
                (event,) = await take(stream, 1)
                assert event.data["offset"] == len(told)
                told, pieces = told + event.data["text"], pieces + 1
            assert told == line * 300
            assert pieces <= 10

    run(work())


def test_what_was_read_stays_when_the_server_puts_the_turn_down(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit, first = await api.begun()
            given = {"text": "还行", "after": seen(first), "key": "broken-001"}
            commit = api.context.sessions.store.commit

            async def failing(*_: object) -> None:
                release(api, visit, 0, FIRST)
                await asyncio.sleep(0.1)
                raise OSError("away")

            api.context.sessions.store.commit = failing  # type: ignore[method-assign,assignment]
            async with api.events(visit) as stream:
                assert (await api.send(visit, **given)).status_code == 500
                told = await until(stream, "error")
                assert [event.name for event in told] == ["turn.started", "message.delta", "error"]
                async with api.events(visit) as late:
                    assert deltas(await take(late, 1)) == [BOTH | {"text": FIRST}]
                    api.context.sessions.store.commit = commit  # type: ignore[method-assign]
                    turn = await api.turn(visit, **given)
                    for listening in (stream, late):
                        again = await until(listening)
                        assert deltas(again) == []
                        messages = [event.data for event in again if event.name == "message.completed"]
                        assert messages == turn["messages"]

    run(work())


def test_at_another_server_the_message_comes_when_it_stands(grounds: Grounds) -> None:
    async def work() -> None:
        async with answering(grounds) as (api, visit, gate), grounds.served() as other:
            async with other.events(visit) as stream:
                release(api, visit, 0, FIRST)
                with pytest.raises(TimeoutError):
                    await take(stream, 1, seconds=0.2)
            async with other.events(visit) as stream:
                gate.opened.set()
                told = await until(stream)
                assert deltas(told) == []
                assert [event.data["seq"] for event in told if event.name == "message.completed"][:2] == [3, 4]

    run(work())


def test_no_text_can_end_its_event(grounds: Grounds) -> None:
    async def work() -> None:
        async with answering(grounds) as (api, visit, _), api.events(visit) as stream:
            await take(stream, 1)
            words = "一\n\nid: 9\r\nevent: error\r\rdata: {}\n\n"
            release(api, visit, 0, words)
            (event,) = await take(stream, 1)
            assert (event.name, event.data["text"]) == ("message.delta", words)

    run(work())


def test_its_shape_is_in_the_document(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            schema = (await api.get("/openapi.json")).json()["components"]["schemas"]["MessageDelta"]
            assert schema["required"] == ["turn", "number", "offset", "text"]

    run(work())
