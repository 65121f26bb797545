"""When a call is over, however little by little its answer comes. What the network waits for is each piece by itself,
so a server that sends a byte now and then would be listened to for ever."""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from time import monotonic
from typing import Any

import httpcore2

Option = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
"""A socket's, as ``setsockopt`` takes it."""


class Until(float):
    """Seconds for one wait, as any other timeout, and for all waits together that it is given for."""

    at: float

    def __new__(cls, seconds: float) -> Until:
        made = super().__new__(cls, seconds)
        made.at = monotonic() + seconds
        return made

    @property
    def left(self) -> float:
        """Seconds; 0 when it is over."""
        return max(self.at - monotonic(), 0.0)


def left(timeout: float | None, over: type[httpcore2.TimeoutException]) -> float | None:
    """What may be waited for the next piece. Raises ``over`` when that is nothing."""
    if not isinstance(timeout, Until):
        return timeout
    if not timeout.left:
        raise over
    return timeout.left


class Stream(httpcore2.NetworkStream):
    """A connection whose waits end together."""

    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, left(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, left(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        wait = left(timeout, httpcore2.ConnectTimeout)
        return Stream(self._inner.start_tls(ssl_context, server_hostname, wait))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class Network(httpcore2.SyncBackend):
    """The network of plain code, where nothing can end a wait from outside."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Option] | None = None,
    ) -> httpcore2.NetworkStream:
        wait = left(timeout, httpcore2.ConnectTimeout)
        return Stream(super().connect_tcp(host, port, wait, local_address, socket_options))
