"""What no server of ours sends, and what no request can carry: nothing but ``Problem`` comes back, and what cannot be
sent is refused before anything is."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import pytest
from tests.client.answering import HEAD, answering, whole

from heartrule.client import AsyncClient, Client, Patience, Problem, wire
from heartrule.client.events import Lines

ONCE = Patience(tries=1)


def of_plain(url: str, act: Callable[[Client], object]) -> Exception:
    """What is raised."""
    with pytest.raises((Problem, ValueError)) as raised, Client(url, patience=ONCE) as client:
        act(client)
    return raised.value


def of_async(url: str, act: Callable[[AsyncClient], Any]) -> Exception:
    async def held() -> None:
        async with AsyncClient(url, patience=ONCE) as client:
            await act(client)

    with pytest.raises((Problem, ValueError)) as raised:
        asyncio.run(held())
    return raised.value


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 200_000,
        b'{"code":"x","title":"\\ud800"}',
        b'{"code":' + b"1" * 5000 + b"}",
        b'{"code":"x","a":' + b"[" * 9000 + b"]" * 9000 + b"}",
    ],
)
def test_an_error_that_cannot_be_read_is_a_disturbance(body: bytes) -> None:
    with answering(whole(500, body)) as server:
        for raised in (of_plain(server.url, Client.about), of_async(server.url, AsyncClient.about)):
            assert isinstance(raised, Problem)
            assert raised.code == "network"


@pytest.mark.parametrize(
    ("findings", "kept"), [("5", 0), ('"abc"', 0), ("{}", 0), ("null", 0), ('[1,{"code":"a"},null]', 1)]
)
def test_findings_that_are_none_are_left_out(findings: str, kept: int) -> None:
    body = f'{{"code":"invalid","title":["a"],"findings":{findings}}}'.encode()
    with answering(whole(422, body)) as server:
        raised = of_plain(server.url, Client.about)
    assert isinstance(raised, Problem)
    assert (raised.code, raised.status, len(raised.findings)) == ("invalid", 422, kept)


@pytest.mark.parametrize("wait", ["Mon, 01 Jan 0001 00:00:00 -0000", "Fri, 31 Dec 9999 23:59:59 -2359"])
def test_a_date_out_of_all_bounds_is_no_other_error(wait: str) -> None:
    head = f"HTTP/1.1 503 X\r\nRetry-After: {wait}\r\nContent-Length: 2\r\n\r\n{{}}".encode()
    with answering(lambda here: here.sendall(head)) as server:
        assert isinstance(of_plain(server.url, Client.about), Problem)


@pytest.mark.parametrize("number", ["1" * 5000, "1" * 19, "一", "٣", "-1", "²"])
def test_an_event_whose_number_is_none_has_none(number: str) -> None:
    (event,) = Lines().feed(f"id: {number}\nevent: of.tomorrow\ndata: 1\n\n".encode())
    assert (event.id, event.data) == (None, 1)


@pytest.mark.parametrize(
    "address",
    [
        "http://h/é",
        "http://例子.cn",
        "http://h:99999",
        "http://h:0",
        "http://h:x",
        "http://[::1",
        "http://a b",
        "http://h/a b",
        "http://h/\x00",
        "http://a..b",
        "http://" + "a" * 64,
        "ftp://h",
        "h",
        "",
    ],
)
def test_an_address_that_is_none_is_refused_at_once(address: str) -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(ValueError, match="the address must look like"):
            kind(address)


@pytest.mark.parametrize("address", ["http://h", "https://h:65535/way/", "http://[::1]:8000", " http://h.:80/api/v1 "])
def test_and_one_that_is_one_is_taken(address: str) -> None:
    with Client(address):
        pass


@pytest.mark.parametrize("locale", ["中文", "en\r\nX: 1", "\ud800"])
def test_a_language_that_no_header_can_carry_is_refused_at_once(locale: str) -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(ValueError, match="locale"):
            kind("http://h", locale=locale)


CANNOT_BE_SENT: list[dict[str, Any]] = [
    {"secret": "\ud83d"},
    {"secret\udc00": 1},
    {"secret": float("nan")},
    {"secret": float("inf")},
    {"secret": {1}},
    {"secret": b"bytes"},
]


@pytest.mark.parametrize("variables", CANNOT_BE_SENT, ids=range(len(CANNOT_BE_SENT)))
def test_what_is_no_text_is_refused_before_anything_is_sent(variables: dict[str, Any]) -> None:
    with answering(whole(500, b"")) as server:
        for raised in (
            of_plain(server.url, lambda client: client.create("a/b", variables=variables)),
            of_async(server.url, lambda client: client.create("a/b", variables=variables)),
        ):
            assert isinstance(raised, ValueError)
            assert "secret" not in repr(raised)
            assert raised.__cause__ is None
            assert raised.__suppress_context__
        assert server.heard == []


def test_words_with_half_a_character_are_not_sent_as_something_else() -> None:
    with answering(whole(500, b"")) as server:
        said = of_plain(server.url, lambda client: client.conversation("s", "t").say("难受\ud83d"))
        told = of_plain(server.url, lambda client: list(client.conversation("s", "t").stream("难受\ud83d")))
        for raised in (said, told):
            assert isinstance(raised, ValueError)
            assert "难受" not in str(raised)
        assert server.heard == []


@pytest.mark.parametrize("token", ["口令", "a\r\nX-Other: 1", "\ud800", "a\x00"])
def test_a_token_that_no_header_can_carry_is_refused_before_anything_is_sent(token: str) -> None:
    with answering(whole(500, b"")) as server:
        raised = of_plain(server.url, lambda client: client.conversation("s", token).start())
        assert isinstance(raised, ValueError)
        assert "token" in str(raised)
        assert token not in str(raised)
        assert server.heard == []


def endless(here: socket.socket) -> None:
    """More than any buffer in between holds, without a length."""
    here.sendall(HEAD)
    for _ in range(64):
        here.sendall(b" " * 1_000_000)


def test_of_an_answer_that_is_too_large_no_more_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "LARGEST", 1_000_000)
    for raising in (of_plain, of_async):
        with answering(endless) as server:
            kind: Any = Client if raising is of_plain else AsyncClient
            raised = raising(server.url, kind.about)  # type: ignore[operator]
            assert isinstance(raised, Problem)
            assert raised.code == "network"
            assert server.cut_off.wait(30)


def test_nor_of_an_error_in_place_of_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "LARGEST", 1_000_000)

    def answer(here: socket.socket) -> None:
        here.sendall(b"HTTP/1.1 500 X\r\nConnection: close\r\n\r\n")
        endless(here)

    async def followed(client: AsyncClient) -> None:
        async for _ in client.conversation("s", "t").events():
            pass

    with answering(answer) as server:
        raised = of_plain(server.url, lambda client: next(client.conversation("s", "t").events()))
        assert isinstance(raised, Problem)
        assert server.cut_off.wait(30)
    with answering(answer) as server:
        assert isinstance(of_async(server.url, followed), Problem)
        assert server.cut_off.wait(30)
