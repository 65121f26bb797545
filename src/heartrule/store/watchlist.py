"""Sessions as those see them who stand by: how each stands, and nothing that was said."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import bindparam, or_, select

from heartrule.store import crisis_index
from heartrule.store.crypto import Unreadable
from heartrule.store.database import Database, Tx
from heartrule.store.records import Gone, HumanRecord
from heartrule.store.schema import persons, sessions
from heartrule.store.sessions import About, open_about

Which = Literal["help", "taken", "all"]
"""Which of those in which something happened lately."""

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
    sessions.c.person,
    sessions.c.about,
)
_whole = (
    select(*_columns)
    .join_from(sessions, persons, sessions.c.person == persons.c.id)
    .where(persons.c.erasing.is_(False), sessions.c.last_active_at > bindparam("since"), sessions.c.trial.is_(None))
    .order_by(sessions.c.last_active_at.desc(), sessions.c.id)
    .limit(bindparam("limit"))
)
# Of everything that came in lately, through its index; how it stands is told by its digest (see ``standing``).
_standing = (
    select(sessions.c.id, sessions.c.seq, sessions.c.standing_digest)
    .where(sessions.c.last_active_at > bindparam("since"), sessions.c.trial.is_(None))
    .order_by(sessions.c.last_active_at.desc(), sessions.c.id)
)
_those = _whole.where(sessions.c.id.in_(bindparam("those", expanding=True)))
_all = _whole.where(or_(sessions.c.status != "ended", sessions.c.id.in_(bindparam("those", expanding=True))))
_some = (
    select(*_columns)
    .join_from(sessions, persons, sessions.c.person == persons.c.id)
    .where(persons.c.erasing.is_(False), sessions.c.id.in_(bindparam("those", expanding=True)))
)
_ended = _whole.where(sessions.c.status == "ended", sessions.c.last_active_at < bindparam("before"))
_latest = _whole.where(sessions.c.last_active_at < bindparam("before"))
_of_projects = sessions.c.project.in_(bindparam("projects", expanding=True))


@dataclass(frozen=True, slots=True)
class WatchedSession:
    """A session without its content. ``status`` as in ``SessionRecord``. ``crisis_since``: it stands, or ended, in a
    technique of the project ``safety``."""

    id: str
    person: str
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

    async def these(self, asked: Collection[str], projects: Collection[str] | None) -> tuple[WatchedSession, ...]:
        """Those of these sessions that are there; with ``projects``, only of theirs."""

        def work(tx: Tx) -> tuple[WatchedSession, ...]:
            statement = _some if projects is None else _some.where(_of_projects)
            rows = tx.conn.execute(statement, {"those": list(asked), "projects": list(projects or ())})
            return tuple(_watched(tx, row) for row in rows.all())

        return await self._db.read(work) if asked else ()

    async def ended(
        self, since: datetime, before: datetime, projects: Collection[str] | None, limit: int
    ) -> tuple[WatchedSession, ...]:
        """That ended, or that something last happened in, between the two; the latest first."""

        def work(tx: Tx) -> tuple[WatchedSession, ...]:
            statement = _ended if projects is None else _ended.where(_of_projects)
            given = {"since": since, "before": before, "limit": limit, "projects": list(projects or ())}
            return tuple(_watched(tx, row) for row in tx.conn.execute(statement, given).all())

        return await self._db.read(work)

    async def latest(
        self, since: datetime, before: datetime, projects: Collection[str] | None, limit: int
    ) -> tuple[WatchedSession, ...]:
        """Everybody's, over or not, that something last happened in between the two; the latest first."""

        def work(tx: Tx) -> tuple[WatchedSession, ...]:
            statement = _latest if projects is None else _latest.where(_of_projects)
            given = {"since": since, "before": before, "limit": limit, "projects": list(projects or ())}
            return tuple(_watched(tx, row) for row in tx.conn.execute(statement, given).all())

        return await self._db.read(work)

    async def moved(self, since: datetime) -> dict[str, int]:
        """Sessions in which something happened after it, with the number of the last turn. Nothing is opened."""

        def work(tx: Tx) -> dict[str, int]:
            return {row.id: row.seq for row in tx.conn.execute(_standing, {"since": since})}

        return await self._db.read(work)

    async def held(self, since: datetime) -> tuple[WatchedSession, ...]:
        """Those that a human holds, in whatever project."""
        return await self.sessions("taken", since, (), None, limit=1000)

    async def sessions(
        self,
        which: Which,
        since: datetime,
        called: Collection[str],
        projects: Collection[str] | None,
        limit: int = 200,
    ) -> tuple[WatchedSession, ...]:
        """Sessions that something happened in after ``since``, the latest first. ``help``: somebody may be needed there
        (a crisis, a human, or one of ``called``); ``taken``: a human holds them. ``projects``: only of these."""
        values: dict[str, Any] = {"since": since, "limit": limit, "projects": list(projects or ())}

        def work(tx: Tx) -> tuple[WatchedSession, ...]:
            some = _standing if projects is None else _standing.where(_of_projects)
            index, wanted = tx.keys.index(), _WANTED[which]
            those = [
                row.id
                for row in tx.conn.execute(some, values)
                if crisis_index.stands(index, row.id, row.seq, row.standing_digest, wanted)
            ][:limit]
            statement = _all if which == "all" else _those
            statement = statement if projects is None else statement.where(_of_projects)
            given = {**values, "those": those if which == "taken" else [*those, *called]}
            return tuple(_watched(tx, row) for row in tx.conn.execute(statement, given).all())

        return await self._db.read(work)


_WANTED = {"help": (*crisis_index.CRISES, (False, True)), "taken": crisis_index.HUMANS, "all": crisis_index.CRISES}


def _watched(tx: Tx, row: Any) -> WatchedSession:
    about = _about(tx, row)
    return WatchedSession(
        id=row.id,
        person=row.person,
        project=row.project,
        script=row.script,
        locale=row.locale,
        status=row.status,
        seq=row.seq,
        created_at=row.created_at,
        last_active_at=row.last_active_at,
        ended_at=row.ended_at,
        human=about.human,
        crisis_since=about.crisis_since,
    )


def _about(tx: Tx, row: Any) -> About:
    """Of a person who is being erased nothing can be read any more."""
    try:
        return open_about(tx.keys.box(row.person), row)
    except (Gone, Unreadable):
        return About({})
