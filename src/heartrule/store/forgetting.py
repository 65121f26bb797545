"""Taking words out of the rows of a session that quote them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Row, Table, and_, bindparam, select, update

from heartrule.store import memories
from heartrule.store.codec import decode, decode_text, encode, encode_text
from heartrule.store.crypto import Box, place
from heartrule.store.database import Tx
from heartrule.store.quoted import Quoted
from heartrule.store.schema import (
    calls,
    drafts,
    escalations,
    events,
    inbox,
    leases,
    messages,
    reports,
    reviews,
    sessions,
    snapshots,
    turns,
    variables,
)
from heartrule.store.sessions import Held

OWN = ("message", "choice")
"""Kinds of inputs that the person said themselves: said again, it is theirs to take back again. A human of the desk who
repeats the words quotes them."""
_anew = update(leases).where(leases.c.session == bindparam("of_session")).values(epoch=leases.c.epoch + 1)
"""What a turn would start from is no longer what somebody remembers."""
Where = Callable[[Row[Any]], tuple[Any, ...]]


def forget(tx: Tx, held: Held, quoted: Quoted, since: int) -> None:
    """In what was said, asked, decided and kept from turn ``since`` on, other than by the person in so many words. The
    session's state and variables are left alone: they are the turn's that takes the words back."""
    if not quoted:
        return
    session, box = held.row.id, held.box
    told = and_(messages.c.session == session, messages.c.turn >= since, messages.c.sender != "person")
    _texts(tx, box, messages, told, quoted)
    _each(tx, box, messages, told, "metadata", quoted, lambda row: (session, row.number))
    _rest(tx, held, quoted, since)


def forget_elsewhere(tx: Tx, held: Held, quoted: Quoted) -> None:
    """In all of another session that took them over or read them: by whomever they were said."""
    if not quoted:
        return
    session, box = held.row.id, held.box
    told = messages.c.session == session
    _texts(tx, box, messages, told, quoted)
    _each(tx, box, messages, told, "metadata", quoted, lambda row: (session, row.number))
    _rest(tx, held, quoted, 0, own=True)
    _each(tx, box, snapshots, snapshots.c.session == session, "state", quoted, lambda row: (session, row.turn))
    _each(tx, box, snapshots, snapshots.c.session == session, "variables", quoted, lambda row: (session, row.turn))
    _each(tx, box, sessions, sessions.c.id == session, "metadata", quoted, lambda _: (session,))
    if _each(tx, box, sessions, sessions.c.id == session, "state", quoted, lambda _: (session,)):
        tx.conn.execute(_anew, {"of_session": session})
    owned = variables.c.owner == session
    _each(tx, box, variables, owned, "value", quoted, _variable)
    _texts(tx, box, variables, owned, quoted, "evidence", _variable)


def forget_beginning(tx: Tx, held: Held, quoted: Quoted) -> None:
    """In what the session was given to start with."""
    if quoted:
        _each(tx, held.box, sessions, sessions.c.id == held.row.id, "metadata", quoted, lambda _: (held.row.id,))


def _rest(tx: Tx, held: Held, quoted: Quoted, since: int, *, own: bool = False) -> None:
    session, box = held.row.id, held.box
    kept = and_(events.c.session == session, events.c.turn >= since)
    _each(tx, box, events, kept, "data", quoted, lambda row: (session, row.turn, row.number))
    ended = and_(turns.c.session == session, turns.c.seq >= since)
    _each(tx, box, turns, ended, "outcome", quoted, lambda row: (session, row.seq))
    asked = and_(calls.c.session == session, calls.c.turn >= since)
    for column in ("answer", "attempts"):
        _each(tx, box, calls, asked, column, quoted, _call)
    told = and_(escalations.c.session == session, escalations.c.turn >= since)
    _texts(tx, box, escalations, told, quoted, "note", lambda row: (row.id,))
    came = inbox.c.session == session
    came = came if own else and_(came, inbox.c.kind.not_in(OWN))
    _each(tx, box, inbox, came, "body", quoted, lambda row: (session, row.number))
    _texts(tx, box, reports, reports.c.session == session, quoted, where=_reply)
    _texts(tx, box, reviews, reviews.c.session == session, quoted, "note", _reply)
    memories.forget(tx, held, quoted)
    _each(tx, box, drafts, drafts.c.session == session, "answers", quoted, lambda row: (session, row.form))


def _reply(row: Row[Any]) -> tuple[Any, ...]:
    return (row.session, row.message)


def _call(row: Row[Any]) -> tuple[Any, ...]:
    return (row.session, row.turn, row.key, bytes(row.prompt_digest).hex())


def _variable(row: Row[Any]) -> tuple[Any, ...]:
    return (row.owner, row.scope, row.scope_key, row.name)


def _each(tx: Tx, box: Box, table: Table, which: Any, column: str, quoted: Quoted, where: Where) -> int:
    """Open what is sealed in ``column``, and seal it again where it changes. How often it did."""
    changed = 0
    for row in tx.conn.execute(select(table).where(which)).all():
        sealed = getattr(row, column)
        if sealed is None:
            continue
        at = place(table.name, column, *where(row))
        data = decode(box.open(sealed, at))
        left = quoted.out_of(data)
        if left is not data and left != data:
            _write(tx, table, row, column, box.seal(encode(left), at))
            changed += 1
    return changed


def _texts(
    tx: Tx, box: Box, table: Table, which: Any, quoted: Quoted, column: str = "text", where: Where | None = None
) -> None:
    for row in tx.conn.execute(select(table).where(which)).all():
        sealed = getattr(row, column)
        if sealed is None:
            continue
        at = place(table.name, column, *(where(row) if where else (row.session, row.number)))
        text = decode_text(box.open(sealed, at))
        left = quoted.out_of(text)
        if left != text:
            _write(tx, table, row, column, box.seal(encode_text(left), at))


def _write(tx: Tx, table: Table, row: Row[Any], column: str, sealed: bytes) -> None:
    keys = list(table.primary_key.columns)
    same = and_(*(key == bindparam(f"of_{key.name}") for key in keys))
    values = {f"of_{key.name}": getattr(row, key.name) for key in keys}
    tx.conn.execute(update(table).where(same).values({column: bindparam("sealed")}), {**values, "sealed": sealed})
