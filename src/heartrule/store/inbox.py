"""The inbox: everything that may change a session enters here, once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, func, insert, select, update

from heartrule.store.codec import decode, encode, encode_text
from heartrule.store.crypto import Box, place
from heartrule.store.database import Tx
from heartrule.store.records import Accepted, Entry, InboxEntry, KeyReused, SessionRecord
from heartrule.store.schema import inbox
from heartrule.store.sessions import Held, hold

_known = select(inbox.c.number, inbox.c.body_digest, inbox.c.turn).where(
    inbox.c.session == bindparam("session"), inbox.c.key_digest == bindparam("key_digest")
)
_of_key = select(inbox).where(inbox.c.session == bindparam("session"), inbox.c.key_digest == bindparam("key_digest"))
_last = select(func.max(inbox.c.number)).where(inbox.c.session == bindparam("session"))
_insert = insert(inbox)
_all = select(inbox).where(inbox.c.session == bindparam("session")).order_by(inbox.c.number)
_waiting = _all.where(inbox.c.turn.is_(None))
_joining = (
    select(inbox.c.number)
    .where(
        inbox.c.session == bindparam("session"),
        inbox.c.turn.is_(None),
        inbox.c.number > bindparam("seen"),
        inbox.c.kind == "message",
        inbox.c.after == bindparam("after"),
    )
    .limit(1)
)
_consume = (
    update(inbox)
    .where(
        inbox.c.session == bindparam("of_session"),
        inbox.c.number.in_(bindparam("numbers", expanding=True)),
        inbox.c.turn.is_(None),
    )
    .values(turn=bindparam("by_turn"))
    .returning(inbox.c.kind, inbox.c.received_at)
)
_count = select(func.count()).where(inbox.c.session == bindparam("session"), inbox.c.turn.is_(None))


Check = Callable[[SessionRecord], None]
"""Looks at a session that is about to take something new, and raises when it must not."""


def accept(tx: Tx, session: str, entry: Entry, received_at: datetime, check: Check | None = None) -> Accepted:
    return put(tx, hold(tx, session), entry, received_at, check)


def put(tx: Tx, held: Held, entry: Entry, received_at: datetime, check: Check | None = None) -> Accepted:
    session, box = held.row.id, held.box
    body = encode([entry.key, entry.kind, entry.text, entry.choice, entry.after])
    key_digest, body_digest = box.digest(encode_text(entry.key)), box.digest(body)
    known = tx.conn.execute(_known, {"session": session, "key_digest": key_digest}).one_or_none()
    if known is not None:
        if bytes(known.body_digest) != body_digest:
            raise KeyReused("this idempotency key was used for another input")
        return Accepted(known.number, True, known.turn)
    if check is not None:
        check(held.record)
    number = (tx.conn.execute(_last, {"session": session}).scalar() or 0) + 1
    tx.conn.execute(
        _insert,
        {
            "session": session,
            "number": number,
            "key_digest": key_digest,
            "body_digest": body_digest,
            "kind": entry.kind,
            "after": entry.after,
            "received_at": received_at,
            "turn": None,
            "body": box.seal(body, place("inbox", "body", session, number)),
        },
    )
    return Accepted(number, False, None)


def waiting(tx: Tx, box: Box, session: str) -> tuple[InboxEntry, ...]:
    return tuple(_entry(box, row) for row in tx.conn.execute(_waiting, {"session": session}))


def entries(tx: Tx, box: Box, session: str) -> tuple[InboxEntry, ...]:
    return tuple(_entry(box, row) for row in tx.conn.execute(_all, {"session": session}))


def find(tx: Tx, box: Box, session: str, key: str) -> InboxEntry | None:
    values = {"session": session, "key_digest": box.digest(encode_text(key))}
    row = tx.conn.execute(_of_key, values).one_or_none()
    return None if row is None else _entry(box, row)


def _entry(box: Box, row: Row[Any]) -> InboxEntry:
    key, kind, text, choice, after = decode(box.open(row.body, place("inbox", "body", row.session, row.number)))
    return InboxEntry(row.number, Entry(key, kind, text, choice, after), row.received_at, row.turn)


def joined(tx: Tx, session: str, seen: int, after: int) -> bool:
    """Whether words wait that belong to the same answer and were not seen."""
    return tx.conn.execute(_joining, {"session": session, "seen": seen, "after": after}).scalar() is not None


def consume(tx: Tx, session: str, numbers: Sequence[int], turn: int) -> list[tuple[str, datetime]]:
    """Kind and time of the entries that were still waiting and are the turn's from now on."""
    if not numbers:
        return []
    values = {"of_session": session, "numbers": list(numbers), "by_turn": turn}
    return [(row.kind, row.received_at) for row in tx.conn.execute(_consume, values)]


def count(tx: Tx, session: str) -> int:
    return tx.conn.execute(_count, {"session": session}).scalar_one()
