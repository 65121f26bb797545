"""The desk's review of replies: those that persons reported, then a sample."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from heartrule.server import reply_reviews
from heartrule.server.access import TheContext
from heartrule.server.bodies import ReplyVerdict
from heartrule.server.review_shapes import OpenedReply, Review, ReviewQueue
from heartrule.server.routes.answers import problems
from heartrule.server.staff_access import Judge, Queue, ReplyJudged, ReplyRead, ReplyReader
from heartrule.store import reviews

router = APIRouter(prefix="/desk", tags=["desk"])

Number = Annotated[int, Path(ge=1, le=2**53)]
ONE = "/sessions/{session}/reviews/{message}"


@router.get("/reviews", responses=problems(401, 403))
async def waiting(context: TheContext, staff: Queue, limit: Annotated[int, Query(ge=1, le=500)] = 100) -> ReviewQueue:
    """Replies that nobody has judged yet, without a word of them."""
    return await reply_reviews.queue(context, staff, limit)


@router.get(ONE, responses=problems(401, 403, 404, 409))
async def one(message: Number, record: ReplyRead, context: TheContext, staff: ReplyReader) -> OpenedReply:
    """A reply with what stands round it. That it was looked at stands on record."""
    return await reply_reviews.opened(context, staff, record, message)


@router.put(ONE, responses=problems(400, 401, 403, 404, 408, 409, 413, 415))
async def judge(message: Number, body: ReplyVerdict, record: ReplyJudged, context: TheContext, staff: Judge) -> Review:
    """Say whether a reply fits. What was said of it before is replaced; that both were said stands on record."""
    judged = reviews.ReplyReview(body.verdict, body.category, body.note)
    return await reply_reviews.judge(context, staff, record, message, judged)
