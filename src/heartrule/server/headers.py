"""What every answer carries for safety's sake."""

from __future__ import annotations

import re
from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heartrule.server.cookies import is_secure
from heartrule.server.settings import ServerSettings

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "media-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)


def policy(hosts: Sequence[str]) -> str:
    """The same, where pictures and recordings may come from these hosts as well."""
    more = "".join(f" https://{host}" for host in hosts if HOST.fullmatch(host))
    shown = POLICY.replace("img-src 'self' data:", f"img-src 'self' data:{more}")
    return shown.replace("media-src 'self'", f"media-src 'self'{more}")


HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?")
ALWAYS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}


STRICT = "max-age=31536000; includeSubDomains"
"""For a year browsers ask for this name, and those beneath it, encrypted or not at all."""


class SafeHeaders:
    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(event: Message) -> None:
            if event["type"] == "http.response.start":
                headers = MutableHeaders(scope=event)
                for name, value in ALWAYS.items():
                    headers.setdefault(name, value)
                if self._settings.strict_transport and is_secure(HTTPConnection(scope), self._settings.staff):
                    headers.setdefault("Strict-Transport-Security", STRICT)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(event)

        await self._app(scope, receive, with_headers)
