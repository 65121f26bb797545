"""For those who run the server: is it alive, can it be given work, what has it done."""

from __future__ import annotations

import hmac
from contextlib import suppress

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST

from heartrule.server.access import TheContext, address_of
from heartrule.server.context import AppContext
from heartrule.server.hosts import is_this_machine
from heartrule.server.problems import Problem
from heartrule.server.shapes import Health

router = APIRouter(tags=["operations"])


@router.get("/healthz")
async def alive() -> Health:
    """The process answers."""
    return Health(status="ok")


@router.get("/readyz", responses={503: {"model": Health, "description": "It cannot be given work now."}})
async def ready(context: TheContext) -> Response:
    """The database answers, what is written stays (tried at most every few seconds), and the server is not about to
    stop."""
    if context.running.stopping.is_set():
        return JSONResponse({"status": "stopping"}, 503)
    try:
        await context.sessions.store.session("-")
    except Exception:
        return JSONResponse({"status": "unavailable"}, 503)
    if not await context.writable.now():
        return JSONResponse({"status": "unavailable"}, 503)
    return JSONResponse({"status": "ok"})


def _for_operators(request: Request, context: AppContext) -> None:
    """With the token that is asked for; where there is none, from this machine and not by way of a proxy."""
    token = context.settings.metrics_token
    if token is not None:
        scheme, _, sent = request.headers.get("authorization", "").partition(" ")
        known = token.get_secret_value().encode()
        if scheme.lower() != "bearer" or not hmac.compare_digest(sent.strip().encode(), known):
            raise Problem("unauthorized")
    elif not is_this_machine(address_of(request)) or any(name in request.headers for name in FORWARDED):
        raise Problem("not-found")


FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(request: Request, context: TheContext) -> Response:
    """Counts for Prometheus. None of them holds anything that was said or whose it was; how much is going on is for
    those who run the server alone."""
    _for_operators(request, context)
    told = context.metrics.text()
    with suppress(Exception):  # a database that is away takes no other figure along
        told += await context.review_sums.text(context.sessions.store.judgements)
    return Response(told, media_type=CONTENT_TYPE_LATEST)
