"""Replies of the program that a person has reported: which, why, and what they had to say about it. A report goes with
the session, and with the words that it is about."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Row, bindparam, delete, insert, select

from heartrule.store import history, sessions
from heartrule.store.codec import decode_text, encode_text
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.records import MessageRecord, StoreError
from heartrule.store.schema import reports
from heartrule.store.sessions import SessionRow

Reason = Literal["not_heard", "hurtful", "wrong", "unsafe", "other"]

_insert = insert(reports)
_of_session = select(reports).where(reports.c.session == bindparam("session")).order_by(reports.c.message)
_one = _of_session.where(reports.c.message == bindparam("message"))
_forget = delete(reports).where(
    reports.c.session == bindparam("of_session"), reports.c.message == bindparam("of_message")
)


class NoSuchReply(StoreError):
    """There is no reply of the program's under this number, or its words have been taken back."""


@dataclass(frozen=True, slots=True)
class ReportRecord:
    """``message`` is the number of the reply."""

    session: str
    message: int
    turn: int
    reason: Reason
    at: datetime
    text: str | None = field(repr=False)


class Reports:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def add(
        self, session: str, message: int, reason: Reason, text: str | None, now: datetime
    ) -> tuple[ReportRecord, bool]:
        """The report of this reply, and whether it is new: the first stands. Raises ``Gone``, ``NoSuchReply``."""

        def work(tx: Tx) -> tuple[ReportRecord, bool]:
            held = sessions.hold(tx, session)
            reply = reply_of(tx, held, message)
            known = find(tx, held, message)
            if known is not None:
                return known, False
            row = {
                "session": session,
                "message": message,
                "turn": reply.turn,
                "reason": reason,
                "at": now,
                "text": held.box.seal(encode_text(text), _place(session, message)) if text else None,
            }
            tx.conn.execute(_insert, row)
            return ReportRecord(session, message, reply.turn, reason, now, text or None), True

        return await self._db.write(work)

    async def of_session(self, session: str) -> tuple[ReportRecord, ...]:
        """In the order of what they are about. ``Gone`` where there is no such session."""

        def work(tx: Tx) -> tuple[ReportRecord, ...]:
            held = sessions.view(tx, session)
            rows = tx.conn.execute(_of_session, {"session": session}).all()
            return tuple(_record(held.box, row) for row in rows)

        return await self._db.read(work)


def reply_of(tx: Tx, held: SessionRow, message: int) -> MessageRecord:
    """Raises ``NoSuchReply``."""
    found = history.messages_after(tx, held.box, held.row.id, message - 1, 1)
    if not found or found[0].number != message or not is_reply(found[0]):
        raise NoSuchReply("there is no such reply")
    return found[0]


def is_reply(message: MessageRecord) -> bool:
    """Whether the program said it, and its words are there."""
    return message.sender == "ai" and not message.metadata.get(history.RECALLED)


def find(tx: Tx, held: SessionRow, message: int) -> ReportRecord | None:
    row = tx.conn.execute(_one, {"session": held.row.id, "message": message}).one_or_none()
    return None if row is None else _record(held.box, row)


def forget(tx: Tx, held: SessionRow, message: int) -> None:
    """Of words that are taken back."""
    tx.conn.execute(_forget, {"of_session": held.row.id, "of_message": message})


def _record(box: Box, row: Row[Any]) -> ReportRecord:
    text = None if row.text is None else decode_text(box.open(row.text, _place(row.session, row.message)))
    return ReportRecord(row.session, row.message, row.turn, row.reason, row.at, text)


def _place(session: str, message: int) -> bytes:
    return place("reports", "text", session, message)
