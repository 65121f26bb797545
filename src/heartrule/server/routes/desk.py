"""The desk: sessions as counsellors on duty see them, and what they do with them. Whatever shows or adds a word is put
on record first."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from heartrule.engine.session.io import Then
from heartrule.identity.principal import ROLES, Principal
from heartrule.identity.rights import may
from heartrule.server import bodies, desk_shapes, rendering, shapes
from heartrule.server.access import Address, TheContext
from heartrule.server.board import LISTED, Show, projects_of
from heartrule.server.bodies import LONGEST_MESSAGE, CounsellorMessage, HandBack, Here, Takeover
from heartrule.server.context import AppContext
from heartrule.server.desk_list import counselling, opened
from heartrule.server.desk_list import escalation as called
from heartrule.server.problems import Problem
from heartrule.server.routes import events, sessions
from heartrule.server.routes.answers import problems
from heartrule.server.routes.desk_cards import add_note
from heartrule.server.staff_access import (
    Looks,
    Read,
    Reader,
    SeenBy,
    Seer,
    Shift,
    Taken,
    Taker,
    Writer,
    Written,
    while_signed_in,
)
from heartrule.server.streams import EventStream, Language
from heartrule.store.audit import AuditRecord
from heartrule.store.cards import Card, CardSeen

router = APIRouter(prefix="/desk", tags=["desk"])

THEN: dict[str | None, Then] = {"on": "", "wait": "wait", "end": "end", None: "fit"}
READ = problems(401, 403, 404)
DONE = problems(400, 401, 403, 404, 408, 409, 413, 415)


@router.get("/me", responses=problems(401, 403))
async def me(context: TheContext, staff: Looks) -> desk_shapes.OnDuty:
    """Who asks."""
    return _me(context, staff)


@router.put("/me/here", responses=problems(400, 401, 403, 413, 415))
async def here(body: Here, context: TheContext, staff: Shift) -> desk_shapes.OnDuty:
    """Say that you are there for persons who ask for a human, or no longer. It holds for 90 seconds: an open
    page says it again and again, and who closes it is gone."""
    duty = context.sessions.duty
    await (duty.come(staff.id, staff.projects, staff.name) if body.here else duty.go(staff.id))
    return _me(context, staff)


def _me(context: AppContext, staff: Principal) -> desk_shapes.OnDuty:
    return desk_shapes.OnDuty(
        id=staff.id,
        name=staff.name,
        role=staff.role,
        roles=[role for role in ROLES if role in staff.roles],
        projects=list(staff.projects),
        here=context.sessions.duty.is_there(staff.id),
        absent_minutes=context.settings.staff.absent_minutes,
    )


@router.get("/sessions", responses=problems(401, 403))
async def every(
    context: TheContext,
    staff: Looks,
    show: Annotated[Show, Query(description="Which of the last 24 hours.")] = "help",
    limit: Annotated[int, Query(ge=1, le=500)] = LISTED,
    before: Annotated[datetime | None, Query(description="Of those that ended: only earlier ones.")] = None,
) -> desk_shapes.DeskList:
    """Sessions without their content. ``help``: somebody may be needed; ``escalated``: a script has called for
    somebody and nobody has acknowledged it; ``taken``: a human holds them; ``mine``: you hold them, or they are
    assigned to you; ``all`` that are open; ``ended``: in the last 30 days."""
    if before is not None and before.tzinfo is None:
        before = before.replace(tzinfo=UTC)
    items, more = await context.board.listed(staff, show, limit, before)
    return desk_shapes.DeskList(sessions=items, more=more)


@router.get("/sessions/{session}", responses=READ)
async def one(record: Read, context: TheContext, staff: Reader) -> desk_shapes.DeskSession:
    """A session as it stands. That it was looked at stands on record, as for its messages and events."""
    await context.looks.look(staff, record.id)
    found = await opened(context, staff, record)
    if may(staff, "session.seen"):
        await _seen(context, staff, record.id, found.last_message)
    return found


@router.post("/sessions/{session}/seen", status_code=204, responses=DONE)
async def seen(body: bodies.ReadMark, record: SeenBy, context: TheContext, staff: Seer) -> None:
    """How far you have read. Colleagues see that you have."""
    await context.looks.look(staff, record.id)
    await _seen(context, staff, record.id, body.message)


async def _seen(context: AppContext, staff: Principal, session: str, message: int) -> None:
    now = context.sessions.clock.now()

    def change(card: Card) -> Card:
        before = card.seen.get(staff.id)
        number = max(message, before.message) if before is not None else message
        return replace(card, seen={**card.seen, staff.id: CardSeen(staff.name, number, now)})

    await context.sessions.store.cards.change(session, now, change)
    context.news.changed(session)


@router.get("/sessions/{session}/messages", responses=READ)
async def messages(
    record: Read,
    context: TheContext,
    staff: Reader,
    after: sessions.Number = None,
    before: sessions.Number = None,
    limit: sessions.Many = 100,
) -> shapes.MessageList:
    """What was said, as for the person."""
    await context.looks.look(staff, record.id)
    return await sessions.messages(record, context, after, before, limit)


@router.get("/sessions/{session}/events", response_class=StreamingResponse, responses={**events.STREAM, **READ})
async def follow(
    record: Read,
    context: TheContext,
    staff: Reader,
    request: Request,
    language: Language,
    address: Address,
    last_event_id: events.Number = None,
    last: Annotated[int | None, Query(alias="last_event_id", ge=0, le=2**53)] = None,
) -> StreamingResponse:
    """Live events, as for the person."""
    await context.looks.look(staff, record.id)
    parts = events.followed(context, record, language, address, last_event_id, last)
    return EventStream(while_signed_in(request, context, staff, parts))


@router.post("/sessions/{session}/takeover", responses=DONE)
async def take_over(body: Takeover, record: Taken, context: TheContext, staff: Taker) -> shapes.Turn:
    """Speak in the program's place from now on. What is being written ends where it is. 409 ``taken-over`` when a
    colleague does so already, unless they are relieved (``instead``)."""
    deed = counselling(context, staff).take_over(record.id, f"takeover {body.key}", body.instead or "")
    return rendering.turn(record.id, await context.running.outcome(context.running.work(deed)))


@router.post("/sessions/{session}/messages", responses=DONE)
async def speak(body: CounsellorMessage, record: Written, context: TheContext, staff: Writer) -> shapes.Turn:
    """Say something to the person, who is shown your name."""
    if len(body.text) > LONGEST_MESSAGE:
        raise Problem("too-long", limit=LONGEST_MESSAGE)
    context.limits.turn(record.id)
    deed = counselling(context, staff).speak(record.id, f"human {body.key}", body.text)
    return rendering.turn(record.id, await context.running.outcome(context.running.work(deed)))


@router.post("/sessions/{session}/typing", status_code=204, responses=READ)
async def typing(record: Written, context: TheContext, staff: Writer) -> None:
    """Something is being written. Whoever looks on is told, and nothing is kept of it."""
    if record.human is not None and record.human.id == staff.id:
        context.sessions.typing(record.id, staff.name)


@router.post("/sessions/{session}/hand-back", responses=DONE)
async def hand_back(body: HandBack, record: Taken, context: TheContext, staff: Taker) -> shapes.Turn:
    """Leave, with last words of yours or without: the program goes on from where it was, at once or once the person
    writes; or the session ends here. Who has cleared the danger says why."""
    if body.closed and body.reason is None:
        raise Problem("reason-needed")
    deed = counselling(context, staff).hand_back(
        record.id,
        f"hand_back {body.key}",
        closed=body.closed,
        reason=body.reason or "",
        then=THEN[body.next],
        text=body.text,
    )
    if body.note is not None:
        await add_note(context, staff, record.id, body.note)
    return rendering.turn(record.id, await context.running.outcome(context.running.work(deed)))


@router.get("/escalations", responses=problems(401, 403))
async def escalations(
    context: TheContext,
    staff: Looks,
    unacknowledged: bool = True,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> desk_shapes.EscalationList:
    """Calls for somebody, the newest first, without what they say."""
    calls = context.sessions.store.escalations
    found = await calls.attended(projects_of(staff), limit, unacknowledged=unacknowledged)
    return desk_shapes.EscalationList(escalations=[called(each) for each in found])


@router.post("/sessions/{session}/escalations/{escalation}/acknowledge", responses=DONE)
async def acknowledge(escalation: str, record: SeenBy, context: TheContext, staff: Seer) -> desk_shapes.EscalationList:
    """Somebody has seen it. The first who says so stands on record; all calls of the session are given back."""
    store, now = context.sessions.store, context.sessions.clock.now()
    if await store.escalations.find(f"{record.id}/{escalation}") is None:
        raise Problem("not-found")
    await store.audit.note(AuditRecord(staff.id, staff.role, record.id, "ack", now))
    await store.escalations.acknowledge(f"{record.id}/{escalation}", staff.name, now)
    context.news.changed(record.id)
    found = await store.escalations.of_session(record.id)
    return desk_shapes.EscalationList(escalations=[called(each) for each in found])
