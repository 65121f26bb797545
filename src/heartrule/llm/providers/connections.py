"""Connections to one server that are kept between calls, the last used taken first.

httpcore2's own pool looks through all it has whenever one is taken and whenever one is given back, which with hundreds
of conversations costs more than the calls themselves. A server of ours is one origin, and its connections carry one
request at a time: the one on top of a pile will do, and only that one is looked at. How they are made, through which
proxy too, stays the pool's.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable

from httpcore2 import (
    AsyncConnectionInterface,
    AsyncConnectionPool,
    Proxy,
    Request,
    Response,
    default_ssl_context,
)


class Connections(AsyncConnectionPool):
    """At most ``most`` at once; further requests wait. Those that nobody used for ``seconds`` are closed."""

    def __init__(self, most: int, seconds: float, proxy: Proxy | None = None, *, secure: bool = False) -> None:
        # What is trusted is loaded once for a server; the pool would load it for each connection.
        trusted = default_ssl_context() if secure else None
        super().__init__(ssl_context=trusted, proxy=proxy, max_connections=most, keepalive_expiry=seconds)
        self._room = asyncio.Semaphore(most)
        self._idle: deque[AsyncConnectionInterface] = deque()
        self._busy: set[AsyncConnectionInterface] = set()

    async def handle_async_request(self, request: Request) -> Response:
        """The answer's head. Its body must be closed, or its connection stays taken."""
        await self._room.acquire()
        connection = await self._last() or self.create_connection(request.url.origin)
        self._busy.add(connection)
        try:
            response = await connection.handle_async_request(request)
        except BaseException:
            await self._give_back(connection)
            raise
        assert isinstance(response.stream, AsyncIterable)
        body = _Body(response.stream, lambda: self._give_back(connection))
        return Response(response.status, headers=response.headers, content=body, extensions=response.extensions)

    async def _last(self) -> AsyncConnectionInterface | None:
        while self._idle:
            connection = self._idle.pop()
            if not connection.has_expired():
                return connection
            await connection.aclose()
        return None

    async def _give_back(self, connection: AsyncConnectionInterface) -> None:
        """One that did not come to the end of its answer has closed itself."""
        self._room.release()
        if connection in self._busy and connection.is_available():
            self._idle.append(connection)
        self._busy.discard(connection)
        while self._idle and self._idle[0].has_expired():
            await self._idle.popleft().aclose()

    async def aclose(self) -> None:
        """Closes what is idle, and what is in use."""
        for connection in (*self._idle, *self._busy):
            await connection.aclose()
        self._idle.clear()
        self._busy.clear()


class _Body:
    def __init__(self, stream: AsyncIterable[bytes], closed: Callable[[], Awaitable[None]]) -> None:
        self._stream, self._closed = stream, closed

    def __aiter__(self) -> AsyncIterator[bytes]:
        return aiter(self._stream)

    async def aclose(self) -> None:
        closed, self._closed = self._closed, _nothing
        try:
            await self._stream.aclose()  # type: ignore[attr-defined]
        finally:
            await closed()


async def _nothing() -> None:
    """The connection has been given back."""
