"""The desk: sessions as counsellors on duty see them, and what they do with them. Whatever shows or adds a word is put
on record first."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from heartrule.server import desk_shapes, rendering, shapes
from heartrule.server.access import Attended, OnDuty, TheHouse
from heartrule.server.attending import counselling, listed, opened, seen_by
from heartrule.server.attending import escalation as called
from heartrule.server.bodies import LONGEST_MESSAGE, HandBack, Said, Takeover
from heartrule.server.problems import Problem
from heartrule.server.routes import events, sessions
from heartrule.server.routes.answers import problems
from heartrule.server.streams import Language
from heartrule.store.audit import AuditRecord

router = APIRouter(prefix="/desk", tags=["desk"])

Show = Literal["help", "escalated", "taken", "all"]
READ = problems(401, 403, 404)
DONE = problems(400, 401, 403, 404, 408, 409, 413, 415)


@router.get("/me", responses=problems(401, 403))
async def me(staff: OnDuty) -> desk_shapes.OnDuty:
    """Who the token says that asks."""
    return desk_shapes.OnDuty(id=staff.id, name=staff.name, role=staff.role, projects=list(staff.projects))


@router.get("/sessions", responses=problems(401, 403))
async def every(
    house: TheHouse, staff: OnDuty, show: Annotated[Show, Query(description="Which of the last 24 hours.")] = "help"
) -> desk_shapes.DeskList:
    """Sessions without their content. ``help``: somebody may be needed; ``escalated``: a script has called for
    somebody and nobody has acknowledged it; ``taken``: a human holds them; ``all`` that are open."""
    return desk_shapes.DeskList(sessions=await listed(house, staff, show))


@router.get("/sessions/{session}", responses=READ)
async def one(record: Attended, house: TheHouse, staff: OnDuty) -> desk_shapes.DeskSession:
    """A session as it stands. That it was looked at stands on record, as for its messages and events."""
    await counselling(house, staff).read(record.id)
    return await opened(house, staff, record)


@router.get("/sessions/{session}/messages", responses=READ)
async def messages(
    record: Attended,
    house: TheHouse,
    staff: OnDuty,
    after: sessions.Number = None,
    before: sessions.Number = None,
    limit: sessions.Many = 100,
) -> shapes.MessageList:
    """What was said, as for the person."""
    await counselling(house, staff).read(record.id)
    return await sessions.messages(record, house, after, before, limit)


@router.get("/sessions/{session}/events", response_class=StreamingResponse, responses={**events.STREAM, **READ})
async def follow(
    record: Attended,
    house: TheHouse,
    staff: OnDuty,
    language: Language,
    last_event_id: events.Number = None,
    last: Annotated[int | None, Query(alias="last_event_id", ge=0, le=2**53)] = None,
) -> StreamingResponse:
    """Live events, as for the person."""
    await counselling(house, staff).read(record.id)
    return await events.follow(record, house, language, last_event_id, last)


@router.post("/sessions/{session}/takeover", responses=DONE)
async def take_over(body: Takeover, record: Attended, house: TheHouse, staff: OnDuty) -> shapes.Turn:
    """Speak in the program's place from now on. What is being written ends where it is. 409 ``taken-over`` when a
    colleague does so already, unless they are relieved (``instead``)."""
    deed = counselling(house, staff).take_over(record.id, f"takeover {body.key}", body.instead or "")
    return rendering.turn(record.id, await house.desk.outcome(house.desk.work(deed)))


@router.post("/sessions/{session}/messages", responses=DONE)
async def speak(body: Said, record: Attended, house: TheHouse, staff: OnDuty) -> shapes.Turn:
    """Say something to the person, who is shown your name."""
    if len(body.text) > LONGEST_MESSAGE:
        raise Problem("too-long", limit=LONGEST_MESSAGE)
    house.limits.turn(record.id)
    deed = counselling(house, staff).speak(record.id, f"human {body.key}", body.text)
    return rendering.turn(record.id, await house.desk.outcome(house.desk.work(deed)))


@router.post("/sessions/{session}/typing", status_code=204, responses=READ)
async def typing(record: Attended, house: TheHouse, staff: OnDuty) -> None:
    """Something is being written. Whoever looks on is told, and nothing is kept of it."""
    if record.human is not None and record.human.id == staff.id:
        house.sessions.typing(record.id, staff.name)


@router.post("/sessions/{session}/hand-back", responses=DONE)
async def hand_back(body: HandBack, record: Attended, house: TheHouse, staff: OnDuty) -> shapes.Turn:
    """Let the program go on from where it was."""
    deed = counselling(house, staff).hand_back(record.id, f"hand_back {body.key}", closed=body.closed)
    return rendering.turn(record.id, await house.desk.outcome(house.desk.work(deed)))


@router.get("/escalations", responses=problems(401, 403))
async def escalations(
    house: TheHouse,
    staff: OnDuty,
    unacknowledged: bool = True,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> desk_shapes.EscalationList:
    """Calls for somebody, the newest first, without what they say."""
    calls = house.sessions.store.escalations
    found = await calls.attended(seen_by(staff), limit, unacknowledged=unacknowledged)
    return desk_shapes.EscalationList(escalations=[called(each) for each in found])


@router.post("/sessions/{session}/escalations/{escalation}/acknowledge", responses=DONE)
async def acknowledge(escalation: str, record: Attended, house: TheHouse, staff: OnDuty) -> desk_shapes.EscalationList:
    """Somebody has seen it. The first who says so stands on record; all calls of the session are given back."""
    store, now = house.sessions.store, house.sessions.clock.now()
    if await store.escalations.find(f"{record.id}/{escalation}") is None:
        raise Problem("not-found")
    await store.audit.note(AuditRecord(staff.id, staff.role, record.id, "ack", now))
    await store.escalations.acknowledge(f"{record.id}/{escalation}", staff.name, now)
    found = await store.escalations.of_session(record.id)
    return desk_shapes.EscalationList(escalations=[called(each) for each in found])
