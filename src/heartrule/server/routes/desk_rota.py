"""Who comes next: when counsellors mean to be there. It informs; who is on duty says so themselves."""

from __future__ import annotations

import secrets
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Path

from heartrule.identity.principal import Principal
from heartrule.identity.rights import Resource, may
from heartrule.server import bodies
from heartrule.server import desk_shapes as shapes
from heartrule.server.access import TheContext
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.staff_access import Looks, RotaChanger
from heartrule.store.rota import PlannedHours

router = APIRouter(prefix="/desk", tags=["desk"])
Id = Annotated[str, Path(max_length=64, pattern=r"^[0-9a-f]+$")]
MOST = 40
"""Planned hours of one counsellor."""
DAY = timedelta(days=1)


@router.get("/rota", responses=problems(401, 403))
async def rota(context: TheContext, staff: Looks) -> shapes.RotaShape:
    """Of all counsellors, with when each comes next."""
    now = context.sessions.clock.now()
    found = [(each, coming(each, now)) for each in await context.sessions.store.rota.all()]
    hours = [_shape(each, when, staff) for each, when in found if when is not None]
    return shapes.RotaShape(hours=sorted(hours, key=lambda each: (each.since, each.until, each.id)))


@router.post("/rota", status_code=201, responses=problems(400, 401, 403, 409, 413, 415))
async def plan(body: bodies.HoursBody, context: TheContext, staff: RotaChanger) -> shapes.HoursShape:
    """Hours of your own. Those that are over make way."""
    store, now = context.sessions.store.rota, context.sessions.clock.now()
    days = tuple(sorted(set(body.days)))
    once = body.date or ""
    made = PlannedHours(secrets.token_hex(8), staff.id, staff.name, days, once, body.start, body.end, body.zone)
    own = [each for each in await store.all() if each.who == staff.id]
    over = [each for each in own if coming(each, now) is None]
    for each in over:
        await store.remove(each.id)
    when = coming(made, now)
    if len(own) - len(over) >= MOST:
        raise Problem("full")
    if when is None:
        raise Problem("invalid-request", what="date")
    await store.add(made)
    return _shape(made, when, staff)


@router.delete("/rota/{hours}", status_code=204, responses=problems(401, 403, 404))
async def drop(hours: Id, context: TheContext, staff: RotaChanger) -> None:
    """Some of your own."""
    known = await context.sessions.store.rota.find(hours)
    if known is None:
        raise Problem("not-found")
    if not may(staff, "rota.change", Resource(owner=known.who)):
        raise Problem("not-allowed")
    await context.sessions.store.rota.remove(hours)


def coming(hours: PlannedHours, now: datetime) -> tuple[datetime, datetime] | None:
    """From when to when it is that they are there, now or next; None: not any more."""
    zone = ZoneInfo(hours.zone)
    if hours.date:
        when = _on(date.fromisoformat(hours.date), hours, zone)
        return when if when[1] > now else None
    today = now.astimezone(zone).date()
    week = (today + DAY * ahead for ahead in range(-1, 8))
    times = (_on(each, hours, zone) for each in week if each.weekday() in hours.days)
    return next((when for when in times if when[1] > now), None)


def _on(day: date, hours: PlannedHours, zone: ZoneInfo) -> tuple[datetime, datetime]:
    start, end = time.fromisoformat(hours.start), time.fromisoformat(hours.end)
    last = day if end > start else day + DAY
    whole = (datetime.combine(day, start, zone), datetime.combine(last, end, zone))
    return whole[0].astimezone(UTC), whole[1].astimezone(UTC)


def _shape(hours: PlannedHours, when: tuple[datetime, datetime], staff: Principal) -> shapes.HoursShape:
    return shapes.HoursShape(
        id=hours.id,
        who=shapes.AssignedTo(id=hours.who, name=hours.name, me=hours.who == staff.id),
        days=list(hours.days),
        date=hours.date or None,
        start=hours.start,
        end=hours.end,
        zone=hours.zone,
        since=when[0],
        until=when[1],
    )
