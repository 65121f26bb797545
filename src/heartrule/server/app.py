"""The application: routes, what surrounds them, and what runs beside them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from heartrule.faults import recorded
from heartrule.jobs.opening import working
from heartrule.llm.config import settings_of_machine
from heartrule.server import escalated, openapi
from heartrule.server.bodies import LARGEST_BODY
from heartrule.server.bounds import BoundedBody
from heartrule.server.counting import Counted
from heartrule.server.desk import Desk
from heartrule.server.faults import problem_of
from heartrule.server.headers import SafeHeaders
from heartrule.server.house import House
from heartrule.server.judged import Sums
from heartrule.server.limits import Limits
from heartrule.server.live import Live
from heartrule.server.metrics import Metrics
from heartrule.server.problems import Problem, asker_language
from heartrule.server.routes import (
    about,
    contact,
    debug,
    desk,
    desk_forms,
    events,
    media,
    operations,
    page,
    reports,
    reviews,
    schema,
    sdk,
    sessions,
    space,
    summaries,
    turns,
)
from heartrule.server.settings import ServerSettings
from heartrule.server.shapes import ModelShape
from heartrule.server.tokens import Tokens
from heartrule.server.validation import what_is_wrong
from heartrule.sessions import Settings, open_sessions
from heartrule.tracing.calls import Calls

API = "/api/v1"
JOB_SECONDS = 3.0
"""What is being delivered has so long when the server stops; the rest is left to the next process."""
CODES = {
    400: "not-json",
    404: "not-found",
    405: "method-not-allowed",
    408: "too-slow",
    413: "body-too-large",
    415: "unsupported-media-type",
}


def build(settings: Settings, server: ServerSettings) -> FastAPI:
    """The ASGI application over the data folder of ``settings``. It opens the sessions when it starts."""

    @asynccontextmanager
    async def opened(app: FastAPI) -> AsyncIterator[None]:
        async with open_sessions(settings) as held, working(held, settings, patience=JOB_SECONDS) as jobs:
            secret = server.embed_secret.get_secret_value().encode() if server.embed_secret else None
            house = House(
                sessions=held,
                settings=server,
                tokens=Tokens(await held.store.token_key(), secret, settings.clock),
                desk=Desk(held),
                live=Live(held, server),
                limits=Limits(server.rates),
                metrics=Metrics(),
                judged=Sums(),
                model=_model(settings) if held.model.configured else None,
                folder=settings.data,
            )
            house.metrics.gauge("heartrule_turns_at_work", "Turns being worked out.", lambda: house.desk.at_work)
            held.model.listeners += [house.metrics.attempt, Calls(content=server.trace_content).attempt]
            held.turn_listeners.append(house.metrics.turn)
            house.metrics.gauge("heartrule_streams_open", "Open event streams.", lambda: house.live.open)
            escalated.count(house.metrics, jobs, settings.clock)
            app.state.house = house
            sweeping = asyncio.create_task(_sweep(house))
            try:
                yield
            finally:
                sweeping.cancel()
                await asyncio.gather(sweeping, return_exceptions=True)
                await finish(house)

    app = FastAPI(
        title="HeartRule",
        lifespan=opened,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        openapi_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.openapi = lambda: openapi.document(app)  # type: ignore[method-assign]
    app.router.routes.extend(_routes().routes)
    _problems(app)
    app.add_middleware(Counted)
    app.add_middleware(BoundedBody)
    if server.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(server.origins),
            allow_methods=["GET", "POST", "PUT", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Last-Event-ID", "Accept-Language"],
            expose_headers=["Retry-After"],
            max_age=600,
        )
    app.add_middleware(SafeHeaders)
    return app


async def finish(house: House) -> None:
    """Let running turns come to their end, then end the streams. May be asked for twice."""
    house.metrics.put_down.inc(await house.desk.finish(house.settings.stop_seconds))
    house.sessions.close()


@cache
def _routes() -> APIRouter:
    """All routes. What is worked out for one when it is first asked for takes longer than all else that an application
    is made of, and is the same for every application of a process."""
    all_ = APIRouter()
    of_desk = (desk, desk_forms, reviews)
    routers = (about, contact, debug, *of_desk, events, media, reports, sessions, space, summaries, turns)
    for router in (each.router for each in routers):
        all_.include_router(router, prefix=API)
    for router in (operations.router, schema.router, sdk.router, page.router):
        all_.include_router(router)
    return all_


def _model(settings: Settings) -> ModelShape:
    """The model that words are sent to, and every host they may go to."""
    if settings.model is not None:
        return ModelShape(name="model", hosts=[])
    found = settings_of_machine(settings.data)
    names = dict.fromkeys(each.model for each in found.all_models)
    hosts = dict.fromkeys(each.origin or each.provider for each in found.all_models)
    hosts |= {found.pictures.origin: None} if found.pictures is not None else {}
    return ModelShape(name=", ".join(names), hosts=list(hosts))


async def _sweep(house: House) -> None:
    """Wake what is due, for as long as the server runs. A sweep that fails is written down, and the next one comes."""
    while True:
        await asyncio.sleep(house.settings.sweep_seconds)
        if house.desk.stopping.is_set():
            return
        try:
            house.metrics.woken.inc(await house.sessions.sweep())
        except Exception as error:
            recorded(error, house.folder)


def _problems(app: FastAPI) -> None:
    async def problem(request: Request, error: Exception) -> Response:
        found = problem_of(error, request.app.state.house)
        return found.response(asker_language(request))

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return what_is_wrong(error).response(asker_language(request))

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code = CODES.get(error.status_code, "invalid-request")
        found = Problem(code, headers=error.headers, limit=LARGEST_BODY // 1024, what="")
        return found.response(asker_language(request))

    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(Problem, problem)
