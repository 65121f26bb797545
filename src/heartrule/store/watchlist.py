"""Sessions as those see them who stand by: how each stands, and nothing that was said. Nothing is opened."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import bindparam, or_, select, union_all

from heartrule.store.database import Database, Tx
from heartrule.store.records import HumanRecord
from heartrule.store.schema import persons, sessions

Which = Literal["help", "taken", "all"]

_columns = (
    sessions.c.id,
    sessions.c.project,
    sessions.c.script,
    sessions.c.locale,
    sessions.c.status,
    sessions.c.seq,
    sessions.c.created_at,
    sessions.c.last_active_at,
    sessions.c.ended_at,
    sessions.c.human,
    sessions.c.human_name,
    sessions.c.human_since,
    sessions.c.crisis_since,
)
_whole = (
    select(*_columns)
    .join_from(sessions, persons, sessions.c.person == persons.c.id)
    .where(persons.c.erasing.is_(False), sessions.c.last_active_at > bindparam("since"))
    .order_by(sessions.c.last_active_at.desc(), sessions.c.id)
    .limit(bindparam("limit"))
)
_called = sessions.c.id.in_(bindparam("called", expanding=True))
_all = _whole.where(or_(sessions.c.status != "ended", sessions.c.crisis_since.is_not(None), _called))
# By ids, not by an ``or`` beside ``since``: each has an index of its own, and most sessions of a day are in none.
_held = select(sessions.c.id).where(sessions.c.human_since.is_not(None))
_crises = select(sessions.c.id).where(sessions.c.crisis_since.is_not(None))
_taken = _whole.where(sessions.c.id.in_(_held))
_help = _whole.where(sessions.c.id.in_(union_all(_held, _crises, select(sessions.c.id).where(_called))))
_STATEMENTS = {"all": _all, "taken": _taken, "help": _help}
_of_projects = sessions.c.project.in_(bindparam("projects", expanding=True))


@dataclass(frozen=True, slots=True)
class Watched:
    """A session without its content. ``status`` as in ``SessionRecord``. ``crisis_since``: it stands, or ended, in a
    technique of the project ``safety``."""

    id: str
    project: str
    script: str
    locale: str
    status: str
    seq: int
    created_at: datetime
    last_active_at: datetime
    ended_at: datetime | None
    human: HumanRecord | None
    crisis_since: datetime | None


class Watchlist:
    def __init__(self, database: Database) -> None:
        self._db = database

    async def sessions(
        self,
        which: Which,
        since: datetime,
        called: Collection[str],
        projects: Collection[str] | None,
        limit: int = 200,
    ) -> tuple[Watched, ...]:
        """Sessions that something happened in after ``since``, the latest first. ``help``: somebody may be needed there
        (a crisis, a human, or one of ``called``); ``taken``: a human holds them. ``projects``: only of these."""
        values: dict[str, Any] = {"since": since, "limit": limit, "called": list(called)}

        def work(tx: Tx) -> tuple[Watched, ...]:
            statement, given = _STATEMENTS[which], values
            if projects is not None:
                statement, given = statement.where(_of_projects), {**values, "projects": list(projects)}
            return tuple(_watched(row) for row in tx.conn.execute(statement, given))

        return await self._db.read(work)


def _watched(row: Any) -> Watched:
    return Watched(
        id=row.id,
        project=row.project,
        script=row.script,
        locale=row.locale,
        status=row.status,
        seq=row.seq,
        created_at=row.created_at,
        last_active_at=row.last_active_at,
        ended_at=row.ended_at,
        human=HumanRecord(row.human, row.human_name, row.human_since) if row.human is not None else None,
        crisis_since=row.crisis_since,
    )
