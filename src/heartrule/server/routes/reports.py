"""Replies that a person says do not fit."""

from __future__ import annotations

from fastapi import APIRouter, Response

from heartrule.server.access import Held, TheContext
from heartrule.server.bodies import ReplyReport
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.shapes import ReportList, ReportShape
from heartrule.store.records import Gone
from heartrule.store.reports import NoSuchReply, ReportRecord

router = APIRouter(prefix="/sessions/{session}/reports", tags=["reports"])


@router.post(
    "",
    status_code=201,
    responses={
        200: {"model": ReportShape, "description": "It had been reported; that stands."},
        **problems(400, 401, 404, 408, 409, 413, 415),
    },
)
async def report(body: ReplyReport, record: Held, context: TheContext, response: Response) -> ReportShape:
    """Say that a reply of the program does not fit, and why. A counsellor looks at it; the session goes on as it was,
    and one that is over can be reported too. Sent twice, the first stands. It goes with the session, and with the reply
    when that is taken back."""
    store, now = context.sessions.store, context.sessions.clock.now()
    try:
        found, new = await store.reports.add(record.id, body.message, body.reason, body.text, now)
    except Gone:
        raise Problem("not-found") from None
    except NoSuchReply:
        raise Problem("no-such-reply") from None
    response.status_code = 201 if new else 200
    return shape(found, new=new)


@router.get("", responses=problems(401, 404))
async def reports(record: Held, context: TheContext) -> ReportList:
    """What the person has reported in this session."""
    return ReportList(reports=[shape(each) for each in await context.sessions.store.reports.of_session(record.id)])


def shape(record: ReportRecord, *, new: bool = False) -> ReportShape:
    return ReportShape(message=record.message, reason=record.reason, text=record.text, at=record.at, new=new)
