"""Round every request: is it one too many, how long did it take, what to answer when something broke, and a line in the
log."""

from __future__ import annotations

import logging
import time

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heartrule import logs
from heartrule.server.access import address_of
from heartrule.server.context import AppContext
from heartrule.server.faults import answered

POLLED = frozenset({"/healthz", "/readyz", "/metrics"})
"""Asked for again and again by machines."""
REFUSED = frozenset({401, 403, 404})
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class RequestCount:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        context: AppContext = scope["app"].state.context
        request = Request(scope)
        with logs.traced(request.headers.get("traceparent")):
            await self._counted(context, request, receive, send)

    async def _counted(self, context: AppContext, request: Request, receive: Receive, send: Send) -> None:
        scope, began = request.scope, time.perf_counter()
        status = 0

        async def noticed(event: Message) -> None:
            nonlocal status
            if event["type"] == "http.response.start":
                status = event["status"]
                _count(context, scope, status, time.perf_counter() - began)
            await send(event)

        try:
            if scope["path"].startswith("/api/"):
                context.limits.address(address_of(request))
            else:
                context.limits.page(address_of(request))
            await self._app(scope, receive, noticed)
        except Exception as error:
            answer = answered(error, request, context)
            if status:  # a stream broke off: its reader comes again
                return
            await answer(scope, receive, noticed)


def _count(context: AppContext, scope: Scope, status: int, seconds: float) -> None:
    """What a sender made up is no label: anybody could make ever more of them."""
    route = getattr(scope.get("route"), "path", "none")
    method = scope["method"] if scope["method"] in METHODS else "other"
    context.metrics.requests.labels(route, method, status).inc()
    context.metrics.seconds.labels(route, method).observe(seconds)
    level = logging.DEBUG if route in POLLED else logging.INFO
    who = scope.get("state", {}).get("who") if status in REFUSED else None
    logs.event("request", level=level, method=method, route=route, status=status, ms=round(seconds * 1000), who=who)
