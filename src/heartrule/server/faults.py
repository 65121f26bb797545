"""What goes wrong, as problems. What nobody foresaw is written down under a reference, and only that gets out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from heartrule.faults import recorded
from heartrule.server.problems import Problem
from heartrule.sessions import CannotRestore, Closed, NoSuchSession
from heartrule.sessions.counselling import NotTaken, Taken
from heartrule.sessions.recalling import NothingToRecall
from heartrule.store.records import Gone, KeyReused, Outdated

if TYPE_CHECKING:
    from heartrule.server.house import House

FORESEEN: dict[type[BaseException], str] = {
    NoSuchSession: "not-found",
    Gone: "not-found",
    Closed: "closed",
    CannotRestore: "cannot-restore",
    NothingToRecall: "nothing-to-recall",
    KeyReused: "key-reused",
    NotTaken: "not-taken-over",
}
LATER = {"Retry-After": "1"}


def problem_of(error: BaseException, house: House) -> Problem:
    if isinstance(error, Problem):
        return error
    for kind, code in FORESEEN.items():
        if isinstance(error, kind):
            return Problem(code)
    if isinstance(error, Taken):
        return Problem("taken-over", who=error.holder.name)
    if isinstance(error, Outdated):
        return Problem("busy", headers=LATER)
    if house.desk.stopping.is_set():
        return Problem("stopping", headers={"Retry-After": "2"})
    reference, written = recorded(error, house.folder)
    if not written:
        print(f"fault {reference} {type(error).__name__} (the log cannot be written)", file=sys.stderr)  # noqa: T201
    house.metrics.faults.inc()
    if isinstance(error, SQLAlchemyError):
        return Problem("unavailable", reference=reference, headers=LATER)
    return Problem("internal", reference=reference)
