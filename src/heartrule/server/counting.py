"""Round every request: is it one too many, how long did it take, and what to answer when something broke."""

from __future__ import annotations

import time

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heartrule.server.access import address_of
from heartrule.server.faults import problem_of
from heartrule.server.house import House
from heartrule.server.problems import asker_language

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Counted:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        house: House = scope["app"].state.house
        request = Request(scope)
        began = time.perf_counter()
        status = 0

        async def noticed(event: Message) -> None:
            nonlocal status
            if event["type"] == "http.response.start":
                status = event["status"]
                _count(house, scope, status, time.perf_counter() - began)
            await send(event)

        try:
            if scope["path"].startswith("/api/"):
                house.limits.address(address_of(request))
            await self._app(scope, receive, noticed)
        except Exception as error:
            problem = problem_of(error, house)
            if status:  # a stream broke off: its reader comes again
                return
            await problem.response(asker_language(request))(scope, receive, noticed)


def _count(house: House, scope: Scope, status: int, seconds: float) -> None:
    """What a sender made up is no label: anybody could make ever more of them."""
    route = getattr(scope.get("route"), "path", "none")
    method = scope["method"] if scope["method"] in METHODS else "other"
    house.metrics.requests.labels(route, method, status).inc()
    house.metrics.seconds.labels(route, method).observe(seconds)
