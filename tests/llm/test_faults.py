"""Every way a model server can misbehave, over a real connection, through to the answer the engine gets."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence

import pytest
from tests.llm.material import GOOD, task

from heartrule.engine.session.tasks import Answer
from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.providers.openai_wire import OpenAIWire
from heartrule.testing.openai_server import Fault, OpenAIServer

QUICK = Policy(time_scale=0.1, jitter=0.0, waits=(0.1, 0.2, 0.4))
"""Deadlines of a second or so, waits of hundredths, two seconds a turn."""


def answered(server: OpenAIServer, rules: Policy = QUICK, turns: int = 1) -> Answer:
    async def run() -> Answer:
        model = Model([OpenAIWire(server.url, "stub")], rules)
        try:
            for _ in range(turns):
                found = await model.answer([task()])
        finally:
            await model.aclose()
        return found["ai_ask"]

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("fault", "outcome", "cause"),
    [
        (Fault("429", retry_after=0), "error", "rate_limited"),
        (Fault("500"), "error", "server_error:500"),
        (Fault("reset"), "error", "cut"),
        (Fault("cut"), "error", "cut"),
        (Fault("empty"), "error", "empty"),
        (Fault("not_wire"), "error", "malformed:33 bytes"),
        (Fault("no_json_schema"), "error", "unsupported:400"),
        (Fault("no_max_tokens"), "error", "unsupported:400"),
        (Fault("unending"), "error", "too_long:2000000"),
        (Fault("not_json"), "rejected", "there is no JSON object in it"),
        (Fault("missing"), "rejected", "missing or unusable: content"),
        (Fault("wrong_language"), "rejected", "`content` must be written in zh-CN"),
        (Fault("huge"), "rejected", "there is no JSON object in it"),
    ],
    ids=lambda value: getattr(value, "kind", None),
)
def test_one_fault_is_survived(fault: Fault, outcome: str, cause: str) -> None:
    rules = Policy(jitter=0.0, waits=(0.01, 0.01, 0.01))
    with OpenAIServer(GOOD, [fault]) as server:
        answer = answered(server, rules)
    assert (answer.status, answer.data) == ("answered", GOOD)
    assert [(attempt.outcome, attempt.cause) for attempt in answer.attempts] == [(outcome, cause), ("ok", "")]


def test_a_fenced_answer_is_no_fault() -> None:
    with OpenAIServer(GOOD, [Fault("fenced")]) as server:
        answer = answered(server)
    assert answer.data == GOOD
    (attempt,) = answer.attempts
    assert attempt.parse == ("direct", "trimmed", "fenced")


def test_a_stall_is_cut_off_and_asked_again() -> None:
    with OpenAIServer(GOOD, [Fault("stall", seconds=5)]) as server:
        answer = answered(server, Policy(jitter=0.0, waits=(0.01, 0.01, 0.01), deadlines={"generate": 0.5}))
    assert answer.status == "answered"
    assert [attempt.outcome for attempt in answer.attempts] == ["timeout", "ok"]
    assert answer.attempts[0].seconds >= 0.49


@pytest.mark.parametrize("kind", ["400", "401", "filtered"])
def test_some_faults_end_it(kind: str) -> None:
    with OpenAIServer(GOOD, [Fault(kind)]) as server:  # type: ignore[arg-type]
        answer = answered(server)
        assert len(server.bodies) == 1
    assert answer.status == "failed"


def lasting(kinds: Sequence[str]) -> tuple[Answer, float]:
    faults = [Fault(kind, seconds=5.0) for kind in kinds]  # type: ignore[arg-type]
    with OpenAIServer(GOOD, faults) as server:
        began = time.monotonic()
        answer = answered(server)
        return answer, time.monotonic() - began


@pytest.mark.parametrize(
    "kind",
    ["429", "500", "reset", "cut", "stall", "empty", "not_json", "not_wire", "missing", "wrong_language", "huge"],
)
def test_a_lasting_fault_ends_within_the_budget_and_says_why(kind: str) -> None:
    answer, seconds = lasting([kind] * 20)
    assert answer.status == "failed"
    assert answer.data is None
    assert answer.attempts[0].cause
    assert seconds < QUICK.budget + 1.0


def test_nobody_there_is_known_at_once_after_a_while() -> None:
    with OpenAIServer(GOOD) as server:
        server.down()
        answer = answered(server, turns=4)
    assert answer.status == "failed"
    assert [attempt.cause for attempt in answer.attempts] == ["breaker_open"]


def test_a_different_fault_each_time() -> None:
    kinds = [Fault("500"), Fault("not_json"), Fault("429"), Fault("none")]
    with OpenAIServer(GOOD, kinds) as server:
        answer = answered(server)
    assert answer.status == "answered"
    assert [attempt.outcome for attempt in answer.attempts] == ["error", "rejected", "error", "ok"]


def test_the_server_takes_its_time_when_told_to() -> None:
    with OpenAIServer(GOOD, latency=0.1) as server:
        (attempt,) = answered(server, Policy()).attempts
    assert attempt.seconds >= 0.1


def test_many_at_once() -> None:
    async def run(server: OpenAIServer) -> list[str]:
        model = Model([OpenAIWire(server.url, "stub")])
        try:
            found = await asyncio.gather(*(model.answer([task(key=str(n)) for n in range(3)]) for _ in range(20)))
        finally:
            await model.aclose()
        return [answer.status for answers in found for answer in answers.values()]

    with OpenAIServer(GOOD, latency=0.02) as server:
        assert set(asyncio.run(run(server))) == {"answered"}
        assert len(server.bodies) == 60


def test_the_server_answers_other_programs_too() -> None:
    """By hand, as a program in another language would."""

    async def run(server: OpenAIServer) -> bytes:
        host, port = server.url.split("/")[2].split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        body = json.dumps({"model": "x", "messages": []}).encode()
        writer.write(b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        data = await reader.readexactly(length)
        writer.close()
        return data

    with OpenAIServer("你好") as server:
        found = json.loads(asyncio.run(run(server)))
    assert found["choices"][0]["message"]["content"] == "你好"
    assert found["model"] == "x"
