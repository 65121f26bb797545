"""Who of the staff did what with which session, and when. Without a word of what was said; never changed, never
deleted, and still there when the person has been erased. Sealed with the key of the store: whom somebody looked after
would tell who is in danger."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Row, bindparam, insert, select

from heartrule.store import inbox
from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.records import Accepted, Entry
from heartrule.store.schema import audit

Deed = Literal[
    "read",
    "takeover",
    "write",
    "hand_back",
    "cleared",
    "vanished",
    "ended",
    "ack",
    "review",
    "form",
    "note",
    "assign",
    "hand_over",
    "correct",
    "search",
    "sign_in",
    "password",
    "codes",
    "passkey",
    "account",
    "link",
    "service",
]
"""``cleared``: handed back with the word that the danger is over. ``vanished``: given back since they gave no sign of
life. ``ended``: handed back and ended, in their own words. ``review``: judged a reply. ``form``: handed a counsellor's
form in. ``correct``: set right what was taken from a person's words. From ``sign_in`` on: of accounts, and of no
session. ``service``: made or called back a program's token."""

CONTENT_BYTES = 256

_insert = insert(audit)
_newest = select(audit).order_by(audit.c.id.desc()).limit(bindparam("limit"))
_of_session = _newest.where(audit.c.session_digest == bindparam("session"))


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """``who`` is an id of the operator's staff. ``session``: empty where it is about none. ``detail``: a word that is
    fixed, an id, or a name of somebody on the staff; never what was said."""

    who: str
    role: str
    session: str
    what: Deed
    at: datetime
    detail: str = ""


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
            index = tx.keys.index()
            digest = None if session is None else _digest(index, session)
            rows = tx.conn.execute(statement, {"limit": limit, "session": digest})
            return tuple(_record(index, row) for row in rows)

        return await self._db.read(work)


def add(tx: Tx, record: AuditRecord) -> None:
    """In the transaction of what it speaks of."""
    index = tx.keys.index()
    digest = _digest(index, record.session)
    content = [record.who, record.role, record.session, record.what, record.at.isoformat(), record.detail]
    sealed = index.seal(encode(content), _place(digest), CONTENT_BYTES)
    tx.conn.execute(_insert, {"session_digest": digest, "content": sealed})


def _digest(index: Box, session: str) -> bytes:
    return index.digest(place("audit", "session", session))


def _place(digest: bytes) -> bytes:
    return place("audit", "content", digest.hex())


def _record(index: Box, row: Row[Any]) -> AuditRecord:
    who, role, session, what, at, detail = decode(index.open(row.content, _place(bytes(row.session_digest))))
    return AuditRecord(who, role, session, what, datetime.fromisoformat(at), detail)
