"""Sessions as the desk shows them: which of them wait for somebody, and why."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from heartrule.server import desk_shapes
from heartrule.server.desk_shapes import DeskItem, DeskSession, Escalation, Holder, OpenedEscalation, Reason
from heartrule.server.house import House
from heartrule.server.receiving import shown
from heartrule.server.tokens import EVERY, Staff
from heartrule.sessions.counselling import Counselling, Counsellor
from heartrule.sessions.life import RETURN, life_of
from heartrule.store.escalations import EscalationRecord
from heartrule.store.records import HumanRecord, SessionRecord
from heartrule.store.watchlist import Watched, Which

Show = Which | Literal["escalated"]
LATEST = 500
"""Escalations that are looked at; older ones that nobody has acknowledged are in ``heartrule escalations``."""


def counselling(house: House, staff: Staff) -> Counselling:
    return Counselling(house.sessions, Counsellor(staff.id, staff.name, staff.role))


def seen_by(staff: Staff) -> tuple[str, ...] | None:
    """The projects whose sessions they may see; None for all."""
    return None if EVERY in staff.projects else staff.projects


async def listed(house: House, staff: Staff, show: Show) -> list[DeskItem]:
    """``escalated``: those with an escalation that nobody has acknowledged; the rest as ``Which``."""
    sessions = house.sessions
    projects = seen_by(staff)
    waiting = await sessions.store.escalations.attended(projects, LATEST)
    calls: dict[str, list[EscalationRecord]] = {}
    for each in waiting:
        calls.setdefault(each.session, []).append(each)
    which: Which = "help" if show == "escalated" else show
    now = sessions.clock.now()
    found = await sessions.store.watchlist.sessions(which, now - RETURN, calls, projects)
    names = {script.id: script.name for script in sessions.scripts()}
    items = [
        _item(one, names.get(one.script, one.script), calls.get(one.id, ()), staff, now)
        for one in found
        if show != "escalated" or one.id in calls
    ]
    return sorted(items, key=_first)


def _first(item: DeskItem) -> tuple[int, float]:
    """Who waits for somebody comes first, the longest first; then who is being talked with; then the latest others."""
    if item.reasons and item.holder is None:
        return 0, item.since.timestamp() if item.since else 0.0
    return (1 if item.holder else 2), -item.last_active_at.timestamp()


def _item(
    one: Watched, name: str, calls: Sequence[EscalationRecord], staff: Staff, now: datetime
) -> desk_shapes.DeskItem:
    told: list[tuple[Reason, datetime]] = [("escalated", each.at) for each in calls[-1:]]
    told += [("crisis", one.crisis_since)] if one.crisis_since else []
    told += [("taken_over", one.human.since)] if one.human else []
    return DeskItem(
        id=one.id,
        project=one.project,
        script=one.script,
        name=name,
        locale=one.locale,
        status=life_of(one, now),
        created_at=one.created_at,
        last_active_at=one.last_active_at,
        turn=one.seq,
        reasons=[reason for reason, _ in told],
        since=min((at for _, at in told), default=None),
        holder=holder(one.human, staff),
        escalations=len(calls),
    )


def holder(human: HumanRecord | None, staff: Staff) -> Holder | None:
    return None if human is None else Holder(id=human.id, name=human.name, since=human.since, me=human.id == staff.id)


async def opened(house: House, staff: Staff, record: SessionRecord) -> DeskSession:
    """With what the scripts had to say when they called for somebody."""
    whole = await shown(house, record)
    escalations = house.sessions.store.escalations
    calls = await escalations.of_session(record.id)
    return DeskSession(
        **{name: getattr(whole, name) for name in type(whole).model_fields},
        project=record.project,
        holder=holder(record.human, staff),
        crisis=whole.in_crisis,
        escalations=[
            OpenedEscalation(**escalation(each).model_dump(), note=await escalations.note(each.id)) for each in calls
        ],
    )


def escalation(record: EscalationRecord) -> Escalation:
    return Escalation(
        session=record.session,
        id=record.id.removeprefix(f"{record.session}/"),
        to=record.to,
        cause=record.cause,
        level=record.level,
        status=record.status,
        at=record.at,
        acknowledged_by=record.acknowledged_by,
        acknowledged_at=record.acknowledged_at,
    )
