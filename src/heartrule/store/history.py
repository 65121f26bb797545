"""Messages, events and calls: rows that are only ever appended. What happened in a turn is one row: how much of which
kind did would tell what it was."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any

from sqlalchemy import Row, bindparam, insert, select

from heartrule.store.codec import decode, decode_text, encode, encode_text
from heartrule.store.crypto import Box, place
from heartrule.store.database import Tx
from heartrule.store.dialects import upsert
from heartrule.store.records import CallRecord, EventRecord, MessageRecord
from heartrule.store.schema import calls, events, messages

ABOUT_BYTES = 256
"""Who says something, and where, is padded to so much."""
EVENTS_BYTES = 1024
COURSE = frozenset({"phase", "topic", "marker", "branches"})
"""Kinds of events that hold no word of anybody's: whoever counts which way sessions went opens nothing else."""
CALL_BYTES = 256
RECALLED = "recalled"
"""Under this name a message's metadata says that what was said has been taken back."""
_insert_messages = insert(messages)
_after = (
    select(messages)
    .where(messages.c.session == bindparam("session"), messages.c.number > bindparam("after"))
    .order_by(messages.c.number)
    .limit(bindparam("limit"))
)
_newest = (
    select(messages)
    .where(messages.c.session == bindparam("session"))
    .order_by(messages.c.number.desc())
    .limit(bindparam("limit"))
)
_newest_before = _newest.where(messages.c.number < bindparam("before"))
_insert_events = insert(events)
_events = select(events).where(events.c.session == bindparam("session")).order_by(events.c.turn)
_latest_events = select(events).where(events.c.session == bindparam("session")).order_by(events.c.turn.desc())
_events_of_turn = _events.where(events.c.turn == bindparam("turn"))
_calls = select(calls).where(calls.c.session == bindparam("session")).order_by(calls.c.turn, calls.c.at)
_calls_of_turn = _calls.where(calls.c.turn == bindparam("turn"))


def add_messages(tx: Tx, box: Box, session: str, records: Sequence[MessageRecord]) -> None:
    if records:
        tx.conn.execute(_insert_messages, [_message_row(box, session, record) for record in records])


def _message_row(box: Box, session: str, record: MessageRecord) -> dict[str, Any]:
    number = record.number
    return {
        "session": session,
        "number": number,
        "turn": record.turn,
        "reply": record.sender == "ai" and not record.withheld,
        "at": record.at,
        "about": seal_about(box, session, record),
        "text": box.seal(encode_text(record.text), place("messages", "text", session, number)),
    }


def seal_about(box: Box, session: str, record: MessageRecord) -> bytes:
    about = [
        *(record.sender, record.content_type, record.action, record.withheld, record.inbox),
        dict(record.metadata),
    ]
    return box.seal(encode(about), place("messages", "about", session, record.number), ABOUT_BYTES)


def messages_after(tx: Tx, box: Box, session: str, after: int, limit: int) -> tuple[MessageRecord, ...]:
    rows = tx.conn.execute(_after, {"session": session, "after": after, "limit": limit})
    return tuple(message_of(box, row) for row in rows)


def newest_messages(
    tx: Tx, box: Box, session: str, window: int, before: int | None = None
) -> tuple[MessageRecord, ...]:
    if window <= 0:
        return ()
    if before is None:
        rows = tx.conn.execute(_newest, {"session": session, "limit": window}).all()
    else:
        rows = tx.conn.execute(_newest_before, {"session": session, "limit": window, "before": before}).all()
    return tuple(message_of(box, row) for row in reversed(rows))


def message_of(box: Box, row: Row[Any]) -> MessageRecord:
    """A row, opened."""
    session, number = row.session, row.number
    sender, content_type, action, withheld, inbox, metadata = decode(
        box.open(row.about, place("messages", "about", session, number))
    )
    return MessageRecord(
        number=number,
        turn=row.turn,
        sender=sender,
        text=decode_text(box.open(row.text, place("messages", "text", session, number))),
        content_type=content_type,
        action=action,
        at=row.at,
        withheld=withheld,
        inbox=inbox,
        id=f"{session}.{number}",
        metadata=metadata,
    )


def add_events(tx: Tx, box: Box, session: str, turn: int, records: Sequence[EventRecord]) -> None:
    """All of a turn."""
    tx.conn.execute(_insert_events, {"session": session, "turn": turn, **seal_events(box, session, turn, records)})


def seal_events(box: Box, session: str, turn: int, records: Sequence[EventRecord]) -> dict[str, bytes]:
    """By column."""
    sealed = {}
    for column in ("course", "data"):
        held = [each for each in records if (each.kind in COURSE) == (column == "course")]
        data = [[each.number, each.kind, each.action, each.data] for each in sorted(held, key=lambda one: one.number)]
        sealed[column] = box.seal(encode(data), place("events", column, session, turn), EVENTS_BYTES)
    return sealed


def read_events(
    tx: Tx,
    box: Box,
    session: str,
    kinds: Collection[str] | None = None,
    turn: int | None = None,
    limit: int | None = None,
) -> tuple[EventRecord, ...]:
    """Those of these kinds, of this turn, and of these the last ``limit``; oldest first."""
    if limit == 0:
        return ()
    if turn is not None:
        rows = tx.conn.execute(_events_of_turn, {"session": session, "turn": turn})
    else:
        rows = tx.conn.execute(_events if limit is None else _latest_events, {"session": session})
    found: list[Sequence[EventRecord]] = []
    left = limit
    for row in rows:
        of_turn = tuple(each for each in events_of(box, row, kinds) if kinds is None or each.kind in kinds)
        if left is not None:
            of_turn = of_turn[-left:]
            left -= len(of_turn)
        found.append(of_turn)
        if left == 0:
            break
    return tuple(chain.from_iterable(found if limit is None else reversed(found)))


def events_of(box: Box, row: Row[Any], kinds: Collection[str] | None = None) -> tuple[EventRecord, ...]:
    """A turn's row, opened as far as these kinds need."""
    wanted = None if kinds is None else set(kinds)
    columns = ["course"] if wanted is None or wanted & COURSE else []
    columns += ["data"] if wanted is None or wanted - COURSE else []
    found = [
        EventRecord(row.turn, *each)
        for name in columns
        for each in decode(box.open(getattr(row, name), place("events", name, row.session, row.turn)))
    ]
    return tuple(sorted(found, key=lambda each: each.number))


def add_calls(tx: Tx, box: Box, session: str, records: Sequence[CallRecord]) -> None:
    if records:
        statement = upsert(tx.conn, calls, ("status", "at", "answer", "attempts"), unless=("status", "answered"))
        tx.conn.execute(statement, [_call_row(box, session, record) for record in records])


def _call_row(box: Box, session: str, record: CallRecord) -> dict[str, Any]:
    digest = box.digest(place("calls", "call", record.key, record.prompt_hash))
    where = (session, record.turn, digest.hex())
    answer = [record.key, record.template, record.prompt_hash, record.data]
    return {
        "session": session,
        "turn": record.turn,
        "call_digest": digest,
        "status": record.status,
        "at": record.at,
        "answer": box.seal(encode(answer), place("calls", "answer", *where), CALL_BYTES),
        "attempts": box.seal(encode(record.attempts), place("calls", "attempts", *where), CALL_BYTES),
    }


def read_calls(tx: Tx, box: Box, session: str, turn: int | None = None) -> tuple[CallRecord, ...]:
    if turn is None:
        rows = tx.conn.execute(_calls, {"session": session})
    else:
        rows = tx.conn.execute(_calls_of_turn, {"session": session, "turn": turn})
    return tuple(sorted((_call(box, row) for row in rows), key=lambda one: (one.turn, one.at, one.key)))


def where_called(row: Row[Any]) -> tuple[Any, ...]:
    """What the places of a call's sealed columns are made of."""
    return row.session, row.turn, bytes(row.call_digest).hex()


def _call(box: Box, row: Row[Any]) -> CallRecord:
    where = where_called(row)
    key, template, prompt_hash, data = decode(box.open(row.answer, place("calls", "answer", *where)))
    return CallRecord(
        turn=row.turn,
        key=key,
        template=template,
        prompt_hash=prompt_hash,
        status=row.status,
        data=data,
        attempts=decode(box.open(row.attempts, place("calls", "attempts", *where))),
        at=row.at,
    )
