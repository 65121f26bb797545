"""Who of the staff did what with which session, and when. Without a word of what was said; never changed, never
deleted, and still there when the person has been erased."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import bindparam, insert, select

from heartrule.store import inbox
from heartrule.store.database import Database, Tx
from heartrule.store.records import Accepted, Entry
from heartrule.store.schema import audit

Deed = Literal["read", "takeover", "write", "hand_back", "cleared", "ack", "review", "form"]
"""``cleared``: handed back with the word that the danger is over. ``review``: judged a reply. ``form``: handed a
counsellor's form in."""

_insert = insert(audit)
_newest = select(audit).order_by(audit.c.id.desc()).limit(bindparam("limit"))
_of_session = _newest.where(audit.c.session == bindparam("session"))


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """``who`` is an id of the operator's staff."""

    who: str
    role: str
    session: str
    what: Deed
    at: datetime


class Audit:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def note(self, record: AuditRecord) -> None:
        """To be called before what it speaks of is done."""
        await self._db.write(add, record)

    async def accept(self, entry: Entry, record: AuditRecord, check: inbox.Check | None = None) -> Accepted:
        """Take a counsellor's input into the inbox of the session and put it on record, both or neither; one that came
        before is not put down twice. Raises as ``Store.accept`` does."""

        def work(tx: Tx) -> Accepted:
            accepted = inbox.accept(tx, record.session, entry, record.at, check)
            if not accepted.repeated:
                add(tx, record)
            return accepted

        return await self._db.write(work)

    async def newest(self, limit: int = 100, session: str | None = None) -> tuple[AuditRecord, ...]:
        """The newest first: all, or those of one session."""

        def work(tx: Tx) -> tuple[AuditRecord, ...]:
            statement = _newest if session is None else _of_session
            rows = tx.conn.execute(statement, {"limit": limit, "session": session})
            return tuple(AuditRecord(row.who, row.role, row.session, row.what, row.at) for row in rows)

        return await self._db.read(work)


def add(tx: Tx, record: AuditRecord) -> None:
    """In the transaction of what it speaks of."""
    values = {
        "who": record.who,
        "role": record.role,
        "session": record.session,
        "what": record.what,
        "at": record.at,
    }
    tx.conn.execute(_insert, values)
