"""What sessions of a release came to: sums in clear, and of the newest of them how each ended, which nobody can tell
without opening it. Nothing that was said is read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Table, bindparam, case, func, select

from heartrule.store import history
from heartrule.store.database import Database, Tx
from heartrule.store.schema import attempts, leases, persons, reports, reviews, sessions, turns
from heartrule.store.sessions import SessionRow

KINDS = ("awareness", "fault")

_bad = reviews.c.verdict != "fitting"
_mine = sessions.c.release == bindparam("release")
_newest = (
    select(sessions, leases.c.owner, leases.c.epoch, leases.c.until, leases.c.bytes)
    .join_from(sessions, persons, sessions.c.person == persons.c.id)
    .join(leases, leases.c.session == sessions.c.id)
    .where(persons.c.erasing.is_(False), _mine, sessions.c.trial.is_(None), sessions.c.moved.is_(None))
    .order_by(sessions.c.created_at.desc(), sessions.c.id)
    .limit(bindparam("limit"))
)


@dataclass(frozen=True, slots=True)
class Sums:
    """``cost``: in millionths, by currency. ``reported``, ``reviewed`` and ``unsuitable``: replies."""

    sessions: int
    turns: int
    calls: int
    cost: tuple[tuple[str, int], ...]
    reported: int
    reviewed: int
    unsuitable: int


@dataclass(frozen=True, slots=True)
class Course:
    """How far a session has come: ``reason`` why it ended, ``phase`` and ``topic`` where it stands. ``noticed``: the
    awareness scripts that hit; ``faults``: what could not be done as written."""

    status: str
    last_active_at: datetime
    ended: bool
    reason: str
    phase: str
    topic: str
    noticed: tuple[str, ...]
    faults: int


class ReleaseFigures:
    """Every method is one transaction. Sessions that were moved to a release are in none of its figures."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def sums(self, release: str) -> Sums:
        def work(tx: Tx) -> Sums:
            given = {"release": release}
            asked = func.sum(case((attempts.c.provider.is_not(None), 1), else_=0))
            paid = (
                select(attempts.c.currency, func.sum(attempts.c.cost).label("cost"))
                .join_from(attempts, sessions, sessions.c.id == attempts.c.session)
                .where(_mine, sessions.c.moved.is_(None), attempts.c.cost.is_not(None))
                .group_by(attempts.c.currency)
                .order_by(attempts.c.currency)
            )
            counted = select(func.count()).select_from(sessions).where(_mine, sessions.c.moved.is_(None))
            return Sums(
                sessions=int(tx.conn.execute(counted, given).scalar() or 0),
                turns=_sum(tx, turns, func.count(), given),
                calls=_sum(tx, attempts, asked, given),
                cost=tuple((row.currency, int(row.cost)) for row in tx.conn.execute(paid, given)),
                reported=_sum(tx, reports, func.count(), given),
                reviewed=_sum(tx, reviews, func.count(), given),
                unsuitable=_sum(tx, reviews, func.sum(case((_bad, 1), else_=0)), given),
            )

        return await self._db.read(work)

    async def courses(self, release: str, limit: int = 400) -> tuple[Course, ...]:
        """Of the newest sessions."""

        def work(tx: Tx) -> tuple[Course, ...]:
            rows = tx.conn.execute(_newest, {"release": release, "limit": limit}).all()
            return tuple(_course(tx, SessionRow(row, tx.keys.box(row.person))) for row in rows)

        return await self._db.read(work)


def _sum(tx: Tx, table: Table, what: ColumnElement[Any], given: dict[str, Any]) -> int:
    statement = select(what).select_from(table.join(sessions, sessions.c.id == table.c.session))
    return int(tx.conn.execute(statement.where(_mine, sessions.c.moved.is_(None)), given).scalar() or 0)


def _course(tx: Tx, held: SessionRow) -> Course:
    row, position = held.row, held.about.position
    state = held.state if row.status == "ended" else None
    reason = str(state.get("end_reason") or "") if isinstance(state, dict) else ""
    found = history.read_events(tx, held.box, row.id, KINDS, None, None)
    hits = {str(each.data.get("awareness", "")) for each in found if _is_hit(each.kind, each.data)}
    return Course(
        status=row.status,
        last_active_at=row.last_active_at,
        ended=row.ended_at is not None,
        reason=reason,
        phase=_named(position.get("phase")),
        topic=_named(position.get("topic")),
        noticed=tuple(sorted(hits)),
        faults=sum(each.kind == "fault" for each in found),
    )


def _is_hit(kind: str, data: Any) -> bool:
    return kind == "awareness" and data.get("verdict") == "yes"


def _named(part: Any) -> str:
    return str(part.get("id", "")) if isinstance(part, dict) else ""
