"""Escalations: whom a turn wanted told that a person needs help, and what came of it. The rows outlive session and
person; the note does not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row, bindparam, case, func, insert, select, update

from heartrule.store import outbox
from heartrule.store.codec import decode_text, encode_text
from heartrule.store.crypto import Unreadable, place
from heartrule.store.database import Database, Tx
from heartrule.store.records import Commit, Gone
from heartrule.store.schema import escalations, sessions
from heartrule.store.sessions import Held

KIND = "escalation"
"""The kind of an outbox row that belongs to an escalation of the same id."""
Status = Literal["open", "delivering", "delivered", "acknowledged", "failed"]
LONGEST = 200
"""Characters of a name that are kept."""

_insert = insert(escalations)
_one = select(escalations).where(escalations.c.id == bindparam("id"))
_newest = select(escalations).order_by(escalations.c.at.desc(), escalations.c.id.desc()).limit(bindparam("limit"))
_unacknowledged = _newest.where(escalations.c.acknowledged_at.is_(None))
_there = select(sessions.c.id)
_of_projects = _there.where(sessions.c.project.in_(bindparam("projects", expanding=True)))
_of_session = (
    select(escalations)
    .where(escalations.c.session == bindparam("session"))
    .order_by(escalations.c.at.desc(), escalations.c.id.desc())
)
_begin = (
    update(escalations)
    .where(escalations.c.id == bindparam("of_id"), escalations.c.status == "open")
    .values(status="delivering")
)
_acknowledge = (
    update(escalations)
    .where(escalations.c.id == bindparam("of_id"), escalations.c.acknowledged_at.is_(None))
    .values(status="acknowledged", acknowledged_at=bindparam("now"), acknowledged_by=bindparam("by"))
)
_settle = (
    update(escalations)
    .where(escalations.c.id == bindparam("of_id"))
    .values(
        # What somebody has acknowledged already stays so, whatever becomes of its delivery.
        status=case((escalations.c.acknowledged_at.is_not(None), "acknowledged"), else_=bindparam("new_status")),
        attempts=bindparam("new_attempts"),
        last_error=bindparam("new_error"),
        delivered_at=bindparam("new_delivered_at"),
    )
)
_forget = update(escalations).where(escalations.c.person == bindparam("of_person")).values(note=None)
_counts = select(escalations.c.status, func.count()).group_by(escalations.c.status)
_oldest = select(func.min(escalations.c.at)).where(escalations.c.acknowledged_at.is_(None))


@dataclass(frozen=True, slots=True)
class EscalationRecord:
    """An escalation without its note. ``attempts`` counts finished ones; ``last_error`` is a kind of fault."""

    id: str
    session: str
    person: str
    turn: int
    to: str
    cause: str
    level: str | None
    status: Status
    at: datetime
    attempts: int
    last_error: str | None
    delivered_at: datetime | None
    acknowledged_by: str | None
    acknowledged_at: datetime | None


@dataclass(frozen=True, slots=True)
class Tally:
    """How many escalations stand where; ``oldest`` is the earliest that nobody has acknowledged."""

    counts: Mapping[str, int]
    oldest: datetime | None


def add(tx: Tx, held: Held, turn: Commit) -> None:
    """The turn's escalations, and what delivers each of them, in the turn's own transaction."""
    for new in turn.escalations:
        row = f"{turn.session}/{new.id}"
        note = held.box.seal(encode_text(new.note), _place(row)) if new.note else None
        values = {
            "id": row,
            "session": turn.session,
            "person": held.row.person,
            "turn": turn.seq,
            "to": new.to[:LONGEST],
            "cause": new.cause[:LONGEST],
            "level": new.level,
            "status": "open",
            "at": turn.at,
            "attempts": 0,
            "note": note,
        }
        tx.conn.execute(_insert, values)
        outbox.add(tx, row, KIND, turn.at)


def forget(connection: Connection, person: str) -> None:
    connection.execute(_forget, {"of_person": person})


def _place(row: str) -> bytes:
    return place("escalations", "note", row)


def _record(row: Row[Any]) -> EscalationRecord:
    values = row._asdict()
    values.pop("note")
    return EscalationRecord(**values)


def settled(
    escalation: str,
    *,
    status: Status,
    attempts: int,
    error: str | None = None,
    delivered_at: datetime | None = None,
) -> Callable[[Tx], None]:
    """The effect of a finished attempt, for the transaction that settles its outbox row."""

    def work(tx: Tx) -> None:
        values = {
            "of_id": escalation,
            "new_status": status,
            "new_attempts": attempts,
            "new_error": error and error[:LONGEST],
            "new_delivered_at": delivered_at,
        }
        tx.conn.execute(_settle, values)

    return work


class Escalations:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def find(self, escalation: str) -> EscalationRecord | None:
        def work(tx: Tx) -> EscalationRecord | None:
            row = tx.conn.execute(_one, {"id": escalation}).one_or_none()
            return None if row is None else _record(row)

        return await self._db.read(work)

    async def newest(self, limit: int = 100, *, unacknowledged: bool = False) -> tuple[EscalationRecord, ...]:
        """The newest first; all, or those that nobody has acknowledged."""

        def work(tx: Tx) -> tuple[EscalationRecord, ...]:
            rows = tx.conn.execute(_unacknowledged if unacknowledged else _newest, {"limit": limit}).all()
            return tuple(_record(row) for row in rows)

        return await self._db.read(work)

    async def attended(
        self, projects: Collection[str] | None, limit: int, *, unacknowledged: bool = True
    ) -> tuple[EscalationRecord, ...]:
        """The newest first, of sessions that are still there; with ``projects``, only of theirs."""
        whose = _there if projects is None else _of_projects
        statement = (_unacknowledged if unacknowledged else _newest).where(escalations.c.session.in_(whose))
        given: dict[str, Any] = {"limit": limit} | ({} if projects is None else {"projects": list(projects)})

        def work(tx: Tx) -> tuple[EscalationRecord, ...]:
            return tuple(_record(row) for row in tx.conn.execute(statement, given))

        return await self._db.read(work)

    async def of_session(self, session: str) -> tuple[EscalationRecord, ...]:
        """All of it, the newest first."""

        def work(tx: Tx) -> tuple[EscalationRecord, ...]:
            return tuple(_record(row) for row in tx.conn.execute(_of_session, {"session": session}))

        return await self._db.read(work)

    async def note(self, escalation: str) -> str | None:
        """What the script had to say with it; None where there was nothing, or its person has been erased."""

        def work(tx: Tx) -> str | None:
            row = tx.conn.execute(_one, {"id": escalation}).one_or_none()
            if row is None or row.note is None:
                return None
            try:
                return decode_text(tx.keys.box(row.person).open(row.note, _place(escalation)))
            except (Gone, Unreadable):
                return None

        return await self._db.read(work)

    async def begin(self, escalation: str) -> None:
        """An open one is being delivered from now on."""

        def work(tx: Tx) -> None:
            tx.conn.execute(_begin, {"of_id": escalation})

        await self._db.write(work)

    async def acknowledge(self, escalation: str, by: str, now: datetime) -> bool:
        """Somebody has seen it. False when there is none, or somebody had before. Its delivery goes on."""

        def work(tx: Tx) -> bool:
            return tx.conn.execute(_acknowledge, {"of_id": escalation, "by": by[:LONGEST], "now": now}).rowcount == 1

        return await self._db.write(work)

    async def tally(self) -> Tally:
        def work(tx: Tx) -> Tally:
            counts = {row[0]: row[1] for row in tx.conn.execute(_counts)}
            return Tally(counts, tx.conn.execute(_oldest).scalar())

        return await self._db.read(work)
