"""A session is removed, or words of it are taken back, and others of the person were reminded of it: that is taken out
of what their turns rested on, and out of whatever quotes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select, update

from heartrule.store import erasure, history, memories
from heartrule.store.codec import decode, encode
from heartrule.store.crypto import place
from heartrule.store.database import Tx
from heartrule.store.quotations import Quotations
from heartrule.store.records import VariableRecord
from heartrule.store.schema import sessions, turns
from heartrule.store.sessions import SessionRow, view

GROUNDS, REMINDED = "grounds", ("shared", "new")
"""Where a turn's outcome says what it rested on; and what of it the turn was reminded of."""
_others = select(sessions.c.id).where(
    sessions.c.person == bindparam("person"),
    sessions.c.project == bindparam("project"),
    sessions.c.id != bindparam("session"),
    sessions.c.last_active_at >= bindparam("since"),
)
_turns = select(turns).where(turns.c.session == bindparam("session"))
_change = (
    update(turns)
    .where(turns.c.session == bindparam("of_session"), turns.c.seq == bindparam("of_turn"))
    .values(outcome=bindparam("sealed"))
)

Change = Callable[[Mapping[str, Any]], Mapping[str, Any] | None]


def has_left(tx: Tx, held: SessionRow) -> bool:
    """Whether the session has ever left anything to be remembered."""
    return bool(history.read_events(tx, held.box, held.row.id, ("memory_written",), limit=1))


def forget(tx: Tx, held: SessionRow) -> None:
    """To be called before the session's rows go. Costs nothing where it has left nothing to be remembered."""
    if not has_left(tx, held):
        return
    row = held.row
    quoted = Quotations(each.evidence for each in memories.own(tx, held) if each.evidence)
    where = {"person": row.person, "project": row.project, "session": row.id, "since": row.created_at}
    for other in tx.conn.execute(_others, where).scalars().all():
        found = view(tx, other)
        _change_grounds(tx, found, row.id, lambda _: None)
        erasure.forget_elsewhere(tx, found, quoted)


def take_back(tx: Tx, held: SessionRow, of: str, quoted: Quotations) -> None:
    """Take words that were said in the session ``of`` out of what turns of this one were reminded of."""

    def left(item: Mapping[str, Any]) -> Mapping[str, Any] | None:
        record = VariableRecord(**{**item, "updated_at": datetime.fromisoformat(item["updated_at"])})
        found = memories.without(record, quoted)
        return None if found is None else {**item, "value": found.value, "evidence": found.evidence}

    _change_grounds(tx, held, of, left)


def _change_grounds(tx: Tx, held: SessionRow, of: str, change: Change) -> None:
    """Without them such a turn can be worked out again no more; it stands as it was."""
    named = encode(of)
    for row in tx.conn.execute(_turns, {"session": held.row.id}).all():
        at = place("turns", "outcome", row.session, row.seq)
        stored = held.box.open(row.outcome, at)
        if named not in stored:
            continue
        outcome: dict[str, Any] = decode(stored)
        grounds = outcome.get(GROUNDS)
        if not isinstance(grounds, Mapping):
            continue
        left = {name: _changed(grounds[name], of, change) for name in REMINDED if grounds.get(name)}
        if all(left[name] == grounds[name] for name in left):
            continue
        outcome[GROUNDS] = {**grounds, **left}
        sealed = held.box.seal(encode(outcome), at)
        tx.conn.execute(_change, {"of_session": row.session, "of_turn": row.seq, "sealed": sealed})


def _changed(records: Sequence[Mapping[str, Any]], of: str, change: Change) -> list[Mapping[str, Any]]:
    left = [change(each) if _is_of(each, of) else each for each in records]
    return [each for each in left if each is not None]


def _is_of(record: Mapping[str, Any], session: str) -> bool:
    return record.get("scope") == memories.SCOPE and record["value"].get("session") == session
