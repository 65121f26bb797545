"""Replies as those see them who judge them: which wait, and one of them with what stands round it."""

from __future__ import annotations

from heartrule.identity.principal import Principal
from heartrule.server import rendering, review_shapes
from heartrule.server.board import projects_of
from heartrule.server.context import AppContext
from heartrule.server.masking import veiled
from heartrule.server.problems import Problem
from heartrule.server.review_shapes import OpenedReply, Review, ReviewQueue, WaitingReply
from heartrule.server.routes.reports import shape
from heartrule.server.shapes import Message
from heartrule.sessions.session_status import RETURN
from heartrule.store.audit import AuditRecord, Deed
from heartrule.store.records import Gone, SessionRecord
from heartrule.store.reports import NoSuchReply
from heartrule.store.reviews import ReplyReview, ReviewRecord

BEFORE, BEHIND = 6, 2
"""Messages that are shown round a reply."""
LOOKED_BACK = 30 * RETURN
"""How long ago something happened at most in sessions that a sample is drawn from."""


async def queue(context: AppContext, staff: Principal, limit: int) -> ReviewQueue:
    sessions, share = context.sessions, context.settings.review_share
    projects = projects_of(staff)
    since = sessions.clock.now() - LOOKED_BACK
    names = {script.id: script.name for script in sessions.scripts()}
    found = await sessions.store.reviews.waiting(share, since, projects, limit)
    return ReviewQueue(
        replies=[
            WaitingReply(
                session=each.session,
                message=each.message,
                turn=each.turn,
                project=each.project,
                script=each.script,
                name=names.get(each.script, each.script),
                locale=each.locale,
                at=each.at,
                cause=each.cause,
                reason=each.reason,
                reported_at=each.reported_at,
            )
            for each in found
        ],
        share=share,
    )


async def opened(context: AppContext, staff: Principal, record: SessionRecord, message: int) -> OpenedReply:
    """Put on record as any reading is."""
    names = {script.id: script.name for script in context.sessions.scripts()}
    reviews = context.sessions.store.reviews
    try:
        found = await reviews.open(record.id, message, BEFORE, BEHIND, _on_record(context, staff, record, "read"))
    except Gone:
        raise Problem("not-found") from None
    except NoSuchReply:
        raise Problem("no-such-reply") from None
    return OpenedReply(
        session=record.id,
        message=message,
        locale=record.locale,
        name=names.get(record.script, record.script),
        context=[_covered(rendering.message(each)) for each in found.context],
        report=shape(found.report) if found.report else None,
        review=_review(found.review) if found.review else None,
    )


async def judge(
    context: AppContext, staff: Principal, record: SessionRecord, message: int, judged: ReplyReview
) -> review_shapes.Review:
    on_record = _on_record(context, staff, record, "review")
    try:
        return _review(await context.sessions.store.reviews.judge(message, judged, staff.name, on_record))
    except Gone:
        raise Problem("not-found") from None
    except NoSuchReply:
        raise Problem("no-such-reply") from None


def _on_record(context: AppContext, staff: Principal, record: SessionRecord, what: Deed) -> AuditRecord:
    return AuditRecord(staff.id, staff.role, record.id, what, context.sessions.clock.now())


def _covered(message: Message) -> Message:
    """Media are what the script shows, and stay out."""
    return message.model_copy(update={"content": veiled(message.content), "media": []})


def _review(record: ReviewRecord) -> Review:
    return Review(verdict=record.verdict, category=record.category, note=record.note, by=record.name, at=record.at)
