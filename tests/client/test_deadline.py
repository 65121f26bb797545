"""A call is over when its time is, however little by little an answer comes; a live stream goes on. What would have to
be waited for is a clock that is put forward."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import httpcore2
import pytest
from tests.client.answering import EVENTS, HEAD, answering, dripping

from heartrule.client import AsyncClient, Client, Patience, Problem, calls, deadline
from heartrule.client.deadline import Network, Stream, Until

ONCE = Patience(tries=1)
SHORT = 0.05
EVENT = b"id: 7\nevent: of.tomorrow\ndata: 1\n\n"
ABOUT = replace(calls.about(None), seconds=SHORT)
TURN = replace(calls.turn("s", "t", "key-00001", {"type": "start"}), seconds=SHORT)
LIVE = replace(calls.events("s", "t", None), seconds=SHORT)


def ask(client: Client) -> None:
    client.ask(ABOUT)


def aloud(client: Client) -> None:
    list(client.aloud(TURN))


def follow(client: Client) -> None:
    list(client.follow(LIVE, None))


async def ask_async(client: AsyncClient) -> None:
    await client.ask(ABOUT)


async def aloud_async(client: AsyncClient) -> None:
    async for _ in client.aloud(TURN):
        pass


async def follow_async(client: AsyncClient) -> None:
    async for _ in client.follow(LIVE, None):
        pass


IN_THE_HEAD = (b"HTTP/1.1 200 OK\r\nX: ", b"x")
IN_AN_ERROR = (b"HTTP/1.1 500 X\r\nConnection: close\r\n\r\n", b" ")
DRIPS = [(HEAD, b" "), (EVENTS, b":\n"), (EVENTS, EVENT), IN_THE_HEAD, IN_AN_ERROR]
WHOLE = [(drip, *both) for drip in DRIPS for both in ((ask, ask_async), (aloud, aloud_async))]
OPENING = [(drip, follow, follow_async) for drip in (IN_THE_HEAD, IN_AN_ERROR)]


@pytest.mark.parametrize(("drip", "plain", "awaited"), [*WHOLE, *OPENING], ids=range(len(WHOLE) + len(OPENING)))
def test_drop_by_drop_is_not_for_ever(drip: tuple[bytes, bytes], plain: Any, awaited: Any) -> None:
    async def held() -> None:
        async with AsyncClient(server.url, patience=ONCE) as client:
            await awaited(client)

    with answering(dripping(*drip)) as server:
        with Client(server.url, patience=ONCE) as client, pytest.raises(Problem) as raised:
            plain(client)
        with pytest.raises(Problem) as awaiting:
            asyncio.run(held())
    assert (raised.value.code, awaiting.value.code) == ("timeout", "timeout")


@pytest.fixture
def forward(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Puts the clock an hour on."""
    now = [0.0]
    monkeypatch.setattr(deadline, "monotonic", lambda: now[0])

    def on() -> None:
        now[0] += 3600.0

    return on


def events_for_ever(here: socket.socket) -> None:
    here.sendall(EVENTS)
    while True:
        here.sendall(EVENT * 4096)


def test_a_live_stream_goes_on(forward: Callable[[], None]) -> None:
    """As many events as no buffer holds, so that there is more to be waited for behind each hour."""
    call = calls.events("s", "t", None)

    async def held() -> int:
        count = 0
        async with AsyncClient(server.url, patience=ONCE) as client:
            async for _ in client.follow(call, None):
                forward()
                count += 1
                if count == 9000:
                    break
        return count

    with answering(events_for_ever) as server:
        with Client(server.url, patience=ONCE) as client:
            for _, event in zip(range(9000), client.follow(call, None), strict=False):
                forward()
                assert event.id == 7
        assert asyncio.run(held()) == 9000


def test_a_turn_that_is_told_as_events_does_not(forward: Callable[[], None]) -> None:
    call = calls.turn("s", "t", "key-00001", {"type": "start"})

    async def held() -> None:
        async with AsyncClient(server.url, patience=ONCE) as client:
            async for _ in client.aloud(call):
                forward()

    def plain() -> None:
        with Client(server.url, patience=ONCE) as client:
            for _ in client.aloud(call):
                forward()

    with answering(events_for_ever) as server:
        with pytest.raises(Problem) as raised:
            plain()
        with pytest.raises(Problem) as awaiting:
            asyncio.run(held())
    assert (raised.value.code, awaiting.value.code) == ("timeout", "timeout")


class Told(httpcore2.NetworkStream):
    """Notes the waits it is given."""

    def __init__(self) -> None:
        self.waits: list[float | None] = []
        self.is_closed = False

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self.waits.append(timeout)
        return b""

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.waits.append(timeout)

    def close(self) -> None:
        self.is_closed = True

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        self.waits.append(timeout)
        return self

    def get_extra_info(self, info: str) -> Any:
        return info


def test_each_wait_is_for_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    hours: Iterator[float] = iter([100.0, 110.0, 110.0, 120.0, 120.0, 125.0, 125.0])
    monkeypatch.setattr(deadline, "monotonic", lambda: next(hours))
    told, until = Told(), Until(30.0)
    stream = Stream(told)
    stream.write(b"x", until)
    inner = stream.start_tls(ssl.create_default_context(), "h", until)
    inner.read(1, until)
    assert told.waits == [20.0, 10.0, 5.0]
    assert stream.get_extra_info("socket") == "socket"
    inner.close()
    assert told.is_closed


def test_a_wait_without_an_end_in_common_is_left_as_it_is() -> None:
    told = Told()
    for timeout in (5.0, None):
        Stream(told).read(1, timeout)
    assert told.waits == [5.0, None]


def test_when_nothing_is_left_nothing_is_begun(forward: Callable[[], None]) -> None:
    told, until = Told(), Until(30.0)
    forward()
    with pytest.raises(httpcore2.ReadTimeout):
        Stream(told).read(1, until)
    with pytest.raises(httpcore2.WriteTimeout):
        Stream(told).write(b"x", until)
    with pytest.raises(httpcore2.ConnectTimeout):
        Stream(told).start_tls(ssl.create_default_context(), "h", until)
    with pytest.raises(httpcore2.ConnectTimeout):
        Network().connect_tcp("127.0.0.1", 1, until)
    assert told.waits == []
