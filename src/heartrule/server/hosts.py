"""Under which names the server answers. A page of another origin can let its own name lead here; what it then asks for
carries that name, and is refused."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from heartrule.server.problems import Problem, language_of
from heartrule.server.settings import ServerSettings

OURS = ("localhost", "*.localhost")
WRONG_HOST = 4421
"""Closes a socket before it is one: the handshake is answered with 403."""


class KnownHosts:
    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app, self._hosts = app, tuple(each.lower() for each in settings.hosts)
        self._behind_a_proxy = bool(settings.trusted_proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not self._knows(scope):
            await send({"type": "websocket.close", "code": WRONG_HOST})
        elif scope["type"] == "http" and not self._knows(scope):
            headers = Headers(scope=scope)
            problem = Problem("wrong-host", headers={"Connection": "close"})
            await problem.response(language_of(headers.get("accept-language")))(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _knows(self, scope: Scope) -> bool:
        name = name_of(Headers(scope=scope).get("host", ""))
        if self._hosts:
            return is_one(name, self._hosts) or (is_this_machine(name) and _listens_here(scope))
        if self._behind_a_proxy or not _listens_here(scope):
            return True
        return _is_address(name) or is_one(name, OURS)


def name_of(host: str) -> str:
    """Of a ``Host`` header, without the port; as the names of hosts are compared."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].rstrip(".")


def is_one(name: str, hosts: Sequence[str]) -> bool:
    return any(name == host or (host.startswith("*.") and name.endswith(host[1:])) for host in hosts)


def is_this_machine(name: str) -> bool:
    """Whether it is a loopback address, or the name of one."""
    try:
        return ip_address(name.partition("/")[0]).is_loopback
    except ValueError:
        return name == "localhost"


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _listens_here(scope: Scope) -> bool:
    """Whether the request came in at a loopback address."""
    server = scope.get("server")
    return server is not None and is_this_machine(str(server[0]))
