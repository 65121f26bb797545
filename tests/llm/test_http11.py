"""Answers of HTTP/1.1 in every shape that servers give them, over real sockets; and those that are none."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable
from pathlib import Path

import httpcore2
import pytest

from heartrule.llm.providers import http11
from heartrule.llm.providers.connections import Connections
from heartrule.testing.unreachable import certificate

ANSWERS: dict[str, tuple[bytes, bytes, bool]] = {
    "a length": (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", b"hello", True),
    "a length twice the same": (b"HTTP/1.1 200\r\nContent-Length: 2, 2\r\ncontent-length: 2\r\n\r\nok", b"ok", True),
    "nothing": (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", b"", True),
    "no content": (b"HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n", b"", True),
    "bare line feeds": (b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok", b"ok", True),
    "a folded header": (b"HTTP/1.1 200 OK\r\nX-A: b\r\n  c\r\nContent-Length: 2\r\n\r\nok", b"ok", True),
    "one is to come": (
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        b"ok",
        True,
    ),
    "chunks": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nhel\r\n02;a=b\r\nlo\r\n0\r\n\r\n",
        b"hello",
        True,
    ),
    "chunks and trailers": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-A: b\r\nX-C: d\r\n\r\n",
        b"hello",
        True,
    ),
    "chunks before a length": (
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        b"ok",
        True,
    ),
    "the end of the connection": (b"HTTP/1.1 200 OK\r\n\r\nhello", b"hello", False),
    "a length and the end": (b"HTTP/1.1 200 OK\r\nConnection: X, Close\r\nContent-Length: 2\r\n\r\nok", b"ok", False),
    "an old server": (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", b"ok", False),
    "an old one that stays": (
        b"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok",
        b"ok",
        True,
    ),
}
"""What is sent, the body, and whether the connection may be used again."""
NONE = {
    "another wire": b"220 mail ready\r\n\r\n",
    "HTTP/2": b"HTTP/2 200 OK\r\n\r\n",
    "another protocol": b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n",
    "no header": b"HTTP/1.1 200 OK\r\nContent-Length 2\r\n\r\nok",
    "a blank in a name": b"HTTP/1.1 200 OK\r\nContent Length: 2\r\n\r\nok",
    "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
    "less than nothing": b"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok",
    "compressed": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "a size that is none": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x2\r\nok\r\n0\r\n\r\n",
    "a chunk too long": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n",
    "cut in a chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nok",
    "cut behind a chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n",
    "cut in the head": b"HTTP/1.1 200 OK\r\nContent-Le",
    "a head without end": b"HTTP/1.1 200 OK\r\nX: " + b"x" * (http11.HEAD_LIMIT + 1),
    "a size without end": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"0" * (http11.HEAD_LIMIT + 1),
}


class House:
    """Gives each request the same bytes, in pieces of ``size``; hangs up behind them where ``stays`` is not said."""

    def __init__(self, said: bytes, *, stays: bool, size: int = 0) -> None:
        self._said, self._stays, self._size = said, stays, size or len(said)
        self.asked: list[bytes] = []
        self.came = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.came += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.asked.append(head + await reader.readexactly(3))
                for at in range(0, len(self._said), self._size):
                    writer.write(self._said[at : at + self._size])
                    await asyncio.sleep(0)
                if not self._stays:
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def asks(self, times: int = 2, secured: ssl.SSLContext | None = None) -> list[bytes]:
        """The bodies of so many answers, one after the other over what connections there are."""

        async def work() -> list[bytes]:
            server = await asyncio.start_server(self, "127.0.0.1", 0, ssl=secured)
            port = server.sockets[0].getsockname()[1]
            connections = Connections(2, 30)
            try:
                address = f"http{'s' if secured else ''}://127.0.0.1:{port}/a?b"
                return [await asked(connections, address) for _ in range(times)]
            finally:
                await connections.aclose()
                server.close()

        return run(work())


async def asked(connections: Connections, address: str) -> bytes:
    request = httpcore2.Request("POST", address, headers={"Host": "x", "Content-Length": "3"}, content=b"abc")
    response = await connections.handle_async_request(request)
    try:
        return b"".join([part async for part in response.aiter_stream()])
    finally:
        await response.aclose()


def run(work: Awaitable[list[bytes]]) -> list[bytes]:
    async def bounded() -> list[bytes]:
        async with asyncio.timeout(20):
            return await work

    return asyncio.run(bounded())


@pytest.mark.parametrize("size", [0, 1], ids=["at once", "byte by byte"])
@pytest.mark.parametrize("kind", list(ANSWERS))
def test_an_answer_is_read_whole_and_its_connection_used_again(kind: str, size: int) -> None:
    said, body, stays = ANSWERS[kind]
    house = House(said, stays=stays, size=size)
    assert house.asks() == [body, body]
    assert house.came == (1 if stays else 2)


@pytest.mark.parametrize("kind", list(NONE))
def test_what_is_no_answer_is_an_error_and_ends_the_connection(kind: str) -> None:
    house = House(NONE[kind], stays=False)
    with pytest.raises(httpcore2.RemoteProtocolError):
        house.asks(1)
    assert house.came == 1


def test_a_request_goes_out_whole() -> None:
    house = House(ANSWERS["a length"][0], stays=True)
    house.asks(1)
    assert house.asked == [b"POST /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"]


def test_what_is_said_behind_an_answer_ends_the_connection() -> None:
    house = House(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n", stays=True)
    assert house.asks(3) == [b"ok"] * 3
    assert house.came == 3


def test_a_server_that_is_faster_than_its_reader_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http11, "AHEAD", 1_000)
    said = b"x" * 3_000_000
    assert House(b"HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" + said, stays=True).asks() == [said, said]


@pytest.mark.parametrize("trusted", [True, False])
def test_a_certificate_must_be_trusted(tmp_path: Path, trusted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    file = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    monkeypatch.setenv("SSL_CERT_FILE", str(file if trusted else _other(tmp_path)))
    house = House(ANSWERS["a length"][0], stays=True)
    if trusted:
        assert house.asks(secured=context) == [b"hello", b"hello"]
        assert house.came == 1
    else:
        with pytest.raises(httpcore2.ConnectError):
            house.asks(secured=context)


def _other(folder: Path) -> Path:
    (folder / "other").mkdir()
    return certificate(folder / "other")
