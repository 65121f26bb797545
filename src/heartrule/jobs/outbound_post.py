"""One POST to an address that somebody else has named: only to the public network unless more is allowed, never
redirected, and with every fault named in clear."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterable, Mapping
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

import httpcore2
from httpcore2 import AsyncNetworkBackend, AsyncNetworkStream

from heartrule.jobs.notice import Undelivered

DEADLINE = 10.0
"""Seconds for everything."""
_EMBEDDING = {
    IPv6Network("::/96"): 0,  # IPv4-compatible
    IPv6Network("::ffff:0:0/96"): 0,  # mapped
    IPv6Network("::ffff:0:0:0/96"): 0,  # translated
    IPv6Network("64:ff9b::/96"): 0,  # NAT64
    IPv6Network("2002::/16"): 80,  # 6to4
}
"""IPv6 addresses that hold an IPv4 address, with how many bits are behind it: what is sent to them may end there, in an
inner network too."""
_LOCAL = IPv6Network("64:ff9b:1::/48")
"""NAT64 of an inner network's own (RFC 8215)."""


class PrivateAddress(httpcore2.ConnectError):
    """The name stands for an address of an inner network, and such are not allowed."""


class GuardedTransport(AsyncNetworkBackend):
    """Connects only to addresses of the public network, as they are found at the time, unless others are allowed."""

    def __init__(self, allow_private: bool) -> None:
        self._allow_private = allow_private
        self._backend = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore2 says so)
        local_address: str | None = None,
        socket_options: Iterable[object] | None = None,
    ) -> AsyncNetworkStream:
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise httpcore2.ConnectError(type(error).__name__) from None
        addresses = [str(each[4][0]) for each in found]
        if not self._allow_private and not all(map(_is_public, addresses)):
            raise PrivateAddress("a private address")
        return await self._backend.connect_tcp(addresses[0], port, timeout, local_address)


def may_be_called(url: str, *, allow_private: bool = False) -> bool:
    """Whether an address that a browser has named can be called, as far as is told without asking for its name; what
    the name stands for is looked at when it is called. A browser says a host in ASCII: any other sign would be a name
    to one reader, and a figure of an inner address to another."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    plain = url.isascii() and url.isprintable() and " " not in url and parts.username is None
    return plain and bool(host) and (allow_private or not _is_inner(host))


def _is_inner(host: str) -> bool:
    """An address of an inner network, in whatever figures it is written, or this machine by name."""
    if host.rstrip(".").rpartition(".")[2] == "localhost":
        return True
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):  # a name
        return False
    return not all(_is_public(str(each[4][0])) for each in found)


def _is_public(address: str) -> bool:
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found in _LOCAL:
            return False
        found = _embedded(found) or found
    return found.is_global and not found.is_multicast


def _embedded(address: IPv6Address) -> IPv4Address | None:
    behind = next((bits for network, bits in _EMBEDDING.items() if address in network), None)
    return None if behind is None else IPv4Address(int(address) >> behind & 0xFFFFFFFF)


async def posted(
    url: str,
    headers: Mapping[str, str],
    content: bytes,
    *,
    allow_private: bool = False,
    trusted: ssl.SSLContext | None = None,
    deadline: float = DEADLINE,
) -> int:
    """The status. A redirection is one too: what is sent goes where it was meant to or nowhere. ``trusted`` verifies
    the server's certificate, as the system does when it is None. Raises ``Undelivered``."""
    sent = {"Host": urlsplit(url).netloc.rpartition("@")[2], "Content-Length": str(len(content)), **headers}
    try:
        given = [(name.encode(), value.encode()) for name, value in sent.items()]
        request = httpcore2.Request("POST", httpcore2.URL(url), headers=given, content=content)
    except (TypeError, ValueError):
        raise Undelivered("no address") from None
    try:
        async with (
            asyncio.timeout(deadline),
            httpcore2.AsyncConnectionPool(trusted, network_backend=GuardedTransport(allow_private)) as pool,
        ):
            response = await pool.handle_async_request(request)
            await response.aclose()
            return int(response.status)
    except (TimeoutError, httpcore2.TimeoutException):
        raise Undelivered("timeout") from None
    except PrivateAddress:
        raise Undelivered("private address") from None
    except (httpcore2.ConnectError, ssl.SSLError, OSError):
        raise Undelivered("no connection") from None
    except (httpcore2.NetworkError, httpcore2.ProtocolError):
        raise Undelivered("connection broken") from None
