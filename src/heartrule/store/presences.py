"""Who of the staff has said that they are there, until when, and for which projects; and when each of them last gave a
sign of life, there or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, delete, select, update

from heartrule.store.database import Database, Tx
from heartrule.store.dialects import upsert
from heartrule.store.schema import presences

EVERY = "*"
_now = select(presences).where(presences.c.until > bindparam("now"))
_gone = (
    update(presences)
    .where(presences.c.who == bindparam("of_who"), presences.c.until > bindparam("now"))
    .values(until=bindparam("now"))
)
_seen = select(presences).where(presences.c.seen_at >= bindparam("since"))
_old = delete(presences).where(presences.c.seen_at < bindparam("before"))
KEPT = timedelta(days=1)
"""So long after somebody's last sign of life it is known when it was."""


@dataclass(frozen=True, slots=True)
class Present:
    """``who`` is an id of the operator's staff, ``name`` what persons are shown; ``projects``: whose sessions they may
    see. ``until``: until then they are there for persons; ``seen_at``: their last sign of life."""

    who: str
    projects: tuple[str, ...]
    until: datetime
    seen_at: datetime
    name: str

    def is_for(self, project: str, now: datetime) -> bool:
        return self.until > now and (EVERY in self.projects or project in self.projects)


class Presences:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def come(self, who: str, name: str, projects: Sequence[str], now: datetime, until: datetime) -> None:
        """There for persons from now on."""

        def work(tx: Tx) -> None:
            values = _values(who, name, projects, now, until)
            tx.conn.execute(upsert(tx.conn, presences, ("projects", "until", "seen_at", "name")), values)

        await self._db.write(work)

    async def alive(self, who: str, name: str, projects: Sequence[str], now: datetime) -> None:
        """A sign of life, whether they are there for persons or not."""

        def work(tx: Tx) -> None:
            tx.conn.execute(_old, {"before": now - KEPT})
            values = _values(who, name, projects, now, now)
            tx.conn.execute(upsert(tx.conn, presences, ("projects", "seen_at", "name")), values)

        await self._db.write(work)

    async def seen_since(self, since: datetime) -> tuple[Present, ...]:
        """Those who have given a sign of life."""

        def work(tx: Tx) -> tuple[Present, ...]:
            return tuple(_present(row) for row in tx.conn.execute(_seen, {"since": since}))

        return await self._db.read(work)

    async def go(self, who: str, now: datetime) -> None:
        def work(tx: Tx) -> None:
            tx.conn.execute(_gone, {"of_who": who, "now": now})

        await self._db.write(work)

    async def now(self, now: datetime) -> tuple[Present, ...]:
        """Those who are there."""

        def work(tx: Tx) -> tuple[Present, ...]:
            return tuple(_present(row) for row in tx.conn.execute(_now, {"now": now}))

        return await self._db.read(work)


def _values(who: str, name: str, projects: Sequence[str], now: datetime, until: datetime) -> dict[str, Any]:
    return {"who": who, "projects": "\n".join(projects), "until": until, "seen_at": now, "name": name}


def _present(row: Row[Any]) -> Present:
    return Present(row.who, tuple(row.projects.split("\n")), row.until, row.seen_at, row.name)
