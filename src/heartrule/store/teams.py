"""With whom projects are shared, groups of people, and what a copy was made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal
from uuid import uuid4

from sqlalchemy import Row, bindparam, delete, insert, select, update

from heartrule.store.codec import decode_clear, encode_clear
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import upsert
from heartrule.store.projects import ProjectRecord, projects_of
from heartrule.store.team_schema import groups, project_origins, project_sharing

Level = Literal["read", "write"]
GROUP = "group:"
"""Before the id of a group, where either somebody or a group may stand."""

_shares = select(project_sharing).where(project_sharing.c.project == bindparam("project"))
_every_share = select(project_sharing).where(project_sharing.c.who.in_(bindparam("whose", expanding=True)))
_unshare = delete(project_sharing).where(
    project_sharing.c.project == bindparam("of_project"), project_sharing.c.who == bindparam("of_who")
)
_unshare_all = delete(project_sharing).where(project_sharing.c.who == bindparam("of_who"))
_groups = select(groups).order_by(groups.c.name, groups.c.id)
_group = select(groups).where(groups.c.id == bindparam("group"))
_regroup = (
    update(groups)
    .where(groups.c.id == bindparam("of_group"))
    .values(name=bindparam("new_name"), members=bindparam("new_members"))
)
_ungroup = delete(groups).where(groups.c.id == bindparam("of_group"))
_origin = select(project_origins).where(project_origins.c.project == bindparam("project"))


@dataclass(frozen=True, slots=True)
class SharedWith:
    """``who``: an id of the staff, or ``group:`` and the id of a group."""

    who: str
    level: Level


@dataclass(frozen=True, slots=True)
class GroupRecord:
    id: str
    name: str
    owner: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """What a project is a copy of, and what that was called. Its first version is as the origin was."""

    project: str
    name: str


class Teams:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    # projects

    async def shares(self, project: str) -> tuple[SharedWith, ...]:
        return await self._db.read(lambda tx: _of(tx, project))

    async def with_whom(self, project: str) -> tuple[frozenset[str], frozenset[str]]:
        """Who of the staff may write it and who may read it, in groups or by themselves."""

        def work(tx: Tx) -> tuple[frozenset[str], frozenset[str]]:
            known = _of(tx, project)
            teams = {each.id: each for each in _all_groups(tx)} if any(_is_group(each.who) for each in known) else {}
            found: dict[Level, set[str]] = {"read": set(), "write": set()}
            for each in known:
                group = teams.get(each.who.removeprefix(GROUP)) if _is_group(each.who) else None
                found[each.level] |= set(group.members) if group is not None else {each.who}
            return frozenset(found["write"]), frozenset(found["read"])

        return await self._db.read(work)

    async def shared_with(self, who: str) -> tuple[ProjectRecord, ...]:
        """The projects of others that somebody may open."""

        def work(tx: Tx) -> tuple[ProjectRecord, ...]:
            whose = [who, *(GROUP + each.id for each in _all_groups(tx) if who in each.members)]
            found = {row.project for row in tx.conn.execute(_every_share, {"whose": whose}).all()}
            return tuple(each for each in projects_of(tx, found) if each.owner != who)

        return await self._db.read(work)

    async def share(self, project: str, who: str, level: Level | None) -> None:
        """None: no longer."""

        def work(tx: Tx) -> None:
            if level is None:
                tx.conn.execute(_unshare, {"of_project": project, "of_who": who})
            else:
                values = {"project": project, "who": who, "level": level}
                tx.conn.execute(upsert(tx.conn, project_sharing, ("level",)), values)

        await self._db.write(work)

    async def origin(self, project: str) -> Origin | None:
        def work(tx: Tx) -> Origin | None:
            row = tx.conn.execute(_origin, {"project": project}).one_or_none()
            return Origin(row.origin, row.name) if row is not None else None

        return await self._db.read(work)

    async def came_of(self, project: str, origin: Origin) -> None:
        values = {"project": project, "origin": origin.project, "name": origin.name}
        await self._db.write(
            lambda tx: tx.conn.execute(upsert(tx.conn, project_origins, ("origin", "name")), values) and None
        )

    # groups

    async def groups(self) -> tuple[GroupRecord, ...]:
        return await self._db.read(lambda tx: tuple(_all_groups(tx)))

    async def group(self, group: str) -> GroupRecord | None:
        def work(tx: Tx) -> GroupRecord | None:
            row = tx.conn.execute(_group, {"group": group}).one_or_none()
            return _group_of(row) if row is not None else None

        return await self._db.read(work)

    async def make_group(self, name: str, owner: str, members: Iterable[str]) -> GroupRecord:
        made = GroupRecord(uuid4().hex[:16], name, owner, tuple(dict.fromkeys(members)))
        values = {"id": made.id, "name": name, "owner": owner, "members": encode_clear(list(made.members))}
        await self._db.write(lambda tx: tx.conn.execute(insert(groups), values) and None)
        return made

    async def change_group(self, group: str, name: str, members: Iterable[str]) -> None:
        given = {"of_group": group, "new_name": name, "new_members": encode_clear(list(dict.fromkeys(members)))}
        await self._db.write(lambda tx: tx.conn.execute(_regroup, given) and None)

    async def remove_group(self, group: str) -> None:
        """Nothing is shared with it any more."""

        def work(tx: Tx) -> None:
            tx.conn.execute(_unshare_all, {"of_who": GROUP + group})
            tx.conn.execute(_ungroup, {"of_group": group})

        await self._db.write(work)


def _is_group(who: str) -> bool:
    return who.startswith(GROUP)


def _of(tx: Tx, project: str) -> tuple[SharedWith, ...]:
    rows = tx.conn.execute(_shares, {"project": project}).all()
    return tuple(SharedWith(row.who, row.level) for row in sorted(rows, key=lambda each: each.who))


def _all_groups(tx: Tx) -> list[GroupRecord]:
    return [_group_of(row) for row in tx.conn.execute(_groups).all()]


def _group_of(row: Row[Any]) -> GroupRecord:
    return GroupRecord(row.id, row.name, row.owner, tuple(decode_clear(row.members)))
