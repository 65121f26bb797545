"""Taking words out of the rows of a session that quote them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Row, Table, and_, bindparam, select, update

from heartrule.store import cards, history, memories, notes, recollections
from heartrule.store.codec import decode, decode_text, encode, encode_text
from heartrule.store.crypto import LEAST, Box, place
from heartrule.store.database import Tx
from heartrule.store.drafts import ANSWERS_BYTES
from heartrule.store.escalations import notes_of as escalations_of
from heartrule.store.escalations import seal_note
from heartrule.store.history import CALL_BYTES, where_called
from heartrule.store.quotations import Quotations
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
from heartrule.store.sessions import SessionRow
from heartrule.store.variables import EVIDENCE_BYTES
from heartrule.store.variables import where as where_of_variable

OWN = ("message", "choice")
"""Kinds of inputs that the person said themselves: said again, it is theirs to take back again. A human of the desk who
repeats the words quotes them."""
_anew = update(leases).where(leases.c.session == bindparam("of_session")).values(epoch=leases.c.epoch + 1)
"""What a turn would start from is no longer what somebody remembers."""
Where = Callable[[Row[Any]], tuple[Any, ...]]


def forget(tx: Tx, held: SessionRow, quoted: Quotations, since: int) -> None:
    """In what was said, asked, decided and kept from turn ``since`` on, other than by the person in so many words. The
    session's state and variables are left alone: they are the turn's that takes the words back."""
    if not quoted:
        return
    session, box = held.row.id, held.box
    _messages(tx, box, and_(messages.c.session == session, messages.c.turn >= since), quoted, own=False)
    _rest(tx, held, quoted, since)


def forget_elsewhere(tx: Tx, held: SessionRow, quoted: Quotations) -> None:
    """In all of another session that took them over or read them: by whomever they were said."""
    if not quoted:
        return
    session, box = held.row.id, held.box
    _messages(tx, box, messages.c.session == session, quoted, own=True)
    _rest(tx, held, quoted, 0, own=True)
    _each(tx, box, snapshots, snapshots.c.session == session, "state", quoted, lambda row: (session, row.turn))
    _each(tx, box, snapshots, snapshots.c.session == session, "variables", quoted, lambda row: (session, row.turn))
    _each(tx, box, sessions, sessions.c.id == session, "metadata", quoted, lambda _: (session,))
    if _each(tx, box, sessions, sessions.c.id == session, "state", quoted, lambda _: (session,)):
        tx.conn.execute(_anew, {"of_session": session})
    owned = variables.c.owner == session
    _each(tx, box, variables, owned, "value", quoted, where_of_variable)
    _each(tx, box, variables, owned, "evidence", quoted, where_of_variable, least=EVIDENCE_BYTES)


def forget_beginning(tx: Tx, held: SessionRow, quoted: Quotations) -> None:
    """In what the session was given to start with."""
    if quoted:
        _each(tx, held.box, sessions, sessions.c.id == held.row.id, "metadata", quoted, lambda _: (held.row.id,))


def _rest(tx: Tx, held: SessionRow, quoted: Quotations, since: int, *, own: bool = False) -> None:
    session, box = held.row.id, held.box
    _events(tx, box, and_(events.c.session == session, events.c.turn >= since), quoted)
    ended = and_(turns.c.session == session, turns.c.seq >= since)
    _each(tx, box, turns, ended, "outcome", quoted, lambda row: (session, row.seq))
    asked = and_(calls.c.session == session, calls.c.turn >= since)
    _each(tx, box, calls, asked, "answer", quoted, where_called, least=CALL_BYTES, part=3)
    _each(tx, box, calls, asked, "attempts", quoted, where_called, least=CALL_BYTES)
    _notes(tx, held, quoted, since)
    came = inbox.c.session == session
    only = None if own else _not_their_own
    _each(tx, box, inbox, came, "body", quoted, lambda row: (session, row.number), only=only)
    _texts(tx, box, reports, reports.c.session == session, quoted, where=_reply)
    _texts(tx, box, reviews, reviews.c.session == session, quoted, "note", _reply)
    memories.forget(tx, held, quoted)
    notes.forget_words(tx, held, quoted)
    cards.forget_words(tx, held, quoted)
    recollections.forget(tx, held, quoted)
    begun = drafts.c.session == session
    _each(tx, box, drafts, begun, "answers", quoted, _draft, least=ANSWERS_BYTES, part=1)


def _not_their_own(body: Any) -> bool:
    return body[1] not in OWN


def _messages(tx: Tx, box: Box, which: Any, quoted: Quotations, *, own: bool) -> None:
    for row in tx.conn.execute(select(messages).where(which)).all():
        if not _may_stand_in(box, messages, row, ("text", "about"), (row.session, row.number), quoted):
            continue
        known = history.message_of(box, row)
        if known.sender == "person" and not own:
            continue
        left = replace(known, text=quoted.out_of(known.text), metadata=quoted.out_of(known.metadata))
        if left.text != known.text:
            at = place("messages", "text", row.session, row.number)
            _write(tx, messages, row, "text", box.seal(encode_text(left.text), at))
        if left.metadata != known.metadata:
            _write(tx, messages, row, "about", history.seal_about(box, row.session, left))


def _events(tx: Tx, box: Box, which: Any, quoted: Quotations) -> None:
    for row in tx.conn.execute(select(events).where(which)).all():
        if not _may_stand_in(box, events, row, ("course", "data"), (row.session, row.turn), quoted):
            continue
        known = history.events_of(box, row)
        left = [replace(each, data=quoted.out_of(each.data)) for each in known]
        if any(new.data is not old.data for new, old in zip(left, known, strict=True)):
            for column, sealed in history.seal_events(box, row.session, row.turn, left).items():
                _write(tx, events, row, column, sealed)


def _may_stand_in(
    box: Box, table: Table, row: Row[Any], columns: Sequence[str], where: tuple[Any, ...], quoted: Quotations
) -> bool:
    """Whether the words may stand in one of these columns."""
    opened = (box.open(getattr(row, name), place(table.name, name, *where)) for name in columns)
    return any(map(quoted.may_stand_in, opened))


def _notes(tx: Tx, held: SessionRow, quoted: Quotations, since: int) -> None:
    for row in escalations_of(tx, held.row.id):
        if row.note is None or row.turn < since:
            continue
        text = decode_text(held.box.open(row.note, place("escalations", "note", row.row)))
        left = quoted.out_of(text)
        if left != text:
            change = update(escalations).where(escalations.c.id == bindparam("of_id")).values(note=bindparam("sealed"))
            tx.conn.execute(change, {"of_id": row.row, "sealed": seal_note(held.box, row.row, left)})


def _reply(row: Row[Any]) -> tuple[Any, ...]:
    return (row.session, row.message)


def _draft(row: Row[Any]) -> tuple[Any, ...]:
    return (row.session, bytes(row.form_digest).hex())


def _each(
    tx: Tx,
    box: Box,
    table: Table,
    which: Any,
    column: str,
    quoted: Quotations,
    where: Where,
    *,
    least: int = LEAST,
    part: int | None = None,
    only: Callable[[Any], bool] | None = None,
) -> int:
    """Open what is sealed in ``column``, and seal it again where it changes. ``part``: only in this part of it;
    ``only``: where this is so. How often it changed."""
    changed = 0
    for row in tx.conn.execute(select(table).where(which)).all():
        sealed = getattr(row, column)
        if sealed is None:
            continue
        at = place(table.name, column, *where(row))
        stored = box.open(sealed, at)
        if not quoted.may_stand_in(stored):
            continue
        data = decode(stored)
        if only is not None and not only(data):
            continue
        left = quoted.out_of(data) if part is None else [*data[:part], quoted.out_of(data[part]), *data[part + 1 :]]
        if left is not data and left != data:
            _write(tx, table, row, column, box.seal(encode(left), at, least))
            changed += 1
    return changed


def _texts(
    tx: Tx, box: Box, table: Table, which: Any, quoted: Quotations, column: str = "text", where: Where | None = None
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
