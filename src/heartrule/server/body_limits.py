"""How large a request's body may be, and how long it may take to come. FastAPI's own bound answers in plain text; ours
answers with a problem."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heartrule.server.bodies import LARGEST_BODY
from heartrule.server.problems import Problem, language_of

LARGEST_TEXTS = 8 * 1024 * 1024
"""Bytes of what an author's editor sends: the texts of a project."""
TEXTS = ("/api/v1/workbench/", "/api/v1/debug/")
"""Where authors send whole projects, or sessions with all that belongs to them."""
LET_IN = 8
"""As many times the largest body are read and thrown away, so that who sends them gets the answer: a connection that is
closed while they send loses it."""
PATIENCE = 2.0
"""Seconds for that."""

BODY_SECONDS = 30.0
"""Seconds a body may take to come."""


def largest_of(path: str) -> int:
    """How many bytes a request to a path may send."""
    return LARGEST_TEXTS if path.startswith(TEXTS) else LARGEST_BODY


class TooLarge(HTTPException):
    """More of a body came than may."""

    def __init__(self) -> None:
        super().__init__(413)


class TooSlow(HTTPException):
    """The body did not come."""

    def __init__(self) -> None:
        super().__init__(408, headers={"Connection": "close"})


class BoundedBody:
    """Refuses a body that is too large as soon as that is known, by its announced length or by its bytes; and does not
    wait for ever for one that does not come."""

    def __init__(self, app: ASGIApp, largest: int | None = None) -> None:
        self._app, self._fixed = app, largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        seen, whole = 0, False
        largest = self._fixed or largest_of(scope["path"])
        until = asyncio.get_running_loop().time() + BODY_SECONDS

        async def counted() -> Message:
            nonlocal seen, whole
            try:
                async with asyncio.timeout_at(None if whole else until):
                    event = await receive()
            except TimeoutError:
                raise TooSlow from None
            whole = whole or not event.get("more_body", False)
            if event["type"] == "http.request":
                seen += len(event.get("body", b""))
                if seen > largest:
                    if event.get("more_body"):
                        await _swallow(receive, LET_IN * largest)
                    raise TooLarge
            return event

        headers = Headers(scope=scope)
        if "content-length" in headers and "transfer-encoding" in headers:
            # Whoever stands before us may have read the other of the two, and taken the rest for a request of its own.
            twice = Problem("not-http", headers={"Connection": "close"})
            await twice.response(language_of(headers.get("accept-language")))(scope, receive, send)
            return
        announced = headers.get("content-length", "0")
        if announced.isdecimal() and int(announced) > largest:
            if "expect" not in headers and int(announced) <= LET_IN * largest:
                await _swallow(receive, int(announced))
            problem = Problem("body-too-large", limit=largest // 1024, headers={"Connection": "close"})
            await problem.response(language_of(headers.get("accept-language")))(scope, receive, send)
        else:
            await self._app(scope, counted, send)


async def _swallow(receive: Receive, most: int) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while most > 0:
                event = await receive()
                if event["type"] != "http.request" or not event.get("more_body"):
                    return
                most -= len(event.get("body", b""))
