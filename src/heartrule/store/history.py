"""Messages, events and calls: rows that are only ever appended."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Row, bindparam, insert, select

from heartrule.store.codec import decode, decode_text, encode, encode_text
from heartrule.store.crypto import Box, place
from heartrule.store.database import Tx
from heartrule.store.dialects import upsert
from heartrule.store.records import CallRecord, EventRecord, MessageRecord
from heartrule.store.schema import calls, events, messages

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
_events = select(events).where(events.c.session == bindparam("session")).order_by(events.c.turn, events.c.number)
_latest_events = (
    select(events)
    .where(events.c.session == bindparam("session"))
    .order_by(events.c.turn.desc(), events.c.number.desc())
    .limit(bindparam("limit"))
)
_of_kinds = events.c.kind.in_(bindparam("kinds", expanding=True))
_of_turn = events.c.turn == bindparam("turn")
_calls = select(calls).where(calls.c.session == bindparam("session")).order_by(calls.c.turn, calls.c.at, calls.c.key)
_calls_of_turn = _calls.where(calls.c.turn == bindparam("turn"))


def add_messages(tx: Tx, box: Box, session: str, records: Sequence[MessageRecord]) -> None:
    if records:
        tx.conn.execute(_insert_messages, [_message_row(box, session, record) for record in records])


def _message_row(box: Box, session: str, record: MessageRecord) -> dict[str, Any]:
    number = record.number
    metadata = encode(record.metadata) if record.metadata else None
    return {
        "session": session,
        "number": number,
        "turn": record.turn,
        "sender": record.sender,
        "content_type": record.content_type,
        "action": record.action,
        "at": record.at,
        "withheld": record.withheld,
        "inbox": record.inbox,
        "text": box.seal(encode_text(record.text), place("messages", "text", session, number)),
        "metadata": metadata and box.seal(metadata, place("messages", "metadata", session, number)),
    }


def messages_after(tx: Tx, box: Box, session: str, after: int, limit: int) -> tuple[MessageRecord, ...]:
    rows = tx.conn.execute(_after, {"session": session, "after": after, "limit": limit})
    return tuple(_message(box, row) for row in rows)


def newest_messages(
    tx: Tx, box: Box, session: str, window: int, before: int | None = None
) -> tuple[MessageRecord, ...]:
    if window <= 0:
        return ()
    if before is None:
        rows = tx.conn.execute(_newest, {"session": session, "limit": window}).all()
    else:
        rows = tx.conn.execute(_newest_before, {"session": session, "limit": window, "before": before}).all()
    return tuple(_message(box, row) for row in reversed(rows))


def _message(box: Box, row: Row[Any]) -> MessageRecord:
    session, number = row.session, row.number
    metadata = row.metadata
    return MessageRecord(
        number=number,
        turn=row.turn,
        sender=row.sender,
        text=decode_text(box.open(row.text, place("messages", "text", session, number))),
        content_type=row.content_type,
        action=row.action,
        at=row.at,
        withheld=row.withheld,
        inbox=row.inbox,
        id=f"{session}.{number}",
        metadata={} if metadata is None else decode(box.open(metadata, place("messages", "metadata", session, number))),
    )


def add_events(tx: Tx, box: Box, session: str, records: Sequence[EventRecord]) -> None:
    if records:
        tx.conn.execute(_insert_events, [_event_row(box, session, record) for record in records])


def _event_row(box: Box, session: str, record: EventRecord) -> dict[str, Any]:
    return {
        "session": session,
        "turn": record.turn,
        "number": record.number,
        "kind": record.kind,
        "action": record.action,
        "data": box.seal(encode(record.data), place("events", "data", session, record.turn, record.number)),
    }


def read_events(
    tx: Tx,
    box: Box,
    session: str,
    kinds: Collection[str] | None = None,
    turn: int | None = None,
    limit: int | None = None,
) -> tuple[EventRecord, ...]:
    """Those of these kinds, of this turn, and of these the last ``limit``; oldest first."""
    statement = _events if limit is None else _latest_events
    values: dict[str, Any] = {"session": session, "limit": limit}
    if kinds is not None:
        statement = statement.where(_of_kinds)
        values["kinds"] = sorted(kinds)
    if turn is not None:
        statement = statement.where(_of_turn)
        values["turn"] = turn
    rows = tx.conn.execute(statement, values).all()
    return tuple(_event(box, row) for row in (rows if limit is None else reversed(rows)))


def _event(box: Box, row: Row[Any]) -> EventRecord:
    data = box.open(row.data, place("events", "data", row.session, row.turn, row.number))
    return EventRecord(row.turn, row.number, row.kind, row.action, decode(data))


def add_calls(tx: Tx, box: Box, session: str, records: Sequence[CallRecord]) -> None:
    if records:
        changing = ("template", "status", "at", "answer", "attempts")
        statement = upsert(tx.conn, calls, changing, unless=("status", "answered"))
        tx.conn.execute(statement, [_call_row(box, session, record) for record in records])


def _call_row(box: Box, session: str, record: CallRecord) -> dict[str, Any]:
    digest = box.digest(encode_text(record.prompt_hash))
    where = (session, record.turn, record.key, digest.hex())
    return {
        "session": session,
        "turn": record.turn,
        "key": record.key,
        "prompt_digest": digest,
        "template": record.template,
        "status": record.status,
        "at": record.at,
        "answer": box.seal(encode([record.prompt_hash, record.data]), place("calls", "answer", *where)),
        "attempts": box.seal(encode(record.attempts), place("calls", "attempts", *where)),
    }


def read_calls(tx: Tx, box: Box, session: str, turn: int | None = None) -> tuple[CallRecord, ...]:
    if turn is None:
        rows = tx.conn.execute(_calls, {"session": session})
    else:
        rows = tx.conn.execute(_calls_of_turn, {"session": session, "turn": turn})
    return tuple(_call(box, row) for row in rows)


def _call(box: Box, row: Row[Any]) -> CallRecord:
    where = (row.session, row.turn, row.key, bytes(row.prompt_digest).hex())
    prompt_hash, data = decode(box.open(row.answer, place("calls", "answer", *where)))
    return CallRecord(
        turn=row.turn,
        key=row.key,
        template=row.template,
        prompt_hash=prompt_hash,
        status=row.status,
        data=data,
        attempts=decode(box.open(row.attempts, place("calls", "attempts", *where))),
        at=row.at,
    )
