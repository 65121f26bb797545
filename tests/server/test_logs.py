"""Lines for operators: standard, without content, and those of one request, turn and call held together by one id."""

from __future__ import annotations

import io
import json
import logging

import pytest
from tests.server.material import Grounds, problem, run
from tests.server.signing import account, page
from tests.sessions.test_secrecy import Quick, Talker

from heartrule import logs
from heartrule.llm.model import Model
from heartrule.llm.providers.scripted import ScriptedProvider

SAID = "我的小狗叫豆豆"
PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.fixture
def stream() -> io.StringIO:
    return io.StringIO()


def test_lines_of_one_request_turn_and_call_share_a_trace_id(grounds: Grounds, stream: io.StringIO) -> None:
    logs.write("json", "info", stream)
    model = Model([ScriptedProvider(Talker(iter(["好的"] * 9)))], random=lambda: 0.5, clock=Quick())

    async def work() -> None:
        async with grounds.asgi(store={"model": model}) as api:
            visit, _ = await api.begun()
            await api.client.get("/healthz")
            for text in (SAID, "8"):
                await api.turn(visit, text=text)

    run(work())
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert {line["event"] for line in lines} >= {"request", "turn", "call"}
    assert all(line["at"].endswith("Z") and line["level"] == "info" for line in lines if "event" in line)
    for turn in [line for line in lines if line["event"] == "turn"]:
        together = {line["event"] for line in lines if line.get("trace") == turn["trace"]}
        assert together >= ({"turn", "request"} if turn["input"] == "start" else {"turn", "request", "call"})
    assert not [line for line in lines if line.get("route") == "/healthz"], "asked for by machines"
    assert SAID not in stream.getvalue()


def test_who_was_refused_is_told_by_their_id(grounds: Grounds, stream: io.StringIO) -> None:
    logs.write("json", "info", stream)

    async def work() -> str:
        async with grounds.asgi() as api, page(api) as lin:
            await account(api, lin, "lin", ("developer",))
            problem(await lin.ask("GET", "/staff/accounts"), "not-allowed", 403)
            problem(await lin.ask("GET", "/workbench/projects/nowhere"), "not-found", 404)
            assert (await lin.ask("GET", "/staff/me")).status_code == 200
            await api.client.get("/api/v1/staff/me")
            return str(lin.principal["id"])

    who = run(work())
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    found = [(line["status"], line.get("who")) for line in lines if line.get("event") == "request"]
    assert [each for each in found if each[0] in (401, 403, 404)] == [(403, who), (404, who), (401, None)]
    assert {each[1] for each in found if each[0] == 200} == {None}


def test_who_brings_a_trace_keeps_it(grounds: Grounds, stream: io.StringIO) -> None:
    logs.write("text", "info", stream)

    async def work() -> None:
        async with grounds.asgi() as api:
            for parent in (PARENT, "00-" + "0" * 32 + "-00f067aa0ba902b7-01", "nonsense"):
                await api.client.get("/api/v1/about", headers={"traceparent": parent})

    run(work())
    traces = [line.rpartition("trace=")[2] for line in stream.getvalue().splitlines() if " request " in line]
    assert len(traces) == 3
    assert traces[0] == PARENT.split("-")[1]
    assert len({*traces}) == 3
    assert all(len(trace) == 32 for trace in traces)


@pytest.mark.parametrize("form", logs.FORMATS)
def test_what_exceptions_say_is_never_written(form: logs.Format, stream: io.StringIO) -> None:
    logs.write(form, "debug", stream)
    try:
        raise ValueError(SAID)
    except ValueError as error:
        reference = logs.fault(error)
        logging.getLogger("another.package").exception("it failed")
    told = stream.getvalue()
    assert reference in told
    assert told.count("builtins.ValueError") == 2
    assert "test_logs.py" in told
    assert "it failed" in told
    assert SAID not in told


def test_written_again_it_goes_to_one_place(stream: io.StringIO) -> None:
    logs.write("text", "warning", io.StringIO())
    logs.write("text", "warning", stream)
    logs.event("told", level=logging.WARNING, number=1, words="two words", nothing=None)
    logs.event("not told")
    (line,) = stream.getvalue().splitlines()
    assert line.endswith(' WARNING heartrule told number=1 words="two words"')
