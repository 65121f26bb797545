"""Snapshots: the state and the variables as they stood after a turn, now and then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, select

from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, place
from heartrule.store.database import Tx
from heartrule.store.records import SnapshotRecord, VariableRecord
from heartrule.store.schema import snapshots

EVERY = 20
"""Turns between snapshots. There is one of the beginning, too."""

_insert = insert(snapshots)
_last = (
    select(snapshots)
    .where(snapshots.c.session == bindparam("session"), snapshots.c.turn <= bindparam("upto"))
    .order_by(snapshots.c.turn.desc())
    .limit(1)
)


def write(
    tx: Tx,
    box: Box,
    session: str,
    turn: int,
    state: Mapping[str, Any],
    message: int,
    action: str | None,
    variables: Sequence[VariableRecord],
    at: datetime,
) -> None:
    held = [_plain(variable) for variable in variables]
    tx.conn.execute(
        _insert,
        {
            "session": session,
            "turn": turn,
            "format": state.get("format", 0),
            "message": message,
            "at": at,
            "state": box.seal(encode([action, state]), place("snapshots", "state", session, turn)),
            "variables": box.seal(encode(held), place("snapshots", "variables", session, turn)),
        },
    )


def last(tx: Tx, box: Box, session: str, upto: int) -> SnapshotRecord | None:
    """The newest one that was taken at turn ``upto`` or before."""
    row = tx.conn.execute(_last, {"session": session, "upto": upto}).one_or_none()
    if row is None:
        return None
    action, state = decode(box.open(row.state, place("snapshots", "state", session, row.turn)))
    held = decode(box.open(row.variables, place("snapshots", "variables", session, row.turn)))
    return SnapshotRecord(
        session=session,
        turn=row.turn,
        format=row.format,
        action=action,
        message=row.message,
        at=row.at,
        state=state,
        variables=tuple(_record(one) for one in held),
    )


def _plain(variable: VariableRecord) -> dict[str, Any]:
    return {
        "scope": variable.scope,
        "scope_key": variable.scope_key,
        "name": variable.name,
        "value": variable.value,
        "type": variable.type,
        "updated_at": variable.updated_at.isoformat(),
        "updated_by": variable.updated_by,
        "strategy": variable.strategy,
        "evidence": variable.evidence,
    }


def _record(held: Mapping[str, Any]) -> VariableRecord:
    return VariableRecord(**{**held, "updated_at": datetime.fromisoformat(held["updated_at"])})
