"""The inbox: everything that may change a session enters here, once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Row, bindparam, func, insert, select, update

from heartrule.store.codec import decode, encode, encode_text
from heartrule.store.crypto import Box, place
from heartrule.store.database import Tx
from heartrule.store.records import Accepted, Entry, Full, InboxEntry, KeyReused, SessionRecord
from heartrule.store.schema import inbox, leases, sessions
from heartrule.store.sessions import SessionRow, hold

_known = select(inbox.c.number, inbox.c.body_digest, inbox.c.turn).where(
    inbox.c.session == bindparam("session"), inbox.c.key_digest == bindparam("key_digest")
)
_ends = select(
    select(func.max(inbox.c.number)).where(inbox.c.session == bindparam("session")).scalar_subquery().label("last"),
    select(func.min(inbox.c.number))
    .where(inbox.c.session == bindparam("session"), inbox.c.turn.is_(None))
    .scalar_subquery()
    .label("waiting"),
)
_of_key = select(inbox).where(inbox.c.session == bindparam("session"), inbox.c.key_digest == bindparam("key_digest"))
_insert = insert(inbox)
SHORT, DRAFT, OF_A_SESSION, OF_A_PERSON = 2_000, 12 << 10, 16 << 20, 64 << 20
"""Bytes: of an input that is always taken, of the turn that a draft of a form comes to, of all inputs of a session as
they are kept, and of all sessions of a person."""
_more = (
    update(leases).where(leases.c.session == bindparam("of_session")).values(bytes=leases.c.bytes + bindparam("size"))
)
_of_person = (
    select(func.sum(leases.c.bytes))
    .join_from(sessions, leases, leases.c.session == sessions.c.id)
    .where(sessions.c.person == bindparam("person"))
)
_all = select(inbox).where(inbox.c.session == bindparam("session")).order_by(inbox.c.number)
_waiting = _all.where(inbox.c.turn.is_(None))
_of_turn = _all.where(inbox.c.turn == bindparam("turn"))
_consume = (
    update(inbox)
    .where(inbox.c.session == bindparam("of_session"), inbox.c.number.in_(bindparam("numbers", expanding=True)))
    .values(turn=bindparam("by_turn"))
)


class Head(NamedTuple):
    """An entry without what was said."""

    number: int
    kind: str
    after: int | None
    received_at: datetime


Check = Callable[[SessionRecord], None]
"""Looks at a session that is about to take something new, and raises when it must not."""


def accept(tx: Tx, session: str, entry: Entry, received_at: datetime, check: Check | None = None) -> Accepted:
    return put(tx, hold(tx, session), entry, received_at, check)[0]


def put(
    tx: Tx, held: SessionRow, entry: Entry, received_at: datetime, check: Check | None = None
) -> tuple[Accepted, tuple[InboxEntry, ...] | None]:
    """Also everything that waits, when that is known already: this entry alone."""
    session, box = held.row.id, held.box
    body = encode(_body(entry))
    key_digest, body_digest = box.digest(encode_text(entry.key)), box.digest(body)
    known = tx.conn.execute(_known, {"session": session, "key_digest": key_digest}).one_or_none()
    if known is not None:
        if bytes(known.body_digest) != body_digest:
            raise KeyReused("this idempotency key was used for another input")
        return Accepted(known.number, True, known.turn), None
    if check is not None:
        check(held.record)
    ends = tx.conn.execute(_ends, {"session": session}).one()
    number = (ends.last or 0) + 1
    sealed = box.seal(body, place("inbox", "body", session, number))
    _weigh(tx, held, weight(entry.kind, len(sealed)), short=entry.kind != "form_draft" and len(body) <= SHORT)
    tx.conn.execute(
        _insert,
        {
            "session": session,
            "number": number,
            "key_digest": key_digest,
            "body_digest": body_digest,
            "received_at": received_at,
            "turn": None,
            "body": sealed,
        },
    )
    alone = (InboxEntry(number, entry, received_at.astimezone(UTC), None),) if ends.waiting is None else None
    return Accepted(number, False, None), alone


def weight(kind: str, size: int) -> int:
    """Bytes that count, of an input that takes ``size`` as it is kept: sealed, and padded. The sum stands in clear, and
    what was said, counted to the byte, would tell a yes from a no. A draft counts with all that is kept of its turn."""
    return size + DRAFT if kind == "form_draft" else size


def _weigh(tx: Tx, held: SessionRow, size: int, *, short: bool) -> None:
    """Raises ``Full``. Short words are always taken: whoever is in danger is heard. A draft is no word."""
    if not short:
        of_person = tx.conn.execute(_of_person, {"person": held.row.person}).scalar() or 0
        if held.row.bytes + size > OF_A_SESSION or of_person + size > OF_A_PERSON:
            raise Full("too much has come in")
    tx.conn.execute(_more, {"of_session": held.row.id, "size": size})


def _body(entry: Entry) -> list[Any]:
    """What is digested and kept. Only a counsellor's entry has more than the five parts that all have."""
    body = [entry.key, entry.kind, entry.text, entry.choice, entry.after]
    return body if entry.who is None else [*body, dict(entry.who)]


def waiting(tx: Tx, box: Box, session: str) -> tuple[InboxEntry, ...]:
    return tuple(_entry(box, row) for row in tx.conn.execute(_waiting, {"session": session}))


def entries(tx: Tx, box: Box, session: str) -> tuple[InboxEntry, ...]:
    return tuple(_entry(box, row) for row in tx.conn.execute(_all, {"session": session}))


def consumed(tx: Tx, box: Box, session: str, turn: int) -> tuple[InboxEntry, ...]:
    return tuple(_entry(box, row) for row in tx.conn.execute(_of_turn, {"session": session, "turn": turn}))


def find(tx: Tx, box: Box, session: str, key: str) -> InboxEntry | None:
    values = {"session": session, "key_digest": box.digest(encode_text(key))}
    row = tx.conn.execute(_of_key, values).one_or_none()
    return None if row is None else _entry(box, row)


def _entry(box: Box, row: Row[Any]) -> InboxEntry:
    key, kind, text, choice, after, *more = decode(box.open(row.body, place("inbox", "body", row.session, row.number)))
    entry = Entry(key, kind, text, choice, after, more[0] if more else None)
    return InboxEntry(row.number, entry, row.received_at, row.turn)


def heads(tx: Tx, box: Box, session: str) -> dict[int, Head]:
    """What waits, by number."""
    found = waiting(tx, box, session)
    return {one.number: Head(one.number, one.entry.kind, one.entry.after, one.received_at) for one in found}


def consume(tx: Tx, session: str, numbers: Sequence[int], turn: int) -> None:
    """These are the turn's from now on."""
    if numbers:
        tx.conn.execute(_consume, {"of_session": session, "numbers": list(numbers), "by_turn": turn})
