"""Requests sent and answers read, with and without asyncio. Nothing is retried and no redirect followed in here."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpcore2

from heartrule.client.answers import Reply, problem_of
from heartrule.client.calls import Call
from heartrule.client.deadline import Network, Until
from heartrule.client.problem import Problem

LARGEST = 64 * 1024 * 1024
"""Bytes of an answer that are read."""
STREAM = "text/event-stream"
QUIET = 60.0
"""Seconds without a byte after which a live stream is taken for broken; the server sends something every 15."""


class Address:
    """What every request to one server has in common. Raises ``ValueError`` for what is none."""

    def __init__(self, address: str, locale: str | None) -> None:
        self._base = _base(address.strip())
        self._locale = None if locale is None else _header("locale", locale)

    def request(self, call: Call[Any], accept: str, more: Mapping[str, str]) -> httpcore2.Request:
        """Raises ``ValueError`` for what cannot be sent as it is."""
        headers = {"Host": urlsplit(self._base).netloc.rpartition("@")[2], "Accept": accept, **more}
        content = b""
        if self._locale:
            headers["Accept-Language"] = self._locale
        if call.token:
            headers["Authorization"] = f"Bearer {_header('token', call.token)}"
        if call.body is not None:
            content = _json(call.body)
            headers["Content-Type"] = "application/json"
        if call.method != "GET":
            headers["Content-Length"] = str(len(content))
        listed = [(name.encode(), value.encode("ascii")) for name, value in headers.items()]
        timeout = dict.fromkeys(("connect", "read", "write", "pool"), Until(call.seconds))
        url = httpcore2.URL(self._base + call.target)
        return httpcore2.Request(call.method, url, headers=listed, content=content, extensions={"timeout": timeout})


def _base(address: str) -> str:
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        if not good or not all("!" <= each <= "~" for each in address):
            raise ValueError
        (parts.hostname or "").encode("idna")
    except ValueError:
        raise ValueError("the address must look like https://host") from None
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}".removesuffix("/api/v1")


def _header(name: str, value: str) -> str:
    if not all(" " <= each <= "~" for each in value):
        raise ValueError(f"the {name} holds what no header can carry")
    return value


def _json(body: Mapping[str, Any]) -> bytes:
    # Without its cause, which would show the person's words to whoever prints it.
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        raise ValueError("what is to be sent holds half a character (a lone surrogate)") from None
    except (TypeError, ValueError, RecursionError):
        raise ValueError("what is to be sent cannot be written as JSON") from None


BROKEN = (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.ProxyError, httpcore2.UnsupportedProtocol, OSError)


def _problem(error: Exception) -> Problem:
    return Problem("timeout" if isinstance(error, httpcore2.TimeoutException | TimeoutError) else "network")


def _deadline(request: httpcore2.Request) -> Until:
    until: Until = request.extensions["timeout"]["read"]
    return until


def _goes_on(request: httpcore2.Request) -> None:
    """From now on each piece has its own time."""
    request.extensions["timeout"]["read"] = QUIET


class _Body:
    """An answer being read. Raises ``Problem`` as soon as it is too large."""

    def __init__(self) -> None:
        self._read = bytearray()

    def add(self, piece: bytes) -> None:
        if len(self._read) + len(piece) > LARGEST:
            raise Problem("network")
        self._read += piece

    def reply(self, response: httpcore2.Response) -> Reply:
        headers = {name.lower(): value for name, value in response.headers}
        return Reply(response.status, headers.get(b"retry-after", b"").decode("latin-1"), bytes(self._read))


def _reply(response: httpcore2.Response) -> Reply:
    body = _Body()
    for piece in response.iter_stream():
        body.add(piece)
    return body.reply(response)


class Wire:
    """Requests of plain code. May be used by several threads."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._pool = httpcore2.ConnectionPool(keepalive_expiry=30.0, max_connections=100, network_backend=Network())

    def send(self, call: Call[Any]) -> Reply | Problem:
        request = self._address.request(call, "application/json", {})
        try:
            response = self._pool.handle_request(request)
            try:
                return _reply(response)
            finally:
                response.close()
        except (httpcore2.TimeoutException, *BROKEN) as error:
            return _problem(error)

    @contextmanager
    def stream(self, call: Call[Any], last: int | None = None) -> Iterator[Iterator[bytes]]:
        """The pieces of a stream of events, or ``Problem``."""
        request = self._address.request(call, STREAM, {} if last is None else {"Last-Event-ID": str(last)})
        try:
            response = self._pool.handle_request(request)
            try:
                if response.status != 200:
                    raise problem_of(_reply(response))
                if call.live:
                    _goes_on(request)
                yield response.iter_stream()
            finally:
                response.close()
        except (httpcore2.TimeoutException, *BROKEN) as error:
            raise _problem(error) from None

    def close(self) -> None:
        self._pool.close()


async def _async_reply(response: httpcore2.Response) -> Reply:
    body = _Body()
    async for piece in response.aiter_stream():
        body.add(piece)
    return body.reply(response)


async def _pieces(response: httpcore2.Response, until: Until) -> AsyncIterator[bytes]:
    # Piece by piece: a timeout over the whole would strike the reader's own code in between.
    pieces = aiter(response.aiter_stream())
    while until.left:
        async with asyncio.timeout(until.left):
            try:
                piece = await anext(pieces)
            except StopAsyncIteration:
                return
        yield piece
    raise TimeoutError


class AsyncWire:
    """The same on asyncio."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._pool = httpcore2.AsyncConnectionPool(keepalive_expiry=30.0, max_connections=1000)

    async def send(self, call: Call[Any]) -> Reply | Problem:
        request = self._address.request(call, "application/json", {})
        try:
            async with asyncio.timeout(call.seconds):
                response = await self._pool.handle_async_request(request)
                try:
                    return await _async_reply(response)
                finally:
                    await response.aclose()
        except (httpcore2.TimeoutException, *BROKEN) as error:
            return _problem(error)

    @asynccontextmanager
    async def stream(self, call: Call[Any], last: int | None = None) -> AsyncIterator[AsyncIterator[bytes]]:
        request = self._address.request(call, STREAM, {} if last is None else {"Last-Event-ID": str(last)})
        until = _deadline(request)
        try:
            async with asyncio.timeout(until.left):
                response = await self._pool.handle_async_request(request)
            try:
                if response.status != 200:
                    async with asyncio.timeout(until.left):
                        raise problem_of(await _async_reply(response))
                if call.live:
                    _goes_on(request)
                yield aiter(response.aiter_stream()) if call.live else _pieces(response, until)
            finally:
                await response.aclose()
        except (httpcore2.TimeoutException, *BROKEN) as error:
            raise _problem(error) from None

    async def aclose(self) -> None:
        await self._pool.aclose()
