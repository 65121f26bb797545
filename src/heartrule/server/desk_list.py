"""A session as a counsellor sees it who has opened it."""

from __future__ import annotations

from typing import Literal

from heartrule.identity.principal import Principal
from heartrule.server.board import holder
from heartrule.server.context import AppContext
from heartrule.server.desk_shapes import DeskSession, Escalation, OpenedEscalation
from heartrule.server.problems import Problem
from heartrule.server.session_creation import shown
from heartrule.sessions.counsellor_actions import Counsellor, CounsellorActions
from heartrule.store.escalations import EscalationRecord
from heartrule.store.records import SessionRecord


def counselling(context: AppContext, staff: Principal) -> CounsellorActions:
    return CounsellorActions(context.sessions, Counsellor(staff.id, staff.name, staff.role))


async def _suggested(context: AppContext, record: SessionRecord) -> Literal["on", "wait"]:
    """What is best done on handing it back: who was in danger is not asked the next question at once."""
    if (await shown(context, record)).in_crisis:
        return "wait"
    calls = await context.sessions.store.escalations.of_session(record.id)
    return "wait" if any(each.level == "P0" for each in calls) else "on"


async def opened(context: AppContext, staff: Principal, record: SessionRecord) -> DeskSession:
    """With what the scripts had to say when they called for somebody."""
    whole = await shown(context, record)
    escalations = context.sessions.store.escalations
    calls = await escalations.of_session(record.id)
    item = await context.board.one(record.id, staff)
    if item is None:
        raise Problem("not-found")
    return DeskSession(
        **{name: getattr(whole, name) for name in type(whole).model_fields},
        project=record.project,
        holder=holder(record.human, staff),
        crisis=whole.in_crisis,
        next=await _suggested(context, record),
        item=item,
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
