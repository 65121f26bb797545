"""What happened in a turn and why, for whoever works on a script."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from heartrule.server import debug_view
from heartrule.server.access import Held, TheContext
from heartrule.server.debug_shapes import Debug
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems

router = APIRouter(prefix="/sessions/{session}", tags=["debugging"])

Number = Annotated[int | None, Query(ge=1, le=2**53)]


@router.get("/debug", responses=problems(401, 403, 404))
async def debug(record: Held, context: TheContext, turn: Number = None) -> Debug:
    """A turn of a debug session, the last one without ``turn``: where it stood, what was decided, what variables became
    and every model call. Of a session that is not debugged, ``debug-off``."""
    level = debug_view.level_of(record, context.settings)
    if level == "none":
        raise Problem("debug-off")
    found = await context.sessions.debugged(record.id, turn)
    if found is None:
        raise Problem("not-found")
    return debug_view.shown(found, level, context.settings)
