"""A loop on which waiting costs nothing while real threads (the store's) are still waited for, and whose connections
lead to servers in memory: everything above the socket is the real thing."""

from __future__ import annotations

import asyncio
import selectors
import socket
import ssl
from collections.abc import Awaitable, Callable
from typing import Any

STUCK = 20.0
"""Real seconds without anything to do, after which nothing will ever happen again."""


_HANDSHAKE = b"\x16\x03"
"""What TLS begins with. The servers here speak none."""


class _Skipping(selectors.DefaultSelector):
    skipped = 0.0
    outside = 0
    """How much is under way on threads. Until it is done no time passes."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        idle = timeout is None or timeout > 0
        if idle and (self.outside or timeout is None):
            ready = super().select(STUCK)
            if not ready:
                raise RuntimeError("nothing is left that could happen")
            return ready
        ready = super().select(0)
        if not ready and timeout is not None:
            self.skipped += max(0.0, timeout)
        return ready


class _Socket:
    """What clients look up of the socket they believe they have."""

    family = socket.AF_UNIX

    def getpeername(self) -> str:
        return "memory"

    getsockname = getpeername

    def setsockopt(self, *option: Any) -> None: ...


class Line(asyncio.Transport):
    """The client's end of a connection whose other end is a server in memory."""

    def __init__(
        self, protocol: asyncio.Protocol, serve: Callable[[Line, bytes], Awaitable[None]], fault: str = ""
    ) -> None:
        super().__init__()
        self.fault = fault
        self._loop = asyncio.get_running_loop()
        self._protocol, self._serve = protocol, serve
        self._asked = b""
        self._work: asyncio.Task[None] | None = None
        self._closed = False
        self._socket = _Socket()
        protocol.connection_made(self)

    # the client's side

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._asked += bytes(data)
        if self._asked.startswith(_HANDSHAKE):
            self.tell(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            self.end()
            return
        head, _, body = self._asked.partition(b"\r\n\r\n")
        at = head.lower().find(b"content-length:")
        length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
        if self._work is None and _ and len(body) >= length:
            self._work = self._loop.create_task(self._answer(body))

    async def _answer(self, body: bytes) -> None:
        await self._serve(self, body)

    def abort(self) -> None:
        self.close()

    def close(self) -> None:
        if self._work is not None:
            self._work.cancel()
        self._lost(None)

    def is_closing(self) -> bool:
        return self._closed

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol  # type: ignore[assignment]

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self._protocol

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._socket if name == "socket" else default

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    # the server's side

    def tell(self, data: bytes) -> None:
        if not self._closed:
            self._protocol.data_received(data)

    def end(self) -> None:
        """The server hangs up in good order."""
        if not self._closed:
            self._protocol.eof_received()
            self._lost(None)

    def reset(self) -> None:
        self._lost(ConnectionResetError())

    def _lost(self, why: Exception | None) -> None:
        if not self._closed:
            self._closed = True
            self._loop.call_soon(self._protocol.connection_lost, why)


class Server:
    """What a loop connects to by port."""

    async def accept(self) -> str:
        """Called before a connection stands, and may raise what a connection attempt raises. Returns what will be wrong
        with this connection, if anything is, for ``serve``."""
        return ""

    async def serve(self, line: Line, body: bytes) -> None:
        """Answers one request."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """Starts at 0 and jumps to the next timer whenever there is nothing else to do."""

    def __init__(self) -> None:
        self._skipping = _Skipping()
        self.servers: dict[int, Server] = {}
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.skipped

    def pass_(self, seconds: float) -> None:
        self._skipping.skipped += seconds

    def outside(self, work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """``work``, which waits for a thread."""

        async def waited(*args: Any, **more: Any) -> Any:
            self._skipping.outside += 1
            try:
                return await work(*args, **more)
            finally:
                self._skipping.outside -= 1

        return waited

    async def create_connection(  # type: ignore[override]
        self, protocol_factory: Callable[[], asyncio.Protocol], host: Any = None, port: Any = None, **more: Any
    ) -> tuple[Line, asyncio.Protocol]:
        server = self.servers.get(port)
        if server is None:
            raise ConnectionRefusedError
        fault = await server.accept()
        protocol = protocol_factory()
        return Line(protocol, server.serve, fault), protocol


def unknown_name() -> OSError:
    return socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def untrusted() -> OSError:
    return ssl.SSLCertVerificationError(1, "certificate verify failed")
