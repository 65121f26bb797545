"""Live events of a session."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import StreamingResponse

from heartrule.server.access import Address, Held, TheContext, while_it_counts
from heartrule.server.context import AppContext
from heartrule.server.events import last_of
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.streams import EVENT_STREAM, EventStream, Language
from heartrule.sessions import NoSuchSession
from heartrule.store.records import SessionRecord

router = APIRouter(prefix="/sessions/{session}", tags=["events"])

STREAM: dict[int | str, dict[str, Any]] = {
    200: {"description": "Events, until either side leaves.", "content": {EVENT_STREAM: {"schema": {"type": "string"}}}}
}
Number = Annotated[str | None, Header(max_length=20, description="The number of the last event that was seen.")]


@router.get("/events", response_class=StreamingResponse, responses={**STREAM, **problems(401, 404)})
async def follow(
    request: Request,
    record: Held,
    context: TheContext,
    language: Language,
    address: Address,
    last_event_id: Number = None,
    last: Annotated[int | None, Query(alias="last_event_id", ge=0, le=2**53)] = None,
) -> StreamingResponse:
    """What happened after the event that was seen last, then whatever happens; without one, what happens from now on.
    A number that is none counts as none."""
    parts = followed(context, record, language, address, last_event_id, last)
    return EventStream(while_it_counts(request, context, parts))


def followed(
    context: AppContext, record: SessionRecord, language: str, address: str, header: str | None, last: int | None
) -> AsyncIterator[bytes]:
    """The same, as parts of a stream."""
    if context.running.stopping.is_set():
        raise Problem("stopping", headers={"Retry-After": "2"})
    seen = int(header) if header is not None and _is_number(header) else last
    context.live.room(record.id, address)
    begin = last_of(record.seq) if seen is None else seen
    return _told(context, record.id, address, begin, language)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


async def _told(context: AppContext, session: str, address: str, last: int, language: str) -> AsyncIterator[bytes]:
    """Nothing, of a session that was erased since it was asked for."""
    with context.live.counted(session, address), suppress(NoSuchSession):
        async with context.sessions.watch(session) as watch:
            if context.running.stopping.is_set():
                return
            async for part in context.live.follow(watch, last, language):
                yield part
