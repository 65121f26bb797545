"""A webhook: one signed POST, by the convention of Standard Webhooks. Its receiver can tell who sent it, how old it is,
and that it has had it before."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import socket
import ssl
from collections.abc import Callable, Iterable
from datetime import datetime
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

import httpcore2
from httpcore2 import AsyncNetworkBackend, AsyncNetworkStream

from heartrule.jobs.notice import Notice, Undelivered

DEADLINE = 10.0
"""Seconds for everything."""
_NAT64 = IPv6Network("64:ff9b::/96")
"""Through these a gateway reaches the IPv4 address that is their last part, one of an inner network too."""


class PrivateAddress(httpcore2.ConnectError):
    """The name stands for an address of an inner network, and such are not allowed."""


class Guarded(AsyncNetworkBackend):
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
        except OSError as error:
            raise httpcore2.ConnectError(type(error).__name__) from None
        addresses = [str(each[4][0]) for each in found]
        if not self._allow_private and not all(map(_is_public, addresses)):
            raise PrivateAddress("a private address")
        return await self._backend.connect_tcp(addresses[0], port, timeout, local_address)


def _is_public(address: str) -> bool:
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address) and found in _NAT64:
        found = IPv4Address(int(found) & 0xFFFFFFFF)
    return found.is_global and not found.is_multicast


class Webhook:
    """``secret`` signs. ``trusted`` verifies the server's certificate, as the system does when it is None."""

    def __init__(
        self,
        url: str,
        secret: bytes,
        now: Callable[[], datetime],
        *,
        allow_private: bool = False,
        trusted: ssl.SSLContext | None = None,
        deadline: float = DEADLINE,
    ) -> None:
        self._url, self._secret, self._now, self._deadline = url, secret, now, deadline
        self._allow_private, self._trusted = allow_private, trusted

    async def send(self, notice: Notice) -> None:
        content = _content(notice)
        try:
            async with asyncio.timeout(self._deadline):
                status = await self._post(content, self._headers(notice.key, content))
        except (TimeoutError, httpcore2.TimeoutException):
            raise Undelivered("timeout") from None
        except PrivateAddress:
            raise Undelivered("private address") from None
        except (httpcore2.ConnectError, ssl.SSLError, OSError):
            raise Undelivered("no connection") from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError):
            raise Undelivered("connection broken") from None
        if not 200 <= status < 300:
            raise Undelivered(f"status {status}")

    async def _post(self, content: bytes, headers: list[tuple[bytes, bytes]]) -> int:
        """The status. A redirection is one too: what is sent goes where it was meant to or nowhere."""
        guard = Guarded(self._allow_private)
        async with httpcore2.AsyncConnectionPool(self._trusted, network_backend=guard) as pool:
            request = httpcore2.Request("POST", httpcore2.URL(self._url), headers=headers, content=content)
            response = await pool.handle_async_request(request)
            await response.aclose()
            return response.status

    def _headers(self, key: str, content: bytes) -> list[tuple[bytes, bytes]]:
        timestamp = str(int(self._now().timestamp()))
        headers = {
            "Host": urlsplit(self._url).netloc.rpartition("@")[2],
            "Content-Type": "application/json",
            "Content-Length": str(len(content)),
            "User-Agent": "heartrule",
            "Idempotency-Key": key,
            "Webhook-Id": key,
            "Webhook-Timestamp": timestamp,
            "Webhook-Signature": signature(self._secret, key, timestamp, content),
        }
        return [(name.encode(), value.encode()) for name, value in headers.items()]


def signature(secret: bytes, key: str, timestamp: str, content: bytes) -> str:
    signed = b".".join((key.encode(), timestamp.encode(), content))
    return f"v1,{base64.b64encode(hmac.digest(secret, signed, 'sha256')).decode()}"


def _content(notice: Notice) -> bytes:
    told = {
        "type": "escalation",
        "id": notice.key,
        "session": notice.session,
        "to": notice.to,
        "level": notice.level,
        "at": notice.at.isoformat(),
        "link": notice.link,
        **({"note": notice.note} if notice.note is not None else {}),
    }
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")
