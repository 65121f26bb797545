"""Requests sent and answers read, with and without asyncio. Nothing is retried and no redirect followed in here."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpcore2

from heartrule.client.answers import Reply, problem_of
from heartrule.client.calls import Call
from heartrule.client.problem import Problem

LARGEST = 64 * 1024 * 1024
"""Bytes of an answer that are read."""
STREAM = "text/event-stream"
QUIET = 60.0
"""Seconds without a byte after which a stream is taken for broken; the server sends something every 15."""


class Address:
    """What every request to one server has in common."""

    def __init__(self, address: str, locale: str | None) -> None:
        parts = urlsplit(address.strip())
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("the address must look like https://host")
        self._base = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}".removesuffix("/api/v1")
        self._locale = locale

    def request(self, call: Call[Any], accept: str, more: Mapping[str, str]) -> httpcore2.Request:
        headers = {"Host": urlsplit(self._base).netloc.rpartition("@")[2], "Accept": accept, **more}
        content = b""
        if self._locale:
            headers["Accept-Language"] = self._locale
        if call.token:
            headers["Authorization"] = f"Bearer {call.token}"
        if call.body is not None:
            content = json.dumps(call.body, ensure_ascii=False).encode("utf-8", "replace")
            headers["Content-Type"] = "application/json"
        if call.method != "GET":
            headers["Content-Length"] = str(len(content))
        listed = [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
        quiet = QUIET if accept == STREAM else call.seconds
        timeout = {"connect": call.seconds, "read": quiet, "write": call.seconds, "pool": call.seconds}
        url = httpcore2.URL(self._base + call.target)
        return httpcore2.Request(call.method, url, headers=listed, content=content, extensions={"timeout": timeout})


BROKEN = (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.ProxyError, httpcore2.UnsupportedProtocol, OSError)


def _problem(error: Exception) -> Problem:
    return Problem("timeout" if isinstance(error, httpcore2.TimeoutException | TimeoutError) else "network")


def _bounded(pieces: list[bytes]) -> bytes:
    if sum(map(len, pieces)) > LARGEST:
        raise Problem("network")
    return b"".join(pieces)


def _reply(response: httpcore2.Response, pieces: list[bytes]) -> Reply:
    headers = {name.lower(): value for name, value in response.headers}
    return Reply(response.status, headers.get(b"retry-after", b"").decode("latin-1"), _bounded(pieces))


class Wire:
    """Requests of plain code. May be used by several threads."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._pool = httpcore2.ConnectionPool(keepalive_expiry=30.0, max_connections=100)

    def send(self, call: Call[Any]) -> Reply | Problem:
        try:
            response = self._pool.handle_request(self._address.request(call, "application/json", {}))
            try:
                return _reply(response, list(response.iter_stream()))
            finally:
                response.close()
        except (httpcore2.TimeoutException, *BROKEN) as error:
            return _problem(error)

    @contextmanager
    def stream(self, call: Call[Any], last: int | None = None) -> Iterator[Iterator[bytes]]:
        """The pieces of a stream of events, or ``Problem``."""
        more = {} if last is None else {"Last-Event-ID": str(last)}
        try:
            response = self._pool.handle_request(self._address.request(call, STREAM, more))
            try:
                if response.status != 200:
                    raise problem_of(_reply(response, list(response.iter_stream())))
                yield response.iter_stream()
            finally:
                response.close()
        except (httpcore2.TimeoutException, *BROKEN) as error:
            raise _problem(error) from None

    def close(self) -> None:
        self._pool.close()


class AsyncWire:
    """The same on asyncio."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._pool = httpcore2.AsyncConnectionPool(keepalive_expiry=30.0, max_connections=1000)

    async def send(self, call: Call[Any]) -> Reply | Problem:
        try:
            response = await self._pool.handle_async_request(self._address.request(call, "application/json", {}))
            try:
                return _reply(response, [piece async for piece in response.aiter_stream()])
            finally:
                await response.aclose()
        except (httpcore2.TimeoutException, *BROKEN) as error:
            return _problem(error)

    @asynccontextmanager
    async def stream(self, call: Call[Any], last: int | None = None) -> AsyncIterator[AsyncIterator[bytes]]:
        more = {} if last is None else {"Last-Event-ID": str(last)}
        try:
            response = await self._pool.handle_async_request(self._address.request(call, STREAM, more))
            try:
                if response.status != 200:
                    raise problem_of(_reply(response, [piece async for piece in response.aiter_stream()]))
                yield response.aiter_stream()
            finally:
                await response.aclose()
        except (httpcore2.TimeoutException, *BROKEN) as error:
            raise _problem(error) from None

    async def aclose(self) -> None:
        await self._pool.aclose()
