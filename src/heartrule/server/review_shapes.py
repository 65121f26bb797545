"""What counsellors are answered with who judge replies."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from heartrule.server.shapes import Count, Message, ReportShape, Shape

Verdict = Literal["fitting", "unsuitable", "harmful"]
Category = Literal["not_heard", "hurtful", "wrong", "unsafe", "other"]


class Review(Shape):
    """What a counsellor said of a reply. ``by`` is their name."""

    verdict: Verdict
    category: Category | None
    note: str | None
    by: str
    at: datetime


class WaitingReply(Shape):
    """A reply that is to be judged, without a word of it. ``name`` is the script's; ``reason`` and ``reported_at`` are
    of one that the person reported."""

    session: str
    message: Count
    turn: Count
    project: str
    script: str
    name: str
    locale: str
    at: datetime
    cause: Literal["reported", "sampled"]
    reason: Category | None
    reported_at: datetime | None


class ReviewQueue(Shape):
    """Those that were reported first, as they came; then the sample, the latest first: the ``share`` (0 to 1) of
    all replies."""

    replies: list[WaitingReply]
    share: float


class OpenedReply(Shape):
    """A reply with what stands round it, oldest first; ``message`` is its ``seq``. Numbers and addresses by which
    somebody could be found are covered."""

    session: str
    message: Count
    locale: str
    name: str
    context: list[Message]
    report: ReportShape | None
    review: Review | None
