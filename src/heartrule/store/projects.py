"""Projects of the workbench: their files, every version of them, and what somebody is typing. Scripts are not personal:
texts are kept once under their hash, beside those that sessions are pinned to."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import uuid4

from sqlalchemy import bindparam, delete, insert, select, update

from heartrule.store.codec import decode, decode_clear, decode_text, encode, encode_clear, encode_text
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import insert_missing, upsert
from heartrule.store.records import StoreError
from heartrule.store.schema import project_drafts, project_files, project_runs, project_versions, projects, sources

_LATER = 30
"""Versions that a listing gives at most, where it is not said."""

_all = select(projects).order_by(projects.c.created_at, projects.c.id)
_of_owner = _all.where(projects.c.owner == bindparam("owner"))
_one = select(projects).where(projects.c.id == bindparam("project"))
_these = _all.where(projects.c.id.in_(bindparam("these", expanding=True)))
_held = _one.with_for_update()
_files = (
    select(project_files.c.path, sources.c.text)
    .join_from(project_files, sources, project_files.c.sha256 == sources.c.sha256)
    .where(project_files.c.project == bindparam("project"), project_files.c.number == bindparam("number"))
    .order_by(project_files.c.path)
)
_version = select(project_versions).where(
    project_versions.c.project == bindparam("project"), project_versions.c.number == bindparam("number")
)
_versions = (
    select(project_versions)
    .where(project_versions.c.project == bindparam("project"), project_versions.c.number < bindparam("before"))
    .order_by(project_versions.c.number.desc())
    .limit(bindparam("many"))
)
_drafts = select(project_drafts).where(
    project_drafts.c.project == bindparam("project"), project_drafts.c.author == bindparam("author")
)
_drop_draft = delete(project_drafts).where(
    project_drafts.c.project == bindparam("of_project"),
    project_drafts.c.author == bindparam("of_author"),
    project_drafts.c.tab == bindparam("of_tab"),
)
_drop_drafts = delete(project_drafts).where(project_drafts.c.project == bindparam("of_project"))
_drop_runs = delete(project_runs).where(project_runs.c.project == bindparam("of_project"))
_drop = delete(projects).where(projects.c.id == bindparam("of_project"))
_named = update(projects).where(projects.c.id == bindparam("of_project")).values(name=bindparam("new_name"))
_raised = update(projects).where(projects.c.id == bindparam("of_project")).values(version=bindparam("new_version"))
_laid = update(projects).where(projects.c.id == bindparam("of_project")).values(layout=bindparam("new_layout"))
_run = select(project_runs).where(project_runs.c.project == bindparam("project"))
NEVER = 2**31 - 1


class NoSuchProject(StoreError):
    """There is no project of this id, or no such version of it."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who writes: an id of the staff, and the name that others read."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ProjectRecord:
    id: str
    name: str
    owner: str
    version: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """``changed``: the files that are other than in the version before."""

    number: int
    author: Author
    at: datetime
    note: str
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DraftRecord:
    """What a tab of an author holds that is not saved: None where a file is to go. ``base``: the version below it."""

    tab: str
    at: datetime
    base: int
    texts: Mapping[str, str | None] = field(repr=False)


class Moved(StoreError):
    """Somebody else has changed the same files since. ``there``: those as they are now; None: they are gone."""

    def __init__(self, version: VersionRecord, there: Mapping[str, str | None]) -> None:
        super().__init__(f"changed in version {version.number}")
        self.version, self.there = version, there


class Projects:
    """Every method is one transaction. ``NoSuchProject`` where there is none."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def make(
        self, name: str, texts: Mapping[str, str], author: Author, note: str, now: datetime
    ) -> ProjectRecord:
        def work(tx: Tx) -> ProjectRecord:
            project = uuid4().hex[:16]
            row = {"id": project, "name": name, "owner": author.id, "version": 1, "created_at": now, "layout": "{}"}
            tx.conn.execute(insert(projects), row)
            _write(tx, project, 1, texts, sorted(texts), author, note, now)
            return ProjectRecord(project, name, author.id, 1, now)

        return await self._db.write(work)

    async def all(self, owner: str | None = None) -> tuple[ProjectRecord, ...]:
        """Those that ``owner`` made, else everybody's; the oldest first."""

        def work(tx: Tx) -> tuple[ProjectRecord, ...]:
            rows = tx.conn.execute(_of_owner, {"owner": owner}) if owner is not None else tx.conn.execute(_all)
            return tuple(map(_record, rows.all()))

        return await self._db.read(work)

    async def find(self, project: str) -> ProjectRecord | None:
        def work(tx: Tx) -> ProjectRecord | None:
            row = tx.conn.execute(_one, {"project": project}).one_or_none()
            return _record(row) if row is not None else None

        return await self._db.read(work)

    async def rename(self, project: str, name: str) -> None:
        await self._db.write(lambda tx: tx.conn.execute(_named, {"of_project": project, "new_name": name}) and None)

    async def remove(self, project: str) -> None:
        """With all its versions and what anybody is typing. Sessions that were begun with it stand."""

        def work(tx: Tx) -> None:
            for statement in (_drop_drafts, _drop_runs, _drop):
                tx.conn.execute(statement, {"of_project": project})

        await self._db.write(work)

    # versions

    async def texts(self, project: str, number: int | None = None) -> tuple[VersionRecord, dict[str, str]]:
        """A version with its files, the newest without ``number``."""

        def work(tx: Tx) -> tuple[VersionRecord, dict[str, str]]:
            return _whole(tx, project, number if number is not None else _standing(tx, project))

        return await self._db.read(work)

    async def versions(self, project: str, before: int = NEVER, many: int = _LATER) -> tuple[VersionRecord, ...]:
        """The newest first."""

        def work(tx: Tx) -> tuple[VersionRecord, ...]:
            rows = tx.conn.execute(_versions, {"project": project, "before": before, "many": many})
            return tuple(map(_version_of, rows.all()))

        return await self._db.read(work)

    async def save(
        self,
        project: str,
        base: int,
        changes: Mapping[str, str | None],
        author: Author,
        note: str,
        now: datetime,
    ) -> VersionRecord:
        """A new version: the newest with these files in it, or without those that are None. The newest where nothing
        is other than it was. ``Moved`` where one of these files has been changed since ``base``."""

        def work(tx: Tx) -> VersionRecord:
            number = _held_version(tx, project)
            newest, there = _whole(tx, project, number)
            if base != number:
                _, known = _whole(tx, project, base)
                clash = {
                    path: there.get(path)
                    for path, text in changes.items()
                    if there.get(path) != known.get(path) and there.get(path) != text
                }
                if clash:
                    raise Moved(newest, clash)
            after = {**there, **{path: text for path, text in changes.items() if text is not None}}
            after = {path: text for path, text in after.items() if changes.get(path, "") is not None}
            changed = sorted(path for path in {*there, *after} if there.get(path) != after.get(path))
            if not changed:
                return newest
            return _write(tx, project, number + 1, after, changed, author, note, now)

        return await self._db.write(work)

    async def write_history(
        self,
        name: str,
        history: Sequence[tuple[Author, datetime, str, Mapping[str, str]]],
        owner: Author,
        now: datetime,
    ) -> ProjectRecord:
        """A project made of versions that were saved elsewhere, the oldest first."""

        def work(tx: Tx) -> ProjectRecord:
            project, number = uuid4().hex[:16], len(history)
            row = {"id": project, "name": name, "owner": owner.id, "version": 1, "created_at": now, "layout": "{}"}
            tx.conn.execute(insert(projects), row)
            before: Mapping[str, str] = {}
            for index, (author, at, note, texts) in enumerate(history, 1):
                changed = sorted(path for path in {*before, *texts} if before.get(path) != texts.get(path))
                _write(tx, project, index, texts, changed, author, note, at)
                before = texts
            return ProjectRecord(project, name, owner.id, number, now)

        return await self._db.write(work)

    # what is being typed

    async def draft(
        self, project: str, author: str, tab: str, base: int, texts: Mapping[str, str | None], now: datetime
    ) -> tuple[DraftRecord, ...]:
        """Keeps what a tab holds in place of what it held. All drafts of the author on this project."""

        def work(tx: Tx) -> tuple[DraftRecord, ...]:
            values = {"project": project, "author": author, "tab": tab, "at": now, "base": base}
            tx.conn.execute(
                upsert(tx.conn, project_drafts, ("at", "base", "texts")), {**values, "texts": encode(texts)}
            )
            return _drafts_of(tx, project, author)

        return await self._db.write(work)

    async def drafts(self, project: str, author: str) -> tuple[DraftRecord, ...]:
        return await self._db.read(_drafts_of, project, author)

    async def drop_draft(self, project: str, author: str, tab: str) -> None:
        given = {"of_project": project, "of_author": author, "of_tab": tab}
        await self._db.write(lambda tx: tx.conn.execute(_drop_draft, given) and None)

    # beside the texts

    async def layout(self, project: str) -> Any:
        def work(tx: Tx) -> Any:
            row = tx.conn.execute(_one, {"project": project}).one_or_none()
            if row is None:
                raise NoSuchProject(project)
            return decode_clear(row.layout)

        return await self._db.read(work)

    async def lay_out(self, project: str, layout: Any) -> None:
        given = {"of_project": project, "new_layout": encode_clear(layout)}
        await self._db.write(lambda tx: tx.conn.execute(_laid, given) and None)

    async def keep_run(self, project: str, result: Any, now: datetime) -> None:
        """What the last run of its tests came to, in place of the one before."""
        given = {"project": project, "at": now, "result": encode(result)}
        await self._db.write(
            lambda tx: tx.conn.execute(upsert(tx.conn, project_runs, ("at", "result")), given) and None
        )

    async def run(self, project: str) -> tuple[datetime, Any] | None:
        def work(tx: Tx) -> tuple[datetime, Any] | None:
            row = tx.conn.execute(_run, {"project": project}).one_or_none()
            return (row.at, decode(bytes(row.result))) if row is not None else None

        return await self._db.read(work)


def projects_of(tx: Tx, these: Collection[str]) -> tuple[ProjectRecord, ...]:
    """Those of these ids, the oldest first."""
    return tuple(map(_record, tx.conn.execute(_these, {"these": list(these)}).all())) if these else ()


def _record(row: Any) -> ProjectRecord:
    return ProjectRecord(row.id, row.name, row.owner, row.version, row.created_at)


def _version_of(row: Any) -> VersionRecord:
    changed = tuple(decode_clear(row.changed))
    return VersionRecord(row.number, Author(row.author, row.author_name), row.at, row.note, changed)


def _standing(tx: Tx, project: str) -> int:
    row = tx.conn.execute(_one, {"project": project}).one_or_none()
    if row is None:
        raise NoSuchProject(project)
    return int(row.version)


def _held_version(tx: Tx, project: str) -> int:
    """The same, and nobody else saves meanwhile."""
    statement = _held if tx.conn.dialect.name != "sqlite" else _one
    row = tx.conn.execute(statement, {"project": project}).one_or_none()
    if row is None:
        raise NoSuchProject(project)
    return int(row.version)


def _whole(tx: Tx, project: str, number: int) -> tuple[VersionRecord, dict[str, str]]:
    given = {"project": project, "number": number}
    row = tx.conn.execute(_version, given).one_or_none()
    if row is None:
        raise NoSuchProject(project)
    texts = {each.path: decode_text(bytes(each.text)) for each in tx.conn.execute(_files, given).all()}
    return _version_of(row), texts


def _write(
    tx: Tx,
    project: str,
    number: int,
    texts: Mapping[str, str],
    changed: Sequence[str],
    author: Author,
    note: str,
    now: datetime,
) -> VersionRecord:
    hashed = {path: sha256(encode_text(text)).hexdigest() for path, text in texts.items()}
    kept = {hashed[path]: encode_text(text) for path, text in texts.items()}
    if kept:
        rows = [{"sha256": digest, "text": text} for digest, text in sorted(kept.items())]
        tx.conn.execute(insert_missing(tx.conn, sources), rows)
    version = {
        "project": project,
        "number": number,
        "author": author.id,
        "author_name": author.name,
        "at": now,
        "note": note,
        "changed": encode_clear(list(changed)),
    }
    tx.conn.execute(insert(project_versions), version)
    if texts:
        files = [{"project": project, "number": number, "path": path, "sha256": hashed[path]} for path in sorted(texts)]
        tx.conn.execute(insert(project_files), files)
    tx.conn.execute(_raised, {"of_project": project, "new_version": number})
    return VersionRecord(number, author, now, note, tuple(changed))


def _drafts_of(tx: Tx, project: str, author: str) -> tuple[DraftRecord, ...]:
    rows = tx.conn.execute(_drafts, {"project": project, "author": author}).all()
    found = [DraftRecord(row.tab, row.at, row.base, decode(bytes(row.texts))) for row in rows]
    return tuple(sorted(found, key=lambda each: each.at))
