"""Sessions: made, listed, looked at, laid aside, ended, found again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from heartrule.server import rendering
from heartrule.server.access import Address, Granted, Held, TheContext, known_person
from heartrule.server.bodies import KeyedRequest, NewSession
from heartrule.server.inputs import key_of, take
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.session_creation import create, shown
from heartrule.server.shapes import CreatedSession, FormResults, MessageList, Recovery, SessionList, SessionShape, Turn
from heartrule.store.records import Entry

router = APIRouter(prefix="/sessions", tags=["sessions"])

Limit = Annotated[int, Query(ge=1, le=100)]
Many = Annotated[int, Query(ge=1, le=500)]
Number = Annotated[int | None, Query(ge=0, le=2**53)]


@router.post(
    "",
    status_code=201,
    responses=problems(400, 401, 403, 404, 408, 413, 415),
    openapi_extra={"security": [{}]},  # a token may be sent, and need not be
)
async def make(wanted: NewSession, context: TheContext, granted: Granted, address: Address) -> CreatedSession:
    """A new session, not yet started: its first turn is worked out by the first input. With a person's token it is
    theirs; without one a person without a name is made, and their token comes along."""
    context.limits.new_session(address)
    if granted is not None and granted.opens in ("session", "desk"):
        raise Problem("unauthorized")
    person: str | None = None
    if granted is not None and wanted.options.memory:
        person = await known_person(context, granted)
        if person is None:
            person = await context.sessions.store.new_person(granted.id if granted.opens == "subject" else None)
    record = await create(context, wanted, person)
    issued = context.tokens.of_person(record.person) if person is None else None
    return CreatedSession(
        session=await shown(context, record),
        token=context.tokens.of_session(record.id, granted if person is not None else None).token,
        person_token=issued.token if issued else None,
    )


@router.get("", responses=problems(401, 404))
async def listed(
    context: TheContext,
    granted: Granted,
    limit: Limit = 50,
    before: Annotated[str | None, Query(max_length=64, pattern="^[0-9a-f]+$")] = None,
) -> SessionList:
    """A person's sessions, made last first. ``next`` goes into ``before`` for the ones after these."""
    if granted is None or granted.opens in ("session", "desk"):
        raise Problem("unauthorized")
    person = await known_person(context, granted)
    found = await context.sessions.of_person(person, limit + 1, before) if person else []
    names = {script.id: script.name for script in context.sessions.scripts()}
    now = context.sessions.clock.now()
    return SessionList(
        sessions=[rendering.item(record, names.get(record.script, record.script), now) for record in found[:limit]],
        next=found[limit - 1].id if len(found) > limit else None,
    )


@router.get("/{session}", responses=problems(401, 404))
async def one(record: Held, context: TheContext) -> SessionShape:
    """A session as it stands."""
    return await shown(context, record)


@router.get("/{session}/messages", responses=problems(401, 404))
async def messages(
    record: Held, context: TheContext, after: Number = None, before: Number = None, limit: Many = 100
) -> MessageList:
    """What was said, oldest first: what came after ``after``, or the last before ``before``; the newest when neither
    is given."""
    store = context.sessions.store
    if after is not None:
        found = await store.messages(record.id, after=after, limit=limit + 1)
        if before is not None:
            found = tuple(each for each in found if each.number < before)
        shown_ones = found[:limit]
    else:
        found = await store.last_messages(record.id, before, limit + 1)
        shown_ones = found[-limit:]
    return MessageList(messages=[rendering.message(each) for each in shown_ones], more=len(found) > limit)


@router.get("/{session}/forms", responses=problems(401, 404))
async def forms(record: Held, context: TheContext) -> FormResults:
    """The forms that were handed in, oldest first, with what they came to."""
    return FormResults(forms=[rendering.form_result(each) for each in await context.sessions.forms(record.id)])


@router.post("/{session}/pause", responses=problems(400, 401, 404, 408, 409, 413, 415))
async def pause(record: Held, context: TheContext, body: KeyedRequest | None = None) -> SessionShape:
    """Lay the session aside. What is said next, or ``resume``, goes on."""
    await take(context, record.id, Entry(key=key_of(body, "pause"), kind="pause"))
    return await shown(context, await context.sessions.session(record.id))


@router.post("/{session}/resume", responses=problems(400, 401, 404, 408, 409, 413, 415))
async def resume(record: Held, context: TheContext, body: KeyedRequest | None = None) -> Turn:
    """Go on where the session was."""
    return await take(context, record.id, Entry(key=key_of(body, "resume"), kind="resume"))


@router.post("/{session}/end", responses=problems(400, 401, 404, 408, 409, 413, 415))
async def end(record: Held, context: TheContext, body: KeyedRequest | None = None) -> Turn:
    """End the session. It can be read afterwards, and nothing can be added."""
    return await take(context, record.id, Entry(key=key_of(body, "end"), kind="end"))


@router.post("/{session}/recovery", status_code=201, responses=problems(401, 404))
async def recovery(record: Held, context: TheContext, granted: Granted) -> Recovery:
    """A token that opens this session for a while, to be put behind the ``#`` of a link. One that is asked for with
    another such token ends when that one does."""
    issued = context.tokens.recovery(record.id, granted)
    return Recovery(token=issued.token, expires_at=issued.expires_at)


@router.post("/{session}/start-over", status_code=201, responses=problems(401, 404, 409))
async def start_over(record: Held, context: TheContext, granted: Granted, address: Address) -> CreatedSession:
    """A new session of the same script that keeps the messages and variables of one that cannot be restored, and what
    was said and never answered. Sessions that can be restored are gone on with instead."""
    context.limits.new_session(address)
    if (await shown(context, record)).restorable:
        raise Problem("restorable")
    new = await context.sessions.start_over(record.id)
    issued = context.tokens.of_session(new.id, granted)
    return CreatedSession(session=await shown(context, new), token=issued.token)
