"""Turns: what one starts from, and the transaction that ends it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, func, insert, select, update

from heartrule.language.projects.project import SAFETY
from heartrule.store import (
    crisis_index,
    escalations,
    history,
    inbox,
    ledger,
    memories,
    recalls,
    recollections,
    sessions,
    snapshots,
    tallies,
    variables,
)
from heartrule.store.codec import decode, encode
from heartrule.store.crypto import place
from heartrule.store.database import Tx
from heartrule.store.records import (
    Accepted,
    AttemptRecord,
    CallRecord,
    Commit,
    Entry,
    InboxEntry,
    LoadedSession,
    Mark,
    MessageRecord,
    Outdated,
    TurnRecord,
)
from heartrule.store.schema import messages
from heartrule.store.schema import sessions as sessions_table
from heartrule.store.schema import turns as turns_table
from heartrule.store.sessions import SessionRow

_advance = (
    update(sessions_table)
    .where(sessions_table.c.id == bindparam("of_session"))
    .values(
        seq=bindparam("new_seq"),
        status=bindparam("new_status"),
        state=bindparam("new_state"),
        wake_at=bindparam("new_wake_at"),
        last_active_at=bindparam("new_last_active_at"),
        ended_at=bindparam("new_ended_at"),
        latched=None,
        about=bindparam("new_about"),
        standing_digest=bindparam("new_standing"),
    )
)
_latch = update(sessions_table).where(sessions_table.c.id == bindparam("of_session")).values(latched=bindparam("upto"))
_insert = insert(turns_table)
_one = select(turns_table).where(turns_table.c.session == bindparam("session"), turns_table.c.seq == bindparam("seq"))
_all = select(turns_table).where(turns_table.c.session == bindparam("session")).order_by(turns_table.c.seq)
_after = _all.where(turns_table.c.seq > bindparam("after")).limit(bindparam("limit"))
BY_ITSELF = ("timer", "noticed", "advised", "counsel_form", "correct")
"""Kinds of inputs that come of the time alone: nobody has become active by them."""
_last_message = select(func.max(messages.c.number)).where(messages.c.session == bindparam("session"))


def load(tx: Tx, session: str, window: int) -> LoadedSession:
    held = sessions.view(tx, session)
    return _loaded(tx, held, held.row.epoch, window)


def _loaded(
    tx: Tx,
    held: SessionRow,
    epoch: int,
    window: int,
    known: Mark | None = None,
    pending: tuple[InboxEntry, ...] | None = None,
) -> LoadedSession:
    session, box = held.row.id, held.box
    if pending is None:
        pending = inbox.waiting(tx, box, session)
    if known == Mark(held.row.epoch, held.row.seq):
        return LoadedSession(held.record, None, epoch, variables.global_ones(tx, held), (), pending, (), unchanged=True)
    return LoadedSession(
        session=held.record,
        state=held.state,
        epoch=epoch,
        variables=variables.visible(tx, held),
        messages=history.newest_messages(tx, box, session, window),
        pending=pending,
        calls=history.read_calls(tx, box, session, held.row.seq + 1),
    )


def claim_and_load(
    tx: Tx, session: str, owner: str, now: datetime, until: datetime, window: int
) -> LoadedSession | None:
    held = sessions.hold(tx, session)
    epoch = sessions.take(tx, held, owner, now, until)
    return None if epoch is None else _loaded(tx, held, epoch, window)


def accept_and_load(
    tx: Tx,
    session: str,
    entry: Entry,
    received_at: datetime,
    owner: str,
    until: datetime,
    window: int,
    check: inbox.Check | None = None,
    known: Mark | None = None,
) -> tuple[Accepted, LoadedSession | None]:
    held = sessions.hold(tx, session)
    accepted, alone = inbox.put(tx, held, entry, received_at, check)
    if accepted.turn is not None:
        return accepted, None
    epoch = sessions.take(tx, held, owner, received_at, until)
    return accepted, None if epoch is None else _loaded(tx, held, epoch, window, known, alone)


def save_calls(
    tx: Tx,
    session: str,
    owner: str,
    epoch: int,
    records: Sequence[CallRecord],
    attempts: Sequence[AttemptRecord] = (),
    latched: int | None = None,
) -> None:
    held = sessions.stand(tx, session)
    if not held.leased(owner, epoch):
        raise Outdated("the lease is another's by now")
    history.add_calls(tx, held.box, session, records)
    ledger.add(tx, held.box, session, attempts)
    if latched is not None:
        tx.conn.execute(_latch, {"of_session": session, "upto": latched})


def save_aside(tx: Tx, session: str, records: Sequence[CallRecord], attempts: Sequence[AttemptRecord]) -> bool:
    """Whether the turns that they rest on stand. Of one that was taken back no answer is kept: it may quote words."""
    held = sessions.stand(tx, session)
    gone = {seq for seq in {each.turn for each in records} if recalls.is_taken_back(tx, held, seq)}
    history.add_calls(tx, held.box, session, [each for each in records if each.turn not in gone])
    ledger.add(tx, held.box, session, attempts)
    return not gone


def commit(tx: Tx, turn: Commit) -> int:
    """Write the turn; how many inputs still wait."""
    held = sessions.stand(tx, turn.session)
    waiting = inbox.heads(tx, held.box, turn.session)
    _check(held, turn, waiting)
    consumed = [waiting.pop(number) for number in turn.consumed]
    inbox.consume(tx, turn.session, turn.consumed, turn.seq)
    history.add_messages(tx, held.box, turn.session, turn.messages)
    _keep(tx, held, turn)
    history.add_events(tx, held.box, turn.session, turn.seq, turn.events)
    escalations.add(tx, held, turn)
    _add(tx, held, turn)
    _move_on(tx, held, turn, [one.received_at for one in consumed if one.kind not in BY_ITSELF])
    if turn.recall is not None:
        recalls.take_back(tx, held, turn.recall, turn.seq)
        recollections.take_back(tx, turn.session, turn.at)
    if turn.remember:
        recollections.renew(tx, turn.session, turn.at)
    if turn.seq % snapshots.EVERY == 0 or turn.recall is not None:
        _snapshot(tx, held, turn)
    if turn.release and not waiting:
        sessions.release(tx, turn.session, turn.owner, turn.epoch)
    return len(waiting)


def _keep(tx: Tx, held: SessionRow, turn: Commit) -> None:
    """Variables, and what is remembered, which stands among them."""
    values = [each for each in turn.variables if each.scope != memories.SCOPE]
    scopes = [each for each in turn.removed_scopes if each[0] != memories.SCOPE]
    single = [each for each in turn.removed if each[0] != memories.SCOPE]
    variables.remove(tx, held, scopes, single)
    variables.write(tx, held, values)
    if len(scopes) < len(turn.removed_scopes) or len(single) < len(turn.removed):
        cells = [key for scope, key in turn.removed_scopes if scope == memories.SCOPE]
        memories.remove(tx, held, cells, [name for scope, _, name in turn.removed if scope == memories.SCOPE])
    if len(values) < len(turn.variables):
        memories.write(tx, held, [each for each in turn.variables if each.scope == memories.SCOPE])


def _check(held: SessionRow, turn: Commit, waiting: Mapping[int, inbox.Head]) -> None:
    if not held.leased(turn.owner, turn.epoch):
        raise Outdated("the lease is another's by now")
    if turn.seq != held.row.seq + 1:
        raise Outdated("the session has moved on since the turn was loaded")
    if not waiting.keys() >= set(turn.consumed):
        raise Outdated("an input was consumed by another turn")
    joining = (one for one in waiting.values() if one.number > turn.seen and one.kind == "message")
    if turn.joins is not None and any(one.after == turn.joins for one in joining):
        raise Outdated("more words of the same answer have come in")


def _add(tx: Tx, held: SessionRow, turn: Commit) -> None:
    numbers = [message.number for message in turn.messages if message.turn == turn.seq]
    tx.conn.execute(
        _insert,
        {
            "session": turn.session,
            "seq": turn.seq,
            "at": turn.at,
            "first_message": min(numbers, default=None),
            "last_message": max(numbers, default=None),
            "outcome": held.box.seal(_outcome(turn), place("turns", "outcome", turn.session, turn.seq)),
            **tallies.counts(turn),
        },
    )


GROUNDS = "grounds"
"""Under this name a turn's sealed outcome holds what it rested on."""


def _outcome(turn: Commit) -> bytes:
    return encode({**turn.outcome, GROUNDS: turn.grounds} if turn.grounds is not None else turn.outcome)


def _move_on(tx: Tx, held: SessionRow, turn: Commit, came_in: Sequence[datetime]) -> None:
    known = held.about.crisis_since
    about = sessions.About(turn.position, turn.human, (known or turn.at) if _in_crisis(turn) else None)
    tx.conn.execute(
        _advance,
        {
            "of_session": turn.session,
            "new_seq": turn.seq,
            "new_status": turn.status,
            "new_state": held.box.seal(encode(turn.state), place("sessions", "state", turn.session)),
            "new_wake_at": turn.wake_at,
            "new_last_active_at": max([held.row.last_active_at, *came_in]),
            "new_ended_at": turn.at if turn.ended else held.row.ended_at,
            "new_about": sessions.seal_about(held.box, turn.session, about),
            "new_standing": crisis_index.digest(tx.keys.index(), turn.session, turn.seq, about.standing),
        },
    )


def _in_crisis(turn: Commit) -> bool:
    if turn.position.get("danger_open"):
        return True
    topic = turn.position.get("topic")
    return isinstance(topic, Mapping) and str(topic.get("id", "")).startswith(f"{SAFETY}/")


def _snapshot(tx: Tx, held: SessionRow, turn: Commit) -> None:
    message = tx.conn.execute(_last_message, {"session": turn.session}).scalar() or 0
    action = turn.position.get("action")
    snapshots.write(
        tx,
        held.box,
        turn.session,
        turn.seq,
        turn.state,
        message,
        action if isinstance(action, str) else None,
        variables.visible(tx, held),
        turn.at,
    )


def find(tx: Tx, session: str, seq: int) -> TurnRecord | None:
    held = sessions.view(tx, session)
    row = tx.conn.execute(_one, {"session": session, "seq": seq}).one_or_none()
    return None if row is None else _record(tx, held, row)


def after(tx: Tx, session: str, seq: int, limit: int) -> tuple[TurnRecord, ...]:
    """Those with a higher number than ``seq``, oldest first; their messages are read together."""
    held = sessions.view(tx, session)
    rows = tx.conn.execute(_after, {"session": session, "after": seq, "limit": limit}).all()
    first = min((row.first_message for row in rows if row.first_message is not None), default=0)
    last = max((row.last_message for row in rows if row.last_message is not None), default=0)
    said: dict[int, list[MessageRecord]] = {}
    if first:
        for message in history.messages_after(tx, held.box, session, first - 1, last - first + 1):
            said.setdefault(message.turn, []).append(message)
    return tuple(_finished(held, row, tuple(said.get(row.seq, ()))) for row in rows)


def every(tx: Tx, held: SessionRow) -> tuple[TurnRecord, ...]:
    rows = tx.conn.execute(_all, {"session": held.row.id}).all()
    return tuple(_record(tx, held, row) for row in rows)


def _record(tx: Tx, held: SessionRow, row: Row[Any]) -> TurnRecord:
    said: tuple[MessageRecord, ...] = ()
    if row.first_message is not None:
        count = row.last_message - row.first_message + 1
        said = history.messages_after(tx, held.box, row.session, row.first_message - 1, count)
    return _finished(held, row, said)


def _finished(held: SessionRow, row: Row[Any], said: tuple[MessageRecord, ...]) -> TurnRecord:
    outcome = decode(held.box.open(row.outcome, place("turns", "outcome", row.session, row.seq)))
    grounds = outcome.pop(GROUNDS, None)
    return TurnRecord(row.session, row.seq, row.at, outcome, said, grounds)
