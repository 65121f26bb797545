"""The stub over its wire, and the client that makes one call for each task against it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from bench.intake import tokens
from bench.intake.conversation import conversation
from bench.intake.judged import judgements
from bench.intake.measure import one_by_one, stub, together
from bench.intake.naive import Naive, client, endpoint, steps
from bench.intake.sides import OneByOne

LAST = conversation().answers[0]


@pytest.fixture(scope="module")
def quick() -> Iterator[str]:
    with stub(0.0) as address:
        yield address


def body(**more: Any) -> dict[str, Any]:
    return {"model": "stub", "messages": [{"role": "user", "content": LAST.says}], **more}


def post(address: str, **more: Any) -> httpx2.Response:
    return httpx2.post(endpoint(address), json=body(**more), timeout=30)


def calls(address: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = httpx2.get(address.replace("/v1", "/calls"), timeout=30).json()
    return found


def streamed(address: str) -> list[tuple[float, str]]:
    """The pieces with the seconds that had passed."""
    found, began = [], time.monotonic()
    with httpx2.stream("POST", endpoint(address), json=body(stream=True), timeout=30) as response:
        for line in response.iter_lines():
            if line.startswith("data: {"):
                choice = json.loads(line[6:])["choices"][0]
                found.append((time.monotonic() - began, choice["delta"].get("content", "")))
            elif line.startswith("data: "):
                assert line == "data: [DONE]"
                assert choice["finish_reason"] == "stop"
    return found


def test_it_answers_as_the_wire_does(quick: str) -> None:
    choice = post(quick).json()["choices"][0]
    assert choice["message"] == {"role": "assistant", "content": LAST.reply}
    assert choice["finish_reason"] == "stop"


def test_it_answers_in_the_shape_asked_for(quick: str) -> None:
    form = {"json_schema": {"name": "answer", "schema": {"properties": {"reply": {"type": "string"}}}}}
    assert json.loads(post(quick, response_format=form).json()["choices"][0]["message"]["content"]) == {
        "reply": LAST.reply
    }


def test_a_stream_says_the_same(quick: str) -> None:
    assert "".join(piece for _, piece in streamed(quick)) == LAST.reply


def test_it_keeps_what_it_was_asked_until_somebody_looks(quick: str) -> None:
    calls(quick)
    before = time.monotonic()
    post(quick)
    post(quick, stream=True)
    kept = calls(quick)
    assert [each["answer"] for each in kept] == [LAST.reply] * 2
    assert [each["messages"] for each in kept] == [body()["messages"]] * 2
    assert all(before <= each["began"] <= each["ended"] <= time.monotonic() for each in kept)
    assert calls(quick) == []


def test_it_takes_its_time_and_speaks_at_its_pace() -> None:
    with stub(0.2, 50) as address:
        pieces = streamed(address)
        size = tokens.count(LAST.reply)
        assert len(pieces) == size + 1
        assert pieces[0][0] >= 0.2
        assert pieces[-1][0] >= 0.2 + size / 50
        assert "".join(piece for _, piece in pieces) == LAST.reply
        began = time.monotonic()
        post(address)
        assert time.monotonic() - began >= 0.2 + size / 50
        kept = calls(address)
        assert all(each["ended"] - each["began"] >= 0.2 + size / 50 for each in kept)


def test_for_load_it_keeps_nothing() -> None:
    with stub(0.0, forget=True) as address:
        post(address)
        assert calls(address) == []


def test_the_client_that_calls_for_each_task_understands_the_conversation_too(quick: str) -> None:
    async def hold() -> Naive:
        async with client() as http:
            naive = Naive(http, endpoint(quick), conversation())
            for number, answer in enumerate(conversation().answers, 1):
                reply = await naive.say(answer.says)
                following = steps()[number] if number < 6 else None
                assert reply == answer.reply + (answer.words or (following.question if following else ""))
            return naive

    naive = asyncio.run(hold())
    assert naive.known == {name: held.value for name, held in conversation().known(6).items()}
    assert naive.verdicts == {each.question: each.holds_from > 0 for each in conversation().judgements}


def test_it_waits_for_one_call_after_another(quick: str) -> None:
    async def run() -> Any:
        async with OneByOne.at(quick) as other:
            return await one_by_one(other, quick, 1)

    found = asyncio.run(run())
    assert len(found.turns) == 12
    assert len(found.waits) == len(found.firsts) == 6
    assert all(turn.rounds == turn.calls for turn in found.turns)
    first = found.turns[0]
    assert first.calls == 1 + 1 + 5 + 1, "danger, the value asked for, five in passing, the reply"
    assert found.turns[5].calls == 1 + 1 + 1, "danger, the one value not known yet, the reply"
    assert all(0 < turn.discounted < turn.prompt for turn in found.turns[1:6])
    assert all(0 < first <= wait for first, wait in zip(found.firsts, found.waits, strict=True))
    assert found.memory > 10
    assert found.processor > 0


def test_more_judgements_are_more_calls(quick: str) -> None:
    async def run() -> None:
        async with OneByOne.at(quick, judgements()) as other:
            talk = await other.begun()
            await talk.say(LAST.says)

    calls(quick)
    asyncio.run(run())
    assert len(calls(quick)) == 8 + 8


def test_many_at_once(quick: str) -> None:
    async def run() -> Any:
        async with OneByOne.at(quick) as other:
            return await together(other, 5, 2)

    found = asyncio.run(run())
    assert len(found.waits) == 5 * 2 * 6
    assert found.rate > 0
