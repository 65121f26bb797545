"""Who has a project open just now, and at which node: a row for each tab, which lasts as long as its stream."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, select, update

from heartrule.store.codec import decode_clear, encode_clear
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import upsert
from heartrule.store.projects import Author
from heartrule.store.team_schema import project_presences

MOST = 50
"""Tabs of one project that are told of."""

_here = (
    select(project_presences)
    .where(
        project_presences.c.project.in_(bindparam("projects", expanding=True)),
        project_presences.c.at >= bindparam("since"),
    )
    .order_by(project_presences.c.project, project_presences.c.tab)
)
_move = (
    update(project_presences)
    .where(
        project_presences.c.tab == bindparam("of_tab"),
        project_presences.c.project == bindparam("of_project"),
        project_presences.c.who == bindparam("of_who"),
    )
    .values(at=bindparam("now"), place=bindparam("new_place"))
)
_alive = update(project_presences).where(project_presences.c.tab == bindparam("of_tab")).values(at=bindparam("now"))
_go = delete(project_presences).where(
    project_presences.c.tab == bindparam("of_tab"), project_presences.c.who == bindparam("of_who")
)
_old = delete(project_presences).where(project_presences.c.at < bindparam("before"))


@dataclass(frozen=True, slots=True)
class Here:
    """``place``: what they look at, as their page tells it."""

    tab: str
    project: str
    who: Author
    place: Any


class ProjectPresences:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def come(self, tab: str, project: str, who: Author, now: datetime, before: datetime) -> None:
        """There from now on; those who gave no sign of life since ``before`` are forgotten."""

        def work(tx: Tx) -> None:
            tx.conn.execute(_old, {"before": before})
            values = {"tab": tab, "project": project, "who": who.id, "name": who.name, "at": now, "place": "{}"}
            tx.conn.execute(upsert(tx.conn, project_presences, ("project", "who", "name", "at", "place")), values)

        await self._db.write(work)

    async def move(self, tab: str, project: str, who: str, place: Any, now: datetime) -> bool:
        """Looks at something else. False where the tab is not there."""
        given = {"of_tab": tab, "of_project": project, "of_who": who, "now": now, "new_place": encode_clear(place)}
        return await self._db.write(lambda tx: tx.conn.execute(_move, given).rowcount == 1)

    async def alive(self, tab: str, now: datetime) -> None:
        await self._db.write(lambda tx: tx.conn.execute(_alive, {"of_tab": tab, "now": now}) and None)

    async def go(self, tab: str, who: str) -> None:
        await self._db.write(lambda tx: tx.conn.execute(_go, {"of_tab": tab, "of_who": who}) and None)

    async def here(self, projects: Collection[str], since: datetime) -> dict[str, tuple[Here, ...]]:
        """Those who gave a sign of life since then, by project."""

        def work(tx: Tx) -> dict[str, tuple[Here, ...]]:
            found: dict[str, list[Here]] = {}
            for row in tx.conn.execute(_here, {"projects": list(projects), "since": since}).all():
                one = Here(row.tab, row.project, Author(row.who, row.name), decode_clear(row.place))
                found.setdefault(row.project, []).append(one)
            return {project: tuple(each[:MOST]) for project, each in found.items()}

        return await self._db.read(work)
