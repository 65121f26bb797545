"""Releases of projects: bundles that do not change, who made, reviewed and published them, and which of them new
sessions begin with. Scripts are not personal: all of it is in clear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Row, bindparam, func, insert, select, update

from heartrule.language.compiling.script import Source
from heartrule.store import bundles
from heartrule.store.codec import decode_clear, encode_clear
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import insert_missing, upsert
from heartrule.store.projects import Author
from heartrule.store.records import StoreError
from heartrule.store.release_schema import release_log, release_proofs, release_rules, release_votes, releases, served
from heartrule.store.schema import debug_sessions, sessions

State = Literal["testing", "gradual", "published", "retired", "halted"]
Verdict = Literal["approve", "changes"]
ProofKind = Literal["tests", "debug", "risk"]

_one = select(releases).where(releases.c.id == bindparam("release"))
_of_project = (
    select(releases).where(releases.c.project == bindparam("project")).order_by(releases.c.number.desc()).limit(200)
)
_all = select(releases).order_by(releases.c.made_at.desc(), releases.c.id).limit(500)
_last = select(func.max(releases.c.number)).where(releases.c.project == bindparam("project"))
_state = update(releases).where(releases.c.id == bindparam("of_release")).values(state=bindparam("new_state"))
_publish = _state.values(publisher_name=bindparam("by"), published_at=bindparam("at"))
_notes = update(releases).where(releases.c.id == bindparam("of_release")).values(notes=bindparam("new_notes"))
_votes = select(release_votes).where(release_votes.c.release == bindparam("release")).order_by(release_votes.c.at)
_proofs = select(release_proofs).where(
    release_proofs.c.project == bindparam("project"), release_proofs.c.digest == bindparam("digest")
)
_rules = select(release_rules).where(release_rules.c.project == bindparam("project"))
_served = select(served).order_by(served.c.slug)
_served_one = select(served).where(served.c.slug == bindparam("slug"))
_log = (
    select(release_log)
    .where(release_log.c.slug == bindparam("slug"))
    .order_by(release_log.c.id.desc())
    .limit(bindparam("limit"))
)
_tried = (
    select(sessions.c.id)
    .where(
        sessions.c.trial == bindparam("project"),
        sessions.c.ended_at.is_not(None),
        sessions.c.bundle.in_(bindparam("bundles", expanding=True)),
    )
    .order_by(sessions.c.ended_at.desc())
    .limit(20)
)
_debugged = (
    select(debug_sessions.c.id)
    .where(debug_sessions.c.script.in_(bindparam("scripts", expanding=True)))
    .order_by(debug_sessions.c.updated_at.desc())
    .limit(20)
)


class NoSuchRelease(StoreError):
    """There is no release of this id."""


class Overtaken(StoreError):
    """What is served has changed since it was looked at."""


@dataclass(frozen=True, slots=True)
class ReleaseRecord:
    """``version``: of the project, whose files it is made of; ``bundle`` names exactly those that run. ``slug``: the id
    in ``project.yaml``, under which it is served."""

    id: str
    project: str
    number: int
    slug: str
    name: str
    version: int
    bundle: str
    state: State
    author: Author
    made_at: datetime
    notes: str = field(repr=False)
    publisher: str = ""
    published_at: datetime | None = None
    key: str = ""
    signature: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Vote:
    who: str
    name: str
    verdict: Verdict
    note: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Proof:
    """Something that was done with exactly these texts."""

    kind: ProofKind
    at: datetime
    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rules:
    """What a project asks of its releases: ``coverage`` in per cent, ``reviewers`` other than the author."""

    coverage: int = 0
    reviewers: int = 0


@dataclass(frozen=True, slots=True)
class ServedRelease:
    """What new sessions of a project begin with: ``candidate`` for ``share`` of the persons, else ``release``; where
    that is None, the folder's. ``former``: what ``release`` took the place of. ``limits``: where the candidate
    halts."""

    slug: str
    project: str
    release: str | None
    former: str | None = None
    candidate: str | None = None
    share: float = 0.0
    limits: Mapping[str, Any] = field(default_factory=dict)
    revision: int = 0


@dataclass(frozen=True, slots=True)
class ReleaseLogEntry:
    """A line of the record: who did ``what`` with which release."""

    release: str
    at: datetime
    who: Author
    what: str
    detail: Mapping[str, Any] = field(default_factory=dict)


class Releases:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    # releases

    async def make(
        self,
        project: str,
        slug: str,
        name: str,
        version: int,
        bundle: tuple[str, Sequence[Source]],
        author: Author,
        notes: str,
        now: datetime,
        signed: tuple[str, str],
    ) -> ReleaseRecord:
        """A new one, in testing. ``bundle``: its hash and sources; ``signed``: the key's name and the signature."""

        def work(tx: Tx) -> ReleaseRecord:
            bundles.save(tx, bundle[0], bundle[1])
            number = int(tx.conn.execute(_last, {"project": project}).scalar() or 0) + 1
            made = {
                "id": f"{project}-{number}",
                "project": project,
                "number": number,
                "slug": slug,
                "name": name,
                "version": version,
                "bundle": bundle[0],
                "state": "testing",
                "author": author.id,
                "author_name": author.name,
                "made_at": now,
                "notes": notes,
                "publisher_name": "",
                "published_at": None,
                "key": signed[0],
                "signature": signed[1],
            }
            tx.conn.execute(insert(releases), made)
            _put_down(tx, slug, ReleaseLogEntry(made["id"], now, author, "made", {"version": version}))  # type: ignore[arg-type]
            return _release(tx.conn.execute(_one, {"release": made["id"]}).one())

        return await self._db.write(work)

    async def find(self, release: str) -> ReleaseRecord | None:
        def work(tx: Tx) -> ReleaseRecord | None:
            row = tx.conn.execute(_one, {"release": release}).one_or_none()
            return None if row is None else _release(row)

        return await self._db.read(work)

    async def of_project(self, project: str) -> tuple[ReleaseRecord, ...]:
        """The newest first."""
        return await self._db.read(
            lambda tx: tuple(map(_release, tx.conn.execute(_of_project, {"project": project}).all()))
        )

    async def all(self) -> tuple[ReleaseRecord, ...]:
        return await self._db.read(lambda tx: tuple(map(_release, tx.conn.execute(_all).all())))

    async def note(self, release: str, notes: str) -> None:
        await self._db.write(lambda tx: tx.conn.execute(_notes, {"of_release": release, "new_notes": notes}) and None)

    async def vote(self, release: ReleaseRecord, vote: Vote) -> None:
        """In place of what they said before."""

        def work(tx: Tx) -> None:
            values = {
                "release": release.id,
                "who": vote.who,
                "name": vote.name,
                "verdict": vote.verdict,
                "note": vote.note,
                "at": vote.at,
            }
            tx.conn.execute(upsert(tx.conn, release_votes, ("name", "verdict", "note", "at")), values)
            who = Author(vote.who, vote.name)
            _put_down(
                tx, release.slug, ReleaseLogEntry(release.id, vote.at, who, "reviewed", {"verdict": vote.verdict})
            )

        await self._db.write(work)

    async def votes(self, release: str) -> tuple[Vote, ...]:
        def work(tx: Tx) -> tuple[Vote, ...]:
            rows = tx.conn.execute(_votes, {"release": release}).all()
            return tuple(Vote(row.who, row.name, row.verdict, row.note, row.at) for row in rows)

        return await self._db.read(work)

    # what was done with exactly these texts

    async def prove(self, project: str, digest: str, proof: Proof) -> None:
        values = {"project": project, "digest": digest, "kind": proof.kind, "at": proof.at}
        await self._db.write(
            lambda tx: (
                tx.conn.execute(
                    upsert(tx.conn, release_proofs, ("at", "result")), {**values, "result": encode_clear(proof.result)}
                )
                and None
            )
        )

    async def proofs(self, project: str, digest: str) -> dict[str, Proof]:
        def work(tx: Tx) -> dict[str, Proof]:
            rows = tx.conn.execute(_proofs, {"project": project, "digest": digest}).all()
            return {row.kind: Proof(row.kind, row.at, decode_clear(row.result)) for row in rows}

        return await self._db.read(work)

    async def tried(self, project: str, of_bundles: Sequence[str]) -> tuple[str, ...]:
        """Sessions in which these texts were tried and that are over, the last first."""
        given = {"project": project, "bundles": list(of_bundles)}
        return await self._db.read(lambda tx: tuple(tx.conn.execute(_tried, given).scalars()))

    async def debugged(self, scripts: Sequence[str]) -> tuple[str, ...]:
        """Debug sessions of these scripts, the last first."""
        given = {"scripts": list(scripts)}
        return await self._db.read(lambda tx: tuple(tx.conn.execute(_debugged, given).scalars()))

    async def rules(self, project: str) -> Rules:
        def work(tx: Tx) -> Rules:
            row = tx.conn.execute(_rules, {"project": project}).one_or_none()
            return Rules() if row is None else Rules(row.coverage, row.reviewers)

        return await self._db.read(work)

    async def set_rules(self, project: str, slug: str, rules: Rules, who: Author, now: datetime) -> None:
        def work(tx: Tx) -> None:
            values = {"project": project, "coverage": rules.coverage, "reviewers": rules.reviewers}
            tx.conn.execute(upsert(tx.conn, release_rules, ("coverage", "reviewers")), values)
            detail = {"coverage": rules.coverage, "reviewers": rules.reviewers}
            _put_down(tx, slug, ReleaseLogEntry("", now, who, "rules", detail))

        await self._db.write(work)

    # what is served

    async def served(self) -> tuple[ServedRelease, ...]:
        return await self._db.read(lambda tx: tuple(map(_serving, tx.conn.execute(_served).all())))

    async def serving(self, slug: str) -> ServedRelease | None:
        def work(tx: Tx) -> ServedRelease | None:
            row = tx.conn.execute(_served_one, {"slug": slug}).one_or_none()
            return None if row is None else _serving(row)

        return await self._db.read(work)

    async def serve(
        self, before: ServedRelease | None, after: ServedRelease, states: Mapping[str, State], happened: ReleaseLogEntry
    ) -> ServedRelease:
        """``after`` in the place of ``before``, with the new ``states`` of releases; ``Overtaken`` where something else
        is served by now."""

        def work(tx: Tx) -> ServedRelease:
            slug = after.slug
            nothing = {"slug": slug, "project": after.project, "share": 0.0, "limits": "{}", "revision": 0}
            tx.conn.execute(insert_missing(tx.conn, served), nothing)
            values: dict[str, Any] = {
                "project": after.project,
                "release": after.release,
                "former": after.former,
                "candidate": after.candidate,
                "share": after.share,
                "limits": encode_clear(after.limits),
                "revision": served.c.revision + 1,
            }
            revision = before.revision if before is not None else 0
            changed = tx.conn.execute(
                update(served).where(served.c.slug == slug, served.c.revision == revision).values(**values)
            )
            if changed.rowcount != 1:
                raise Overtaken(slug)
            for release, state in states.items():
                tx.conn.execute(_state, {"of_release": release, "new_state": state})
            if happened.what in ("published", "shared") and happened.release:
                by = {"by": happened.who.name, "at": happened.at}
                state = states.get(happened.release, "published")
                tx.conn.execute(_publish, {"of_release": happened.release, "new_state": state, **by})
            _put_down(tx, slug, happened)
            return _serving(tx.conn.execute(_served_one, {"slug": slug}).one())

        return await self._db.write(work)

    async def put_down(self, slug: str, happened: ReleaseLogEntry) -> None:
        await self._db.write(_put_down, slug, happened)

    async def log(self, slug: str, limit: int = 100) -> tuple[ReleaseLogEntry, ...]:
        """The last first."""

        def work(tx: Tx) -> tuple[ReleaseLogEntry, ...]:
            rows = tx.conn.execute(_log, {"slug": slug, "limit": limit}).all()
            return tuple(
                ReleaseLogEntry(row.release, row.at, Author(row.who, row.name), row.what, decode_clear(row.detail))
                for row in rows
            )

        return await self._db.read(work)


def _put_down(tx: Tx, slug: str, happened: ReleaseLogEntry) -> None:
    tx.conn.execute(
        insert(release_log),
        {
            "slug": slug,
            "release": happened.release,
            "at": happened.at,
            "who": happened.who.id,
            "name": happened.who.name,
            "what": happened.what,
            "detail": encode_clear(dict(happened.detail)),
        },
    )


def _release(row: Row[Any]) -> ReleaseRecord:
    return ReleaseRecord(
        id=row.id,
        project=row.project,
        number=row.number,
        slug=row.slug,
        name=row.name,
        version=row.version,
        bundle=row.bundle,
        state=row.state,
        author=Author(row.author, row.author_name),
        made_at=row.made_at,
        notes=row.notes,
        publisher=row.publisher_name,
        published_at=row.published_at,
        key=row.key,
        signature=row.signature,
    )


def _serving(row: Row[Any]) -> ServedRelease:
    return ServedRelease(
        row.slug,
        row.project,
        row.release,
        row.former,
        row.candidate,
        row.share,
        decode_clear(row.limits),
        row.revision,
    )
