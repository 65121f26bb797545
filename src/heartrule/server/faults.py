"""What goes wrong, as problems. What nobody foresaw is written down under a reference, and only that gets out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastapi import Request
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError

from heartrule import logs
from heartrule.debugger.session import NotPossible
from heartrule.identity.login_throttle import TooSoon
from heartrule.server import rendering
from heartrule.server.problems import LANGUAGES, Problem, asker_language
from heartrule.sessions import CannotRestore, Closed, NoSuchSession
from heartrule.sessions.counsellor_actions import NotTaken, Taken
from heartrule.sessions.undo import NothingToRecall
from heartrule.store.projects import NoSuchProject
from heartrule.store.records import Full, Gone, KeyReused, Outdated

if TYPE_CHECKING:
    from heartrule.server.context import AppContext

FORESEEN: dict[type[BaseException], str] = {
    NoSuchSession: "not-found",
    Gone: "not-found",
    Closed: "closed",
    CannotRestore: "cannot-restore",
    NothingToRecall: "nothing-to-recall",
    KeyReused: "key-reused",
    Full: "full",
    NotTaken: "not-taken-over",
    NoSuchProject: "not-found",
}
LATER = {"Retry-After": "1"}
SAYING = re.compile(r"/api/v1/sessions/[^/]+/turns")
"""Where people say something. What is one too many may be so before its route is known."""


def problem_of(error: BaseException, context: AppContext) -> Problem:
    if isinstance(error, Problem):
        return error
    for kind, code in FORESEEN.items():
        if isinstance(error, kind):
            return Problem(code)
    if isinstance(error, TooSoon):
        seconds = max(1, round(error.wait.total_seconds()))
        return Problem("too-many-requests", seconds=seconds, headers={"Retry-After": str(seconds)})
    if isinstance(error, Taken):
        return Problem("taken-over", who=error.holder.name)
    if isinstance(error, NotPossible):
        return Problem(error.code, about=error.about)
    if isinstance(error, Outdated):
        return Problem("busy", headers=LATER)
    if context.running.stopping.is_set():
        return Problem("stopping", headers={"Retry-After": "2"})
    reference = logs.fault(error)
    context.metrics.faults.inc()
    if isinstance(error, SQLAlchemyError):
        return Problem("unavailable", reference=reference, headers=LATER)
    return Problem("internal", reference=reference)


def answered(error: BaseException, request: Request, context: AppContext) -> JSONResponse:
    """Whose words are refused for being too many, of whoever's doing, is told whom to call: nobody has looked whether
    these tell of danger."""
    problem, language = problem_of(error, context), asker_language(request)
    if problem.code == "too-many-requests" and request.method == "POST" and SAYING.fullmatch(request.url.path):
        problem.contacts = rendering.contacts(context.sessions, LANGUAGES[language])
    return problem.response(language)
