"""The application: routes, what surrounds them, and what runs beside them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from heartrule import logs
from heartrule.debugger.service import Debugger
from heartrule.engine.installed_types import field_models
from heartrule.identity.accounts import Accounts
from heartrule.identity.federation import Federation
from heartrule.identity.passkeys import Passkeys
from heartrule.identity.passwords import Passwords
from heartrule.identity.services import Services
from heartrule.identity.sign_in import SignInLifetime, SignInService
from heartrule.jobs.lifecycle import working
from heartrule.jobs.worker import Worker
from heartrule.llm.config import settings_of_machine
from heartrule.releases.release_checks import ReleaseChecks
from heartrule.releases.service import ReleaseService
from heartrule.server import escalation_metrics, openapi
from heartrule.server.access_audit import Looks
from heartrule.server.backups import ScheduledBackups
from heartrule.server.board import Board
from heartrule.server.body_limits import BoundedBody, largest_of
from heartrule.server.context import AppContext
from heartrule.server.desk_news import DeskNews
from heartrule.server.faults import answered
from heartrule.server.headers import SafeHeaders
from heartrule.server.hosts import KnownHosts
from heartrule.server.limits import Limits
from heartrule.server.live import Live
from heartrule.server.message_order import MessageOrder
from heartrule.server.metrics import Metrics
from heartrule.server.presence import PresenceHub
from heartrule.server.problems import Problem, asker_language
from heartrule.server.pseudonyms import Pseudonyms
from heartrule.server.request_guard import RequestCount
from heartrule.server.review_metrics import Sums
from heartrule.server.routes import (
    about,
    contact,
    contact_consent,
    debug,
    debugger,
    debugger_chat,
    debugger_risk,
    desk,
    desk_cards,
    desk_forms,
    desk_picture,
    desk_push,
    desk_rota,
    desk_shift,
    events,
    media,
    memory,
    operations,
    page,
    passkeys,
    provider,
    reports,
    reviews,
    schema,
    sdk,
    services,
    sessions,
    space,
    staff,
    summaries,
    turns,
)
from heartrule.server.running_turns import RunningTurns
from heartrule.server.settings import ServerSettings
from heartrule.server.shapes import ModelShape
from heartrule.server.tokens import Tokens
from heartrule.server.validation import what_is_wrong
from heartrule.server.warm_up import prepare
from heartrule.server.workbench import (
    comments,
    editor,
    editor_queries,
    editor_state,
    gallery,
    presence,
    project_runs,
    projects,
    releases,
    requirements,
    scores,
    teams,
    trials,
)
from heartrule.server.writable import Writable
from heartrule.sessions import Sessions, Settings, open_sessions
from heartrule.sessions.lost_counsellors import give_back
from heartrule.signing import Signer
from heartrule.tracing import lines
from heartrule.tracing.calls import Calls
from heartrule.workbench.comments import CommentService
from heartrule.workbench.workbench import Workbench

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
            context = await _context(held, jobs, settings, server)
            _listening(context, settings)
            app.state.context = context
            if server.prepare:
                await prepare(held, settings)
            try:
                async with jobs.repeating(server.sweep_seconds, lambda: _sweep(context), at_once=True):
                    yield
            finally:
                await finish(context)
                await context.presence.left()

    app = FastAPI(
        title="HeartRule",
        lifespan=opened,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        openapi_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.openapi = _document  # type: ignore[method-assign]
    app.router.routes.extend(_routes().routes)
    _problems(app)
    app.add_middleware(RequestCount)
    app.add_middleware(BoundedBody)
    if server.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(server.origins),
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Last-Event-ID", "Accept-Language"],
            expose_headers=["Retry-After"],
            max_age=600,
        )
    app.add_middleware(KnownHosts, settings=server)
    app.add_middleware(SafeHeaders, settings=server)
    return app


async def _context(held: Sessions, jobs: Worker, settings: Settings, server: ServerSettings) -> AppContext:
    """What every route is given."""
    secret = server.embed_secret.get_secret_value().encode() if server.embed_secret else None
    wanted, hashes = server.staff, Passwords()
    key = await held.store.token_key()
    board = Board(held, Pseudonyms(key))
    workbench = Workbench(held.store.projects, held.store.teams, held.library, field_models(), settings.clock)
    debugging = Debugger(held.store, held.library, held.model, settings.clock)
    checking = ReleaseChecks(held, workbench, debugging, server.risk_files)
    return AppContext(
        sessions=held,
        settings=server,
        tokens=Tokens(key, secret, settings.clock),
        accounts=Accounts(held.store, settings.clock, hashes, wanted.links_last),
        sign_ins=SignInService(held.store, settings.clock, hashes, SignInLifetime(wanted.longest, wanted.idle)),
        passkeys=Passkeys(held.store, settings.clock),
        services=Services(held.store, settings.clock),
        federation=Federation(held.store, settings.clock, wanted.provider) if wanted.provider else None,
        board=board,
        news=DeskNews(held, board),
        presence=PresenceHub(held.store, settings.clock),
        looks=Looks(held),
        running=RunningTurns(held),
        live=Live(held, server),
        limits=Limits(server.rates),
        message_order=MessageOrder(),
        metrics=Metrics(),
        review_sums=Sums(),
        model=_model(settings) if held.model.configured else None,
        jobs=jobs,
        backups=ScheduledBackups(server.backup, settings),
        writable=Writable(held.store),
        mails=jobs.mails,
        workbench=workbench,
        comments=CommentService(held.store.comments, held.store.projects, workbench.registry, settings.clock),
        debugger=debugging,
        releases=ReleaseService(held, checking, Signer(settings.data)),
    )


def _listening(context: AppContext, settings: Settings) -> None:
    """Whoever is told of turns, of the model's attempts and of what nobody else has heard."""
    held, metrics = context.sessions, context.metrics
    metrics.gauge("heartrule_turns_at_work", "Turns being worked out.", lambda: context.running.at_work)
    metrics.gauge("heartrule_streams_open", "Open event streams.", lambda: context.live.open)
    escalation_metrics.count(metrics, context.jobs, settings.clock)
    spans = Calls(content=context.settings.trace_content)
    held.model.listeners += [metrics.attempt, spans.attempt, lines.attempt]
    held.turn_listeners += [metrics.turn, lambda commit: context.news.changed(commit.session)]
    asyncio.get_running_loop().set_exception_handler(logs.unheard)


async def finish(context: AppContext) -> None:
    """Let running turns come to their end, then end the streams. May be asked for twice."""
    context.metrics.put_down.inc(await context.running.finish(context.settings.stop_seconds))
    await context.backups.finish()
    context.sessions.close()
    context.news.close()
    context.presence.close()


@cache
def _routes() -> APIRouter:
    """All routes. What is worked out for one when it is first asked for takes longer than all else that an application
    is made of, and is the same for every application of a process."""
    all_ = APIRouter()
    of_staff = (passkeys, provider, services, staff)
    of_desk = (*of_staff, desk, desk_shift, desk_push, desk_cards, desk_rota, desk_picture, desk_forms, reviews)
    of_persons = (turns, about, contact, debug)  # the first is asked for most: a request tries them one after another
    routers = (*of_persons, *of_desk, events, media, memory, reports, sessions, space, summaries)
    of_debugger = (debugger, debugger_chat, debugger_risk)
    of_authors = (
        releases,
        comments,
        teams,
        presence,
        gallery,
        requirements,
        scores,
        projects,
        editor_state,
        editor,
        trials,
        project_runs,
        editor_queries,
    )  # the last takes any name
    for router in (each.router for each in (*routers, *of_debugger, *of_authors)):
        all_.include_router(router, prefix=API)
    for router in (operations.router, contact_consent.router, schema.router, sdk.router, page.router):
        all_.include_router(router)
    return all_


@cache
def _document() -> dict[str, Any]:
    """What the OpenAPI document says of them, the same for every application of a process as well."""
    return openapi.document(_routes().routes)


def _model(settings: Settings) -> ModelShape:
    """The model that words are sent to, and every host they may go to."""
    if settings.model is not None:
        return ModelShape(name="model", hosts=[])
    found = settings_of_machine(settings.data)
    names = dict.fromkeys(each.model for each in found.all_models)
    hosts = dict.fromkeys(each.origin or each.provider for each in found.all_models)
    hosts |= {each.origin: None for each in (found.pictures, found.embeddings) if each is not None}
    return ModelShape(name=", ".join(names), hosts=list(hosts))


async def _sweep(context: AppContext) -> None:
    """Wake what is due, and let go of what has been kept long enough."""
    if not context.running.stopping.is_set():
        context.metrics.woken.inc(await context.sessions.sweep())
        await context.sessions.let_go(context.settings.keep_days)
        context.backups.sweep(context.sessions.clock.now())
        await context.sessions.release_choice.look()
        await context.releases.watch()
        for session in await give_back(context.sessions, context.settings.staff.absent):
            context.news.changed(session)


def _problems(app: FastAPI) -> None:
    async def problem(request: Request, error: Exception) -> Response:
        return answered(error, request, request.app.state.context)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return what_is_wrong(error).response(asker_language(request))

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code = CODES.get(error.status_code, "invalid-request")
        limit = largest_of(request.url.path) // 1024
        found = Problem(code, headers=error.headers, limit=limit, what="")
        return found.response(asker_language(request))

    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(Problem, problem)
