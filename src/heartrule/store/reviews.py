"""Replies of the program that counsellors judge: those that a person has reported first, then a sample, and what was
said of them. Which replies wait is told without opening anything; a review goes with the session."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Row, Select, and_, bindparam, delete, or_, select

from heartrule.store import audit, history, reports, sessions
from heartrule.store.audit import AuditRecord
from heartrule.store.codec import decode_text, encode_text
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import upsert
from heartrule.store.records import MessageRecord
from heartrule.store.reports import Reason, ReportRecord
from heartrule.store.schema import messages, persons
from heartrule.store.schema import reports as reports_table
from heartrule.store.schema import reviews as table
from heartrule.store.schema import sessions as sessions_table
from heartrule.store.sessions import SessionRow

Verdict = Literal["fitting", "unsuitable", "harmful"]
Cause = Literal["reported", "sampled"]
SESSIONS = 300
"""Sessions, the latest, that a sample is drawn from."""

_of_persons_left = (sessions_table.c.person == persons.c.id) & persons.c.erasing.is_(False)
_where = (
    sessions_table.c.id.label("session"),
    sessions_table.c.project,
    sessions_table.c.script,
    sessions_table.c.locale,
    messages.c.number.label("message"),
    messages.c.turn,
    messages.c.at,
)
_of_reply = and_(table.c.session == messages.c.session, table.c.message == messages.c.number)
_report_of_reply = and_(reports_table.c.session == messages.c.session, reports_table.c.message == messages.c.number)
_reported = (
    select(*_where, reports_table.c.reason, reports_table.c.at.label("reported_at"))
    .select_from(reports_table)
    .join(messages, _report_of_reply)
    .join(sessions_table, sessions_table.c.id == reports_table.c.session)
    .join(persons, _of_persons_left)
    .outerjoin(table, _of_reply)
    .where(or_(table.c.at.is_(None), table.c.at < reports_table.c.at), sessions_table.c.trial.is_(None))
    .order_by(reports_table.c.at, reports_table.c.session, reports_table.c.message)
    .limit(bindparam("limit"))
)
_latest = (
    select(*(column for column in sessions_table.c if column.name in ("id", "project", "script", "locale")))
    .join(persons, _of_persons_left)
    .where(sessions_table.c.last_active_at > bindparam("since"), sessions_table.c.trial.is_(None))
    .order_by(sessions_table.c.last_active_at.desc(), sessions_table.c.id)
    .limit(SESSIONS)
)
_of_projects = sessions_table.c.project.in_(bindparam("projects", expanding=True))
_one = select(table).where(table.c.session == bindparam("session"), table.c.message == bindparam("message"))
_forget = delete(table).where(table.c.session == bindparam("of_session"), table.c.message == bindparam("of_message"))


@dataclass(frozen=True, slots=True)
class WaitingReply:
    """A reply that is to be judged, without a word of it. ``reason`` and ``reported_at`` of one that was reported."""

    session: str
    project: str
    script: str
    locale: str
    message: int
    turn: int
    at: datetime
    cause: Cause
    reason: Reason | None = None
    reported_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReviewRecord:
    """What a counsellor said of a reply; the last word counts. ``who`` is an id of the staff, ``name`` theirs."""

    session: str
    message: int
    turn: int
    cause: Cause
    verdict: Verdict
    category: Reason | None
    who: str
    name: str = field(repr=False)
    at: datetime
    note: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class ReplyReview:
    """What a counsellor says of a reply."""

    verdict: Verdict
    category: Reason | None
    note: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class OpenedReply:
    """A reply with what stands round it, oldest first, and what was said of it."""

    reply: MessageRecord = field(repr=False)
    context: tuple[MessageRecord, ...] = field(repr=False)
    report: ReportRecord | None = field(repr=False)
    review: ReviewRecord | None = field(repr=False)


class Reviews:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def waiting(
        self, share: float, since: datetime, projects: Collection[str] | None, limit: int = 100
    ) -> tuple[WaitingReply, ...]:
        """Those that were reported, in the order in which they were, then ``share`` (0 to 1) of all others that were
        said in sessions where something happened after ``since``, the latest first. ``projects``: only of these."""
        given: dict[str, Any] = {"limit": limit, "since": since, "projects": list(projects or ())}

        def work(tx: Tx) -> tuple[WaitingReply, ...]:
            reported = _reported if projects is None else _reported.where(_of_projects)
            found = [WaitingReply(cause="reported", **row._asdict()) for row in tx.conn.execute(reported, given)]
            if share > 0:
                rows = tx.conn.execute(_unjudged(projects is not None), given)
                found += [WaitingReply(cause="sampled", **row._asdict()) for row in rows if is_drawn(row, share)]
            return tuple(found[:limit])

        return await self._db.read(work)

    async def open(self, session: str, message: int, before: int, behind: int, record: AuditRecord) -> OpenedReply:
        """Put on record that it is looked at, and show it with so many messages before and behind it. Raises ``Gone``,
        ``NoSuchReply``."""

        def work(tx: Tx) -> OpenedReply:
            held = sessions.view(tx, session)
            reply = reports.reply_of(tx, held, message)
            audit.add(tx, record)
            earlier = history.newest_messages(tx, held.box, session, before, message)
            later = history.messages_after(tx, held.box, session, message, behind)
            return OpenedReply(
                reply, (*earlier, reply, *later), reports.find(tx, held, message), _find(tx, held, message)
            )

        return await self._db.write(work)

    async def judge(self, message: int, judged: ReplyReview, name: str, record: AuditRecord) -> ReviewRecord:
        """Keep what is said of a reply in place of what was said before, and put it on record, both or neither. Raises
        ``Gone``, ``NoSuchReply``."""

        def work(tx: Tx) -> ReviewRecord:
            session = record.session
            held = sessions.hold(tx, session)
            reply = reports.reply_of(tx, held, message)
            where = _place(session, message)
            row = {
                "session": session,
                "message": message,
                "turn": reply.turn,
                "cause": "sampled" if reports.find(tx, held, message) is None else "reported",
                "verdict": judged.verdict,
                "category": judged.category,
                "who": record.who,
                "name": name,
                "at": record.at,
                "note": held.box.seal(encode_text(judged.note), where) if judged.note else None,
            }
            columns = ("cause", "verdict", "category", "who", "name", "at", "note")
            tx.conn.execute(upsert(tx.conn, table, columns), row)
            audit.add(tx, record)
            found = _find(tx, held, message)
            assert found is not None
            return found

        return await self._db.write(work)


def is_drawn(row: Row[Any], share: float) -> bool:
    """Whether a reply is in a sample of ``share``: the same for everybody and at any time, and a larger sample holds
    all of a smaller one."""
    digest = hashlib.sha256(f"{row.session}.{row.message}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64


def _unjudged(some: bool) -> Select[Any]:
    """Replies that nobody has reported or judged. Words that were taken back are withheld."""
    latest = (_latest.where(_of_projects) if some else _latest).subquery()
    return (
        select(
            latest.c.id.label("session"),
            latest.c.project,
            latest.c.script,
            latest.c.locale,
            messages.c.number.label("message"),
            messages.c.turn,
            messages.c.at,
        )
        .join(messages, messages.c.session == latest.c.id)
        .outerjoin(table, _of_reply)
        .outerjoin(reports_table, _report_of_reply)
        .where(
            messages.c.reply.is_(True),
            table.c.session.is_(None),
            reports_table.c.session.is_(None),
        )
        .order_by(messages.c.at.desc(), messages.c.session, messages.c.number.desc())
    )


def forget(tx: Tx, held: SessionRow, message: int) -> None:
    """Of words that are taken back."""
    tx.conn.execute(_forget, {"of_session": held.row.id, "of_message": message})


def _find(tx: Tx, held: SessionRow, message: int) -> ReviewRecord | None:
    row = tx.conn.execute(_one, {"session": held.row.id, "message": message}).one_or_none()
    return None if row is None else _record(held.box, row)


def _record(box: Box, row: Row[Any]) -> ReviewRecord:
    values = row._asdict()
    sealed = values.pop("note")
    note = None if sealed is None else decode_text(box.open(sealed, _place(row.session, row.message)))
    return ReviewRecord(**values, note=note)


def _place(session: str, message: int) -> bytes:
    return place("reviews", "note", session, message)
