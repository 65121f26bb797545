"""Every fault of a provider, through the wire: what comes of it whole and streamed, and that its in-process double
comes to the same."""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

import httpx2
import pytest
from tests.llm.conformance import KEY, REQUEST, SAID
from tests.llm.test_openai_stream import Heard, listen

from heartrule.llm import provider as p
from heartrule.llm.parsing import parse
from heartrule.llm.providers.openai_wire import OpenAIWire
from heartrule.testing import faults
from heartrule.testing.faults import HEARD_FIRST, FaultyProvider, SteppedClock
from heartrule.testing.openai_server import Chance, Fault, OpenAIServer, Pace
from heartrule.testing.unreachable import nameless, refusing, untrusted

QUICK = replace(REQUEST, timeout=0.6)
ANSWER = {"content": "听起来这几天很累。"}

RAISED: list[tuple[Fault, type[p.ProviderError], str, bool]] = [
    (Fault("400"), p.BadRequest, "bad_request:400", False),
    (Fault("401"), p.Unauthorised, "unauthorised:401", False),
    (Fault("403"), p.Unauthorised, "unauthorised:403", False),
    (Fault("408"), p.ServerError, "server_error:408", True),
    (Fault("429", retry_after=7), p.RateLimited, "rate_limited", True),
    (Fault("500"), p.ServerError, "server_error:500", True),
    (Fault("502"), p.ServerError, "server_error:502", True),
    (Fault("503", retry_after=7), p.ServerError, "server_error:503", True),
    (Fault("529"), p.ServerError, "server_error:529", True),
    (Fault("stall", seconds=20), p.TimedOut, "timeout", True),
    (Fault("stall_after", seconds=20), p.TimedOut, "timeout", True),
    (Fault("cut"), p.Cut, "cut", True),
    (Fault("reset"), p.Cut, "cut", True),
    (Fault("reset_after"), p.Cut, "cut", True),
    (Fault("empty"), p.Empty, "empty", True),
    (Fault("filtered"), p.Filtered, "filtered", False),
    (Fault("not_wire"), p.Malformed, "malformed:33 bytes", True),
]
"""What a fault raises, and whether the same call may be made again."""
NAMES = [fault.kind for fault, *_ in RAISED]


async def whole(provider: OpenAIWire, request: p.Request) -> Heard:
    try:
        return Heard(await provider.complete(request))
    except p.ProviderError as error:
        return Heard(error)


def meet(url: str, *, streamed: bool, request: p.Request = QUICK) -> Heard:
    async def run() -> Heard:
        provider = OpenAIWire(url, "stub", KEY)
        try:
            return await (listen(provider, request) if streamed else whole(provider, request))
        finally:
            await provider.aclose()

    return asyncio.run(run())


def against(fault: Fault, *, streamed: bool, answer: object = None) -> Heard:
    with OpenAIServer(json.dumps(answer or ANSWER, ensure_ascii=False), [fault]) as server:
        # what does not hang may take its time on a busy machine
        request = QUICK if fault.kind.startswith("stall") else replace(REQUEST, timeout=10.0)
        heard = meet(server.url, streamed=streamed, request=request)
        assert server.calls == 1, "nothing is tried again"
        return heard


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("fault", "error", "cause", "again"), RAISED, ids=NAMES)
def test_faults_that_raise(fault: Fault, error: type[p.ProviderError], cause: str, again: bool, streamed: bool) -> None:
    heard = against(fault, streamed=streamed)
    assert type(heard.error) is error
    assert (heard.error.cause, heard.error.again) == (cause, again)
    assert heard.error.retry_after == (7 if fault.retry_after else None)
    partly = streamed and fault.kind in ("stall_after", "cut", "reset_after")
    text = json.dumps(ANSWER, ensure_ascii=False)
    if partly:
        assert 0 < len(heard.text) < len(text)
        assert text.startswith(heard.text)
    elif fault.kind != "filtered":
        assert heard.pieces == []
    assert heard.seconds < 1.5


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_an_error_after_the_start(streamed: bool) -> None:
    heard = against(Fault("error_after"), streamed=streamed)
    assert type(heard.error) is (p.ServerError if streamed else p.Malformed)
    assert bool(heard.pieces) is streamed


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("place", [refusing, nameless, untrusted])
def test_nobody_is_reached(place: Callable[[], AbstractContextManager[str]], streamed: bool) -> None:
    with place() as url:
        heard = meet(url, streamed=streamed, request=replace(REQUEST, timeout=5.0))
    assert type(heard.error) is p.Refused
    assert heard.pieces == []


def test_other_names_are_still_found_beside_the_one_that_nobody_has() -> None:
    async def find() -> list[tuple[object, ...]]:
        return list(await asyncio.get_running_loop().getaddrinfo("localhost", 80, type=socket.SOCK_STREAM))

    with nameless():
        assert asyncio.run(find())


REPLIES: list[tuple[str, p.Finish, str | None]] = [
    ("not_json", "stop", None),
    ("fenced", "stop", "听起来这几天很累。"),
    ("wrong_schema", "stop", None),
    ("missing", "stop", None),
    ("wrong_language", "stop", "I hear that this has been a hard week for you."),
    ("duplicate_chunk", "stop", "听起来这几天很几天很累。"),
    ("truncated", "length", None),
    ("huge", "stop", None),
    ("none", "stop", "听起来这几天很累。"),
]
"""What is a reply all the same: why it ended, and what is left of its content, read strictly."""


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("kind", "finish", "content"), REPLIES, ids=[kind for kind, *_ in REPLIES])
def test_faults_that_are_replies(kind: str, finish: p.Finish, content: str | None, streamed: bool) -> None:
    heard = against(Fault(kind), streamed=streamed)  # type: ignore[arg-type]
    assert heard.reply.finish == finish
    assert (heard.reply.tokens_in, heard.reply.tokens_out) == (100, 20)
    data = parse(heard.reply.text, None, ("content",)).data
    if kind == "duplicate_chunk":
        assert data is None or data["content"] != ANSWER["content"]
    else:
        assert (data and data["content"]) == content
    assert not streamed or heard.text == heard.reply.text


def test_what_never_ends_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartrule.llm.providers.openai_wire.STREAM_LIMIT", 500_000)
    for streamed in (False, True):
        with OpenAIServer(SAID, [Fault("unending")]) as server:
            heard = meet(server.url, streamed=streamed, request=replace(REQUEST, timeout=20.0))
        assert type(heard.error) is p.TooLong


def test_chance_is_the_same_for_the_same_seed() -> None:
    chance = Chance(0.3, [Fault("500"), Fault("429")], seed=4)
    first, again = iter(chance), iter(chance)
    drawn = [next(first).kind for _ in range(2000)]
    assert drawn == [next(again).kind for _ in range(2000)]
    assert Counter(drawn)["none"] == pytest.approx(1400, abs=100)
    assert Counter(drawn)["500"] == pytest.approx(300, abs=60)
    other = iter(Chance(0.3, [Fault("500"), Fault("429")], seed=5))
    assert drawn != [next(other).kind for _ in range(2000)]


def test_the_server_fails_by_chance_and_counts() -> None:
    async def run(server: OpenAIServer) -> list[Heard]:
        provider = OpenAIWire(server.url, "stub")
        try:
            return list(await asyncio.gather(*(whole(provider, REQUEST) for _ in range(60))))
        finally:
            await provider.aclose()

    chance = Chance(0.5, [Fault("500"), Fault("429")], seed=2)
    with OpenAIServer(SAID, chance=chance, latency=0.05, keep=False) as server:
        found = asyncio.run(run(server))
        told = httpx2.get(f"{server.url}/counts").json()
        failed = sum(isinstance(each.result, p.ProviderError) for each in found)
        assert server.bodies == []
        assert told["calls"] == server.calls == 60
        assert 10 < told["most"] <= 60
        assert told["running"] == 0
        assert sum(told["faulty"].values()) == failed
        assert 15 < failed < 45
        assert set(told["faulty"]) == {"500", "429"}
        assert told["characters"] == 60 * sum(len(message.text) for message in REQUEST.messages)
        assert httpx2.get(f"{server.url}/elsewhere").status_code == 404
        assert httpx2.delete(f"{server.url}/counts").json()["calls"] == 60
        assert httpx2.get(f"{server.url}/counts").json()["calls"] == 0


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_an_answer_takes_as_long_whole_as_streamed(streamed: bool) -> None:
    with OpenAIServer("一二三四五六七八", pace=Pace(0.2, per_second=20, characters=2), latency=0.1) as server:

        async def run() -> float:
            provider = OpenAIWire(server.url, "stub")
            began = asyncio.get_running_loop().time()
            await (listen(provider) if streamed else whole(provider, REQUEST))
            seconds = asyncio.get_running_loop().time() - began
            await provider.aclose()
            return seconds

        assert asyncio.run(run()) == pytest.approx(0.1 + 0.2 + 3 / 20, abs=0.12)


def pretended(kind: str, streamed: bool) -> tuple[Heard, FaultyProvider, SteppedClock]:
    clock = SteppedClock()
    provider = FaultyProvider(lambda _: ANSWER, rate=1.0, seed=1, clock=clock, kinds=(kind,))
    pieces: list[str] = []

    async def run() -> Heard:
        try:
            return Heard(await provider.complete(REQUEST, pieces.append if streamed else None), pieces)
        except p.ProviderError as error:
            return Heard(error, pieces)

    return asyncio.run(run()), provider, clock


IN_PROCESS = {"not_json": "non_json", "missing": "missing_fields", "truncated": "length", "huge": "1_mb"}
PLACES = {"refused": refusing, "dns": nameless, "tls": untrusted}


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("kind", faults.EVERY_KIND)
def test_the_double_fails_as_the_wire_does(kind: str, streamed: bool) -> None:
    """The same error, or a reply that ended the same; something is heard before in the same cases."""
    pretence, provider, clock = pretended(kind, streamed)
    assert provider.counts == {kind: 1}
    assert clock.now() == (REQUEST.timeout if kind.startswith("stall") else 0)
    if kind in PLACES:
        with PLACES[kind]() as url:
            real = meet(url, streamed=streamed, request=replace(REQUEST, timeout=5.0))
    else:
        on_the_wire = {short: long for long, short in IN_PROCESS.items()}.get(kind, kind)
        retry = 7 if kind == "429" else None
        real = against(Fault(on_the_wire, seconds=20, retry_after=retry), streamed=streamed)  # type: ignore[arg-type]
    if kind == "error_after" and not streamed:
        assert type(pretence.error) is p.ServerError
        return
    assert type(pretence.result) is type(real.result)
    if isinstance(pretence.result, p.ProviderError):
        assert pretence.error.cause == real.error.cause
        assert bool(pretence.error.retry_after) == bool(real.error.retry_after)
        assert bool(pretence.pieces) == bool(real.pieces) == (streamed and kind in HEARD_FIRST)
    else:
        assert pretence.reply.finish == real.reply.finish
        assert pretence.text == (pretence.reply.text if streamed else "")


def test_the_double_is_the_same_for_the_same_seed() -> None:
    def drawn(seed: int) -> dict[str, int]:
        provider = FaultyProvider(lambda _: ANSWER, rate=0.5, seed=seed, clock=SteppedClock(), name="second")

        async def run() -> None:
            for _ in range(200):
                try:
                    reply = await provider.complete(REQUEST)
                except p.ProviderError:
                    continue
                assert reply.model == "second"

        asyncio.run(run())
        assert 60 < sum(provider.counts.values()) < 140
        return dict(provider.counts)

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
