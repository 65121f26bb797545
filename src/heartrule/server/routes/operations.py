"""For those who run the server: is it alive, can it be given work, what has it done."""

from __future__ import annotations

from contextlib import suppress

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST

from heartrule.server.access import TheHouse
from heartrule.server.shapes import Health

router = APIRouter(tags=["operations"])


@router.get("/healthz")
async def alive() -> Health:
    """The process answers."""
    return Health(status="ok")


@router.get("/readyz", responses={503: {"model": Health, "description": "It cannot be given work now."}})
async def ready(house: TheHouse) -> Response:
    """The database answers and the server is not about to stop."""
    if house.desk.stopping.is_set():
        return JSONResponse({"status": "stopping"}, 503)
    try:
        await house.sessions.store.session("-")
    except Exception:
        return JSONResponse({"status": "unavailable"}, 503)
    return JSONResponse({"status": "ok"})


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(house: TheHouse) -> Response:
    """Counts for Prometheus. None of them holds anything that was said or whose it was."""
    told = house.metrics.text()
    with suppress(Exception):  # a database that is away takes no other figure along
        told += await house.judged.text(house.sessions.store.judgements)
    return Response(told, media_type=CONTENT_TYPE_LATEST)
