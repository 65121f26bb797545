"""Who has a project open, and at which node: a hint, which keeps nobody from anything."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from heartrule.server.access import Address, TheContext
from heartrule.server.context import AppContext
from heartrule.server.events import KEEP_ALIVE
from heartrule.server.presence import SIGN
from heartrule.server.problems import Problem
from heartrule.server.routes import events
from heartrule.server.staff_access import while_signed_in
from heartrule.server.streams import EventStream
from heartrule.server.workbench.access import TheAuthor
from heartrule.server.workbench.editor_state import Tab
from heartrule.server.workbench.projects import PROBLEMS, READING, Id, own
from heartrule.server.workbench.team_shapes import NewPlace
from heartrule.store.projects import NoSuchProject
from heartrule.workbench.workbench import Writer

router = APIRouter(prefix="/workbench", tags=["workbench"])
QUIET = 5.0
"""Seconds without news after which it is looked whether the sign-in and the rights still stand."""


@router.get("/projects/{project}/events", response_class=StreamingResponse, responses={**events.STREAM, **READING})
async def follow(
    project: Id,
    author: TheAuthor,
    context: TheContext,
    request: Request,
    address: Address,
    tab: Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{1,64}$")] = "page",
) -> StreamingResponse:
    """Others who have it open (``here``), and that something was saved, said or settled (``news``), as it happens.
    Whoever follows is there, until the stream ends."""
    await own(context, project, author)
    if context.running.stopping.is_set():
        raise Problem("stopping", headers={"Retry-After": "2"})
    context.live.room(f"together {author.id}", address)
    parts = _told(context, project, tab, author, address)
    return EventStream(while_signed_in(request, context, author.principal, parts, at_the_desk=False))


async def _told(context: AppContext, project: str, tab: str, author: Writer, address: str) -> AsyncIterator[bytes]:
    with context.live.counted(f"together {author.id}", address):
        async with context.presence.of(f"{author.id} {tab}", project, author) as open_:
            yield b"retry: 1000\n\nevent: hello\ndata: {}\n\n"
            signed = time.monotonic()
            while not context.running.stopping.is_set():
                try:
                    part = await open_.next(QUIET)
                except StopAsyncIteration:
                    return
                yield part or KEEP_ALIVE
                if time.monotonic() - signed >= SIGN:
                    signed = time.monotonic()
                    await context.presence.alive(open_)
                    if not await _may_still(context, project, author):
                        return


async def _may_still(context: AppContext, project: str, author: Writer) -> bool:
    try:
        return await context.workbench.record(project, author) is not None
    except NoSuchProject:
        return False


@router.put("/projects/{project}/here/{tab}", status_code=204, response_class=Response, responses=PROBLEMS)
async def move(project: Id, tab: Tab, wanted: NewPlace, author: TheAuthor, context: TheContext) -> None:
    """What a tab shows that follows the project's events; of another there is nothing to tell."""
    await own(context, project, author)
    if not await context.presence.move(f"{author.id} {tab}", project, author, wanted.model_dump()):
        raise Problem("not-found")
