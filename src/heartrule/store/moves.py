"""Sessions that are not over put into another text: at rest, and whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, func, select, update

from heartrule.language.compiling.script import Source
from heartrule.store import bundles, inbox, sessions, snapshots, variables
from heartrule.store.codec import encode
from heartrule.store.crypto import place
from heartrule.store.database import Database, Tx
from heartrule.store.records import StoreError
from heartrule.store.schema import leases, messages, persons
from heartrule.store.schema import sessions as table
from heartrule.store.schema import snapshots as snapshots_table

_open = (
    select(table.c.id)
    .join_from(table, persons, table.c.person == persons.c.id)
    .where(
        persons.c.erasing.is_(False),
        table.c.project == bindparam("project"),
        table.c.trial.is_(None),
        table.c.status != "ended",
        table.c.last_active_at > bindparam("since"),
    )
    .order_by(table.c.bundle, table.c.script, table.c.last_active_at.desc(), table.c.id)
)
"""Those of one text one after the other, so that it is read once however many texts there are."""
_last_message = select(func.max(messages.c.number)).where(messages.c.session == bindparam("session"))
_move = (
    update(table)
    .where(table.c.id == bindparam("of_session"))
    .values(
        bundle=bindparam("new_bundle"),
        release=bindparam("new_release"),
        moved=bindparam("new_moved"),
        state=bindparam("new_state"),
        about=bindparam("new_about"),
        wake_at=bindparam("new_wake_at"),
    )
)
_lease = (
    update(leases)
    .where(leases.c.session == bindparam("of_session"))
    .values(owner=None, until=None, epoch=leases.c.epoch + 1)
)
_unkept = delete(snapshots_table).where(
    snapshots_table.c.session == bindparam("of_session"), snapshots_table.c.turn == bindparam("of_turn")
)


class NotAtRest(StoreError):
    """Somebody is at work on the session, or it has moved on since it was looked at."""


@dataclass(frozen=True, slots=True)
class Move:
    """``seq``: where it stood when ``state`` was worked out."""

    session: str
    seq: int
    bundle: str
    sources: Sequence[Source]
    release: str | None
    state: Mapping[str, Any]
    position: Mapping[str, Any]
    wake_at: datetime | None


class Moves:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def open_of(self, project: str, since: datetime) -> tuple[str, ...]:
        """Sessions of people that are not over, of a project, in which something has happened since."""
        given = {"project": project, "since": since}
        return await self._db.read(lambda tx: tuple(tx.conn.execute(_open, given).scalars()))

    async def move(self, move: Move, now: datetime) -> None:
        """``NotAtRest`` where it cannot be done now; ``Gone``."""
        await self._db.write(_moved, move, now)


def _moved(tx: Tx, move: Move, now: datetime) -> None:
    held = sessions.hold(tx, move.session)
    row = held.row
    held_now = row.owner is not None and row.until > now
    if held_now or row.seq != move.seq or row.latched is not None or inbox.waiting(tx, held.box, move.session):
        raise NotAtRest(move.session)
    bundles.save(tx, move.bundle, move.sources)
    about = sessions.About(move.position, held.about.human, held.about.crisis_since)
    tx.conn.execute(
        _move,
        {
            "of_session": move.session,
            "new_bundle": move.bundle,
            "new_release": move.release,
            "new_moved": move.seq if move.seq else None,
            "new_state": held.box.seal(encode(move.state), place("sessions", "state", move.session)),
            "new_about": sessions.seal_about(held.box, move.session, about),
            "new_wake_at": move.wake_at,
        },
    )
    tx.conn.execute(_lease, {"of_session": move.session})
    _keep(tx, sessions.hold(tx, move.session), move, now)


def _keep(tx: Tx, held: sessions.SessionRow, move: Move, now: datetime) -> None:
    """Turns from here on are worked out again from this state; those before it from what was kept before."""
    tx.conn.execute(_unkept, {"of_session": move.session, "of_turn": move.seq})
    message = tx.conn.execute(_last_message, {"session": move.session}).scalar() or 0
    action = move.position.get("action")
    named = action if isinstance(action, str) else None
    values = variables.visible(tx, held)
    snapshots.write(tx, held.box, move.session, move.seq, move.state, message, named, values, now)
