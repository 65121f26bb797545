"""One connection to a model server, straight on the loop: as much of HTTP/1.1 (RFC 9112) as a client needs that asks
one thing at a time.

A request goes out in one piece. Of answers everything is understood that servers send: a length, chunks with or without
trailers, or no end but the connection's. Where one is not what the wire promises the connection is closed.
"""

from __future__ import annotations

import asyncio
import re
import ssl
import time
from collections.abc import AsyncIterable, AsyncIterator
from ipaddress import ip_address

from httpcore2 import (
    AsyncConnectionInterface,
    ConnectError,
    Origin,
    ReadError,
    RemoteProtocolError,
    Request,
    Response,
)

HEAD_LIMIT = 100_000
"""Bytes of an answer's head, and of what stands between chunks."""
AHEAD = 1_000_000
"""Bytes that may have come and not been read, after which the server is made to wait."""
HEAD_START = 0.25
"""Seconds that one of a server's addresses has before the next is tried beside it."""
_STATUS = re.compile(rb"HTTP/1\.([01]) ([1-9][0-9]{2})(?: [^\r\n]*)?")
_NAME = re.compile(rb"[-!#$%&'*+.^_`|~0-9A-Za-z]+")
_LENGTH = re.compile(rb"[0-9]{1,18}")
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?")
_BLANK = re.compile(rb"\n\r?\n")
Headers = list[tuple[bytes, bytes]]


class _Socket(asyncio.Protocol):
    """What has come and was not read. After what came last ``fault`` says how it ended, None for in good order."""

    def __init__(self) -> None:
        self.came = bytearray()
        self.ended = False
        self.fault: Exception | None = None
        self.transport: asyncio.Transport
        self._news: asyncio.Future[None] | None = None
        self._held = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self.came += data
        if len(self.came) > AHEAD and not self._held:
            self._held = True
            self.transport.pause_reading()
        self._tell()

    def eof_received(self) -> None:
        self.ended = True
        self._tell()

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended, self.fault = True, exc
        self._tell()

    def _tell(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    async def more(self) -> bool:
        """Until more has come than there was; False when nothing more will. Raises ``ReadError``."""
        if self._held:
            self._held = False
            self.transport.resume_reading()
        if self.ended:
            if self.fault is not None:
                raise ReadError from None
            return False
        before = len(self.came)
        self._news = asyncio.get_running_loop().create_future()
        await self._news
        return len(self.came) > before or await self.more()

    def taken(self, size: int) -> bytes:
        """The first of what has come, at most so much."""
        found = bytes(self.came[:size])
        del self.came[:size]
        return found


class Connection(AsyncConnectionInterface):
    """To ``origin``, made by its first request. Nobody using it for ``seconds``, it is to be closed."""

    def __init__(self, origin: Origin, seconds: float, trusted: ssl.SSLContext | None) -> None:
        self._origin, self._seconds, self._trusted = origin, seconds, trusted
        self._socket: _Socket | None = None
        self._idle_since: float | None = None

    async def handle_async_request(self, request: Request) -> Response:
        """The answer's head. Its body must be closed."""
        self._idle_since = None
        try:
            socket = self._socket = self._socket or await self._connected()
            socket.transport.write(await _written(request))
            minor, status, headers = await _head(socket)
            body = _Body(self, socket, minor, status, headers)
        except BaseException:
            await self.aclose()
            raise
        return Response(status, headers=headers, content=body)

    async def _connected(self) -> _Socket:
        host, port = self._origin.host.decode("ascii"), self._origin.port
        secured = self._origin.scheme == b"https"
        try:
            _, made = await asyncio.get_running_loop().create_connection(
                _Socket,
                host,
                port,
                ssl=self._trusted if secured else None,
                server_hostname=host if secured else None,
                happy_eyeballs_delay=None if _is_number(host) else HEAD_START,
            )
        except OSError:
            raise ConnectError from None
        return made

    async def ended(self, *, whole: bool) -> None:
        """The answer has been read, or nobody wants the rest of it: then the connection is of no use any more."""
        if whole and self._socket is not None and not self._socket.ended:
            self._idle_since = time.monotonic()
        else:
            await self.aclose()

    async def aclose(self) -> None:
        self._idle_since = None
        if self._socket is not None:
            self._socket.transport.close()
            await asyncio.sleep(0)  # it is closed with the loop's next round

    def can_handle_request(self, origin: Origin) -> bool:
        return origin == self._origin

    def is_available(self) -> bool:
        return self._idle_since is not None

    def is_idle(self) -> bool:
        return self._idle_since is not None

    def is_closed(self) -> bool:
        return self._socket is not None and self._socket.transport.is_closing()

    def has_expired(self) -> bool:
        """Too long idle, or the server has hung up, or says what nobody has asked."""
        if self._idle_since is None or self._socket is None:
            return False
        late = time.monotonic() - self._idle_since > self._seconds
        return late or self._socket.ended or bool(self._socket.came)

    def info(self) -> str:
        return f"{self._origin}, HTTP/1.1, {'idle' if self.is_idle() else 'busy'}"


def _is_number(host: str) -> bool:
    """Whether there is no name to be looked up, and so no second address."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


async def _written(request: Request) -> bytes:
    assert isinstance(request.stream, AsyncIterable)
    lines = [b"%b %b HTTP/1.1" % (request.method, request.url.target)]
    lines += [b"%b: %b" % header for header in request.headers]
    return b"\r\n".join([*lines, b"", b"".join([part async for part in request.stream])])


async def _head(socket: _Socket) -> tuple[int, int, Headers]:
    """HTTP's minor version, the status and the headers of the answer; of what only says that one is to come nothing."""
    while True:
        first, *rest = (await _block(socket)).split(b"\n")
        found = _STATUS.fullmatch(first.removesuffix(b"\r"))
        if found is None:
            raise RemoteProtocolError("no status line")
        status = int(found[2])
        if status == 101:
            raise RemoteProtocolError("another protocol")
        if status >= 200:
            return int(found[1]), status, _headers(rest)


async def _block(socket: _Socket) -> bytes:
    """Lines up to an empty one."""
    while (end := _BLANK.search(socket.came)) is None:
        if len(socket.came) > HEAD_LIMIT:
            raise RemoteProtocolError("the head is too long")
        if not await socket.more():
            raise RemoteProtocolError("the connection ended without an answer")
    return socket.taken(end.end())[: end.start()]


def _headers(lines: list[bytes]) -> Headers:
    found: Headers = []
    for line in lines:
        if line[:1] in (b" ", b"\t") and found:  # folded, as once was the custom
            name, value = found[-1]
            found[-1] = name, value + b" " + line.strip()
            continue
        name, colon, value = line.partition(b":")
        if not colon or _NAME.fullmatch(name) is None:
            raise RemoteProtocolError("a header that is none")
        found.append((name, value.strip()))
    return found


class _Body:
    """An answer's body as it comes, once. ``aclose`` gives the connection back, or ends it."""

    def __init__(self, connection: Connection, socket: _Socket, minor: int, status: int, headers: Headers) -> None:
        self._connection, self._socket = connection, socket
        said: dict[bytes, list[bytes]] = {}
        for name, value in headers:
            said.setdefault(name.lower(), []).extend(part.strip().lower() for part in value.split(b","))
        self._chunked = b"transfer-encoding" in said
        if self._chunked and said[b"transfer-encoding"] != [b"chunked"]:
            raise RemoteProtocolError("an encoding that nobody asked for")
        lengths = {*said.get(b"content-length", ())}
        if len(lengths) > 1 or not all(map(_LENGTH.fullmatch, lengths)):
            raise RemoteProtocolError("no length")
        self._left: int | None = None if not lengths or self._chunked else int(lengths.pop())
        if status in (204, 304):
            self._chunked, self._left = False, 0
        self._whole = self._left == 0
        """Whether all of it has been read."""
        told = said.get(b"connection", ())
        self._stays = b"close" not in told and (minor == 1 or b"keep-alive" in told)

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._chunks() if self._chunked else self._plain()

    async def _plain(self) -> AsyncIterator[bytes]:
        """With a length, or to the end of the connection."""
        while not self._whole:
            if not self._socket.came and not await self._socket.more():
                if self._left is not None:
                    raise RemoteProtocolError("the connection ended within an answer")
                self._whole, self._stays = True, False
                return
            part = self._socket.taken(len(self._socket.came) if self._left is None else self._left)
            if self._left is not None:
                self._left -= len(part)
                self._whole = self._left == 0
            yield part

    async def _chunks(self) -> AsyncIterator[bytes]:
        while size := await self._size():
            while size:
                if not self._socket.came and not await self._socket.more():
                    raise RemoteProtocolError("the connection ended within a chunk")
                part = self._socket.taken(size)
                size -= len(part)
                yield part
            if await self._line():
                raise RemoteProtocolError("a chunk without an end")
        while await self._line():  # trailers, which nobody asked for
            pass
        self._whole = True

    async def _size(self) -> int:
        found = _SIZE.fullmatch(await self._line())
        if found is None:
            raise RemoteProtocolError("a chunk without a size")
        return int(found[1], 16)

    async def _line(self) -> bytes:
        came = self._socket.came
        while (end := came.find(b"\n")) < 0:
            if len(came) > HEAD_LIMIT or not await self._socket.more():
                raise RemoteProtocolError("no end of a line")
        return self._socket.taken(end + 1)[:-1].removesuffix(b"\r")

    async def aclose(self) -> None:
        await self._connection.ended(whole=self._whole and self._stays)
