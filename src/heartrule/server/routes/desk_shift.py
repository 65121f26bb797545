"""A shift: who is there, what happens as it happens, what waits, what is found, and how it went."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from heartrule.identity.principal import Principal
from heartrule.server import desk_figures, transcript_search
from heartrule.server import desk_shapes as shapes
from heartrule.server.access import Address, TheContext
from heartrule.server.context import AppContext
from heartrule.server.desk_news import QUIET, colleagues
from heartrule.server.events import KEEP_ALIVE
from heartrule.server.problems import Problem
from heartrule.server.routes import events
from heartrule.server.routes.answers import problems
from heartrule.server.staff_access import Counts, Looks, Reader, Shift, sign_of_life, while_signed_in
from heartrule.server.streams import EventStream

router = APIRouter(prefix="/desk", tags=["desk"])
READ = problems(401, 403)
DONE_SINCE = timedelta(hours=12)
DEEDS = (
    "takeover",
    "hand_back",
    "cleared",
    "ended",
    "vanished",
    "ack",
    "form",
    "note",
    "assign",
    "hand_over",
    "correct",
)
LOOKED_AT = 2_000
"""Rows of the record that a shift's own deeds are looked for in."""
STREAM = "desk"


@router.get("/colleagues", responses=READ)
async def all_(context: TheContext, staff: Looks) -> shapes.Colleagues:
    """Counsellors, those who are at a page of the desk first."""
    return shapes.Colleagues(colleagues=await colleagues(context.sessions, staff))


@router.get("/events", response_class=StreamingResponse, responses={**events.STREAM, **READ})
async def follow(request: Request, context: TheContext, staff: Looks, address: Address) -> StreamingResponse:
    """What changes in the lists, as it changes: ``item`` (a session as it stands now), ``alert`` (somebody is needed),
    ``duty`` (who is there); ``missed``: read the lists again. Nothing is told twice."""
    if context.running.stopping.is_set():
        raise Problem("stopping", headers={"Retry-After": "2"})
    context.live.room(f"{STREAM} {staff.id}", address)
    return EventStream(while_signed_in(request, context, staff, _told(context, staff, address)))


async def _told(context: AppContext, staff: Principal, address: str) -> AsyncIterator[bytes]:
    with context.live.counted(f"{STREAM} {staff.id}", address):
        async with context.news.of(staff) as desk:
            await sign_of_life(context, staff)
            now = shapes.Hello(now=context.sessions.clock.now())
            yield f"retry: 1000\n\nevent: hello\ndata: {json.dumps(now.model_dump(mode='json'))}\n\n".encode()
            told = time.monotonic()
            while not context.running.stopping.is_set():
                try:
                    part = await desk.next(QUIET)
                except StopAsyncIteration:
                    return
                if part is not None:
                    yield part
                if part is None or time.monotonic() - told >= QUIET:
                    told = time.monotonic()
                    yield KEEP_ALIVE


@router.get("/shift", responses=READ)
async def shift(context: TheContext, staff: Shift) -> shapes.ShiftShape:
    """All that somebody needs to begin a shift, or to hand one over."""
    now = context.sessions.clock.now()
    waiting, _ = await context.board.listed(staff, "help")
    mine, _ = await context.board.listed(staff, "mine")
    left = [each.session for each in await context.board.cards() if each.handover is not None]
    found = [row for row in (await context.board.these(left, staff)).values() if row.card and row.card.handover]
    return shapes.ShiftShape(
        now=now,
        colleagues=await colleagues(context.sessions, staff),
        waiting=[each for each in waiting if each.holder is None],
        mine=[each for each in mine if each.holder is not None and each.holder.me],
        assigned=[each for each in mine if each.holder is None or not each.holder.me],
        handover=[context.board.item(each, staff) for each in found],
        done=await _done(context, staff),
    )


async def _done(context: AppContext, staff: Principal) -> list[shapes.DoneDeed]:
    since = context.sessions.clock.now() - DONE_SINCE
    newest = await context.sessions.store.audit.newest(LOOKED_AT)
    own = [each for each in newest if each.who == staff.id and each.what in DEEDS and each.at >= since]
    sessions = {each.session for each in own}
    rows = await context.board.these(sessions, staff)
    hidden = {each.id for each in await context.sessions.store.watchlist.these(sessions, None)} - set(rows)
    return [
        shapes.DoneDeed(
            at=each.at,
            what=each.what,
            detail=each.detail or None,
            session=each.session,
            item=context.board.item(rows[each.session], staff) if each.session in rows else None,
        )
        for each in own
        if each.session not in hidden  # one that is gone is told of, one that is theirs no more is not
    ]


@router.get("/search", responses=problems(401, 403, 422))
async def search(
    context: TheContext,
    staff: Reader,
    q: Annotated[str, Query(min_length=1, max_length=100)],
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> shapes.Hits:
    """Words in what was said, and in notes, of sessions of the last 30 days that you may see. Each session of which
    words are shown has been looked at, which stands on record. What was looked for does not."""
    return await transcript_search.found(context, staff, q.strip(), limit)


@router.get("/figures", responses=READ)
async def figures(
    context: TheContext, staff: Counts, days: Annotated[int, Query(ge=1, le=90)] = 7
) -> shapes.FiguresShape:
    """Calls, how long they waited, and what became of them; without a word, and of nobody."""
    return await desk_figures.figures(context, staff, days)
