"""``POST …/stop``: the person has heard enough of a reply."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.server.material import Asked, Grounds, Json, Visit, problem, run, said, seen, take, until
from tests.sessions.material import Gate

from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import Pace, ScriptedProvider
from heartrule.testing.counsellor import counsel

SENTENCES = ("听起来这几天很不容易。", "睡不着的时候，脑子里常常停不下来。", "写下来，就有了一点距离。", "我们慢慢说。")
REPLY = "".join(SENTENCES) * 4


def writing() -> Model:
    """A model that writes some 160 characters a second."""

    def answer(request: Request) -> Json:
        given = counsel(request)
        return {**given, "content": REPLY} if given.get("content") else given

    return Model([ScriptedProvider(answer, pace=Pace(sizes=(8,), between=0.05))])


@asynccontextmanager
async def answering(grounds: Grounds, model: Model) -> AsyncIterator[tuple[Asked, Visit, asyncio.Task[Json]]]:
    """A server at work on the second turn of a session."""
    async with grounds.served(store={"model": model}) as api:
        visit, first = await api.begun()
        async with api.events(visit) as stream:
            saying = asyncio.create_task(api.turn(visit, text="睡不着", after=seen(first)))
            await take(stream, 1)
        try:
            yield api, visit, saying
        finally:
            await asyncio.gather(saying, return_exceptions=True)


async def stop(api: Asked, visit: Visit) -> Json:
    answer = await api.post(f"{visit.path}/stop", token=visit.token)
    assert answer.status_code == 202, answer.text
    found: Json = answer.json()
    return found


def test_where_no_reply_is_under_way_there_is_none_to_end(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, first = await api.begun()
            assert await stop(api, visit) == {"stopping": False}
            turn = await api.turn(visit, text="还行", after=seen(first))
            assert await stop(api, visit) == {"stopping": False}
            await api.post(f"{visit.path}/end", token=visit.token)
            assert await stop(api, visit) == {"stopping": False}
            assert await api.messages(visit) == [*first["messages"], *turn["messages"]]

    run(work())


def test_only_who_may_hold_the_session_may(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            other = await api.visit()
            problem(await api.post(f"{visit.path}/stop"), "unauthorized", 401)
            problem(await api.post(f"{visit.path}/stop", token=other.token), "not-found", 404)

    run(work())


def test_a_reply_ends_with_what_was_shown_of_it(grounds: Grounds) -> None:
    async def work() -> None:
        async with answering(grounds, writing()) as (api, visit, saying), api.events(visit) as stream:
            told = await until(stream, "message.delta")
            number = told[-1].data["number"]
            assert await stop(api, visit) == {"stopping": True}
            told += await until(stream)
            shown = ""
            for event in told:
                if event.name == "message.delta" and event.data["number"] == number:
                    shown = shown[: event.data["offset"]] + event.data["text"]
            turn = await saying
            assert said(turn) == ["睡不着"]
            (reply,) = (message["content"] for message in turn["messages"] if message["seq"] == number)
            assert reply.startswith(shown)
            assert REPLY.startswith(reply)
            assert len(reply) < len(REPLY)
            assert await stop(api, visit) == {"stopping": False}
            again = await api.turn(visit, text="6", after=seen(turn))
            assert said(again) == ["6"]

    run(work())


def test_before_anything_was_shown_nobody_waits_for_the_model(grounds: Grounds) -> None:
    """What was said is kept, and it is asked whether the person is safe: no model has looked at it."""

    async def work() -> None:
        gate = Gate()
        async with grounds.served(store={"model": gate.model()}) as api:
            visit, first = await api.begun()
            gate.close()
            saying = asyncio.create_task(api.turn(visit, text="睡不着", after=seen(first)))
            await asyncio.wait_for(gate.asked.wait(), 20)
            assert await stop(api, visit) == {"stopping": True}
            turn = await asyncio.wait_for(saying, 10)
            assert said(turn) == ["睡不着"]
            assert said(turn, "ai")
            assert not gate.opened.is_set()
            gate.opened.set()

    run(work())


@pytest.mark.parametrize("how", ["turn", "events"])
def test_leaving_ends_no_reply(grounds: Grounds, how: str) -> None:
    async def work() -> None:
        async with answering(grounds, writing()) as (api, visit, saying):
            if how == "turn":
                saying.cancel()
                await asyncio.gather(saying, return_exceptions=True)
            else:
                async with api.events(visit) as stream:
                    await until(stream, "message.delta")
            async with api.events(visit) as stream:
                await until(stream)
            replies = [message["content"] for message in await api.messages(visit) if message["sender"] == "ai"]
            assert REPLY in replies

    run(work())
