"""Taking back what a person has said: the words leave every row that holds them, and stay out of it for good.

What is left is that something was said, when, and what it was judged to be: a verdict of danger and whom it was told
to stay on record, without the words (`docs/decisions/0082`).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sqlalchemy import BindParameter, bindparam, delete, null, select, update

from heartrule.store import erasure, history, memory_trace_erasure, reports, reviews, sessions
from heartrule.store.codec import decode, encode, encode_text
from heartrule.store.crypto import place
from heartrule.store.database import Tx
from heartrule.store.escalations import notes_of
from heartrule.store.quotations import Quotations
from heartrule.store.records import Gone, Recall
from heartrule.store.schema import calls, escalations, events, inbox, messages, snapshots, turns
from heartrule.store.sessions import SessionRow

RECALLED = history.RECALLED
"""Under this name a message's metadata and a turn's outcome say that what was said has been taken back; the outcome
names the turn in which it was."""
STAYS: Mapping[str, frozenset[str]] = {
    "awareness": frozenset(
        {"awareness", "verdict", "source", "confidence", "handled", "priority", "hook_point", "acted"},
    ),
    "directive": frozenset({"directive", "cause"}),
    "escalated": frozenset({"id", "to", "cause"}),
}
"""What is kept of the events of such a turn: that it was judged, ordered and told, none of the words."""

_session: BindParameter[str] = bindparam("of_session")
_turn: BindParameter[int] = bindparam("of_turn")
_message = (
    update(messages)
    .where(messages.c.session == _session, messages.c.number == bindparam("of_number"))
    .values(text=bindparam("new_text"), about=bindparam("new_about"), reply=False)
)
_inbox_of = select(inbox).where(inbox.c.session == _session, inbox.c.number == bindparam("of_number"))
_inbox = (
    update(inbox)
    .where(inbox.c.session == _session, inbox.c.number == bindparam("of_number"))
    .values(body=bindparam("new_body"))
)
_events_of = select(events).where(events.c.session == _session, events.c.turn == _turn)
_event = (
    update(events)
    .where(events.c.session == _session, events.c.turn == _turn)
    .values(course=bindparam("new_course"), data=bindparam("new_data"))
)
_drop_calls = delete(calls).where(calls.c.session == _session, calls.c.turn == _turn)
_drop_snapshots = delete(snapshots).where(snapshots.c.session == _session, snapshots.c.turn >= _turn)
_note = update(escalations).where(escalations.c.id == bindparam("of_id")).values(note=null())
_message_of = select(messages).where(messages.c.session == _session, messages.c.number == bindparam("of_number"))
_outcome_of = select(turns.c.outcome).where(turns.c.session == _session, turns.c.seq == _turn)
_outcome = (
    update(turns).where(turns.c.session == _session, turns.c.seq == _turn).values(outcome=bindparam("new_outcome"))
)


LEFT = ("status", "execution_status", "position", "progress", "human")
"""What is left of how such a turn ended."""


def take_back(tx: Tx, held: SessionRow, recall: Recall, by: int) -> None:
    """In the transaction of turn ``by``, which says so, before its own snapshot is taken. No earlier one that may hold
    the words is left."""
    reminded = memory_trace_erasure.has_left(tx, held)
    if recall.turns:
        tx.conn.execute(_drop_snapshots, {"of_session": held.row.id, "of_turn": min(recall.turns)})
    for number in recall.messages:
        _empty(tx, held, number)
        reports.forget(tx, held, number)
        reviews.forget(tx, held, number)
    for number in recall.inputs:
        _forget_input(tx, held, number)
    escalated = notes_of(tx, held.row.id)
    for turn in recall.turns:
        where = {"of_session": held.row.id, "of_turn": turn}
        _thin_out(tx, held, turn)
        tx.conn.execute(_drop_calls, where)
        for each in escalated:
            if each.turn == turn:
                tx.conn.execute(_note, {"of_id": each.row})
        _mark(tx, held, turn, by)
    quoted = Quotations(recall.words)
    erasure.forget(tx, held, Quotations(recall.words, recall.values), min(recall.turns, default=0))
    if not recall.turns:
        erasure.forget_beginning(tx, held, quoted)
    if reminded:
        memory_trace_erasure.take_back(tx, held, held.row.id, quoted)
    for session in recall.elsewhere:
        with suppress(Gone):  # removed meanwhile
            other = sessions.view(tx, session)
            erasure.forget_elsewhere(tx, other, quoted)
            if reminded:
                memory_trace_erasure.take_back(tx, other, held.row.id, quoted)


def is_taken_back(tx: Tx, held: SessionRow, turn: int) -> bool:
    sealed = tx.conn.execute(_outcome_of, {"of_session": held.row.id, "of_turn": turn}).scalar()
    if sealed is None:
        return False
    found: dict[str, Any] = decode(held.box.open(sealed, place("turns", "outcome", held.row.id, turn)))
    return RECALLED in found


def _empty(tx: Tx, held: SessionRow, number: int) -> None:
    session, box = held.row.id, held.box
    where = {"of_session": session, "of_number": number}
    known = history.message_of(box, tx.conn.execute(_message_of, where).one())
    left = replace(known, withheld=True, metadata={RECALLED: True})
    tx.conn.execute(
        _message,
        {
            "of_session": session,
            "of_number": number,
            "new_text": box.seal(encode_text(""), place("messages", "text", session, number)),
            "new_about": history.seal_about(box, session, left),
        },
    )


def _forget_input(tx: Tx, held: SessionRow, number: int) -> None:
    """What came in keeps its key and kind: sent once more, it is the same turn."""
    session, box = held.row.id, held.box
    row = tx.conn.execute(_inbox_of, {"of_session": session, "of_number": number}).one_or_none()
    if row is None:
        return
    where = place("inbox", "body", session, number)
    key, kind, _, _, after, *more = decode(box.open(row.body, where))
    body = box.seal(encode([key, kind, None, None, after, *more]), where)
    tx.conn.execute(_inbox, {"of_session": session, "of_number": number, "new_body": body})


def _thin_out(tx: Tx, held: SessionRow, turn: int) -> None:
    session, box = held.row.id, held.box
    where = {"of_session": session, "of_turn": turn}
    for row in tx.conn.execute(_events_of, where).all():
        left = [
            replace(each, data={name: value for name, value in each.data.items() if name in STAYS[each.kind]})
            for each in history.events_of(box, row)
            if each.kind in STAYS
        ]
        sealed = history.seal_events(box, session, turn, left)
        tx.conn.execute(_event, {**where, "new_course": sealed["course"], "new_data": sealed["data"]})


def _mark(tx: Tx, held: SessionRow, turn: int, by: int) -> None:
    """Nothing of how the turn ended is left but that it did."""
    session, box = held.row.id, held.box
    sealed = tx.conn.execute(_outcome_of, {"of_session": session, "of_turn": turn}).scalar_one()
    at = place("turns", "outcome", session, turn)
    known: dict[str, Any] = decode(box.open(sealed, at))
    left: dict[str, Any] = {name: known[name] for name in LEFT if name in known}
    left |= {"exit": {}, "request": {"kind": "none", "choices": []}, RECALLED: by}
    tx.conn.execute(_outcome, {"of_session": session, "of_turn": turn, "new_outcome": box.seal(encode(left), at)})
