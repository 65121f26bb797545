"""Sessions and their leases."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, bindparam, exists, insert, or_, select, tuple_, update

from heartrule.store import bundles, crisis_index, snapshots
from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, Unreadable, place
from heartrule.store.database import Tx
from heartrule.store.records import EndedSession, Gone, HumanRecord, NewSession, SessionRecord
from heartrule.store.schema import contacts, inbox, leases, persons, sessions

_contact = exists().where(contacts.c.person == sessions.c.person, contacts.c.confirmed.is_(True)).label("contact")
_whole = (
    select(sessions, _contact, leases.c.owner, leases.c.epoch, leases.c.until, leases.c.bytes)
    .join_from(sessions, persons, sessions.c.person == persons.c.id)
    .join(leases, leases.c.session == sessions.c.id)
    .where(persons.c.erasing.is_(False))
)
_one = _whole.where(sessions.c.id == bindparam("session"))
# The lease is locked as well: of a joined row that is not, PostgreSQL shows what it held before the wait for the lock.
_locked = _one.with_for_update(key_share=True, of=[sessions, leases])
_standing = (
    select(
        sessions.c.id,
        sessions.c.person,
        sessions.c.project,
        sessions.c.seq,
        sessions.c.last_active_at,
        sessions.c.ended_at,
        sessions.c.trial,
        sessions.c.about,
        leases.c.owner,
        leases.c.epoch,
    )
    .join_from(sessions, persons, sessions.c.person == persons.c.id)
    .join(leases, leases.c.session == sessions.c.id)
    .where(persons.c.erasing.is_(False), sessions.c.id == bindparam("session"))
    .with_for_update(key_share=True, of=[sessions, leases])
)
_listed = (
    select(*(column for column in sessions.c if column is not sessions.c.state), _contact)
    .join_from(sessions, persons, sessions.c.person == persons.c.id)
    .where(persons.c.erasing.is_(False))
)
_newest = (
    _listed.where(sessions.c.trial.is_(None))
    .order_by(sessions.c.last_active_at.desc(), sessions.c.id)
    .limit(bindparam("limit"))
)
_unused = (
    select(sessions.c.id)
    .where(sessions.c.last_active_at < bindparam("before"))
    .order_by(sessions.c.last_active_at)
    .limit(bindparam("limit"))
)
_of_person = _listed.where(sessions.c.person == bindparam("person")).order_by(sessions.c.created_at, sessions.c.id)
_newest_of_person = (
    _listed.where(sessions.c.person == bindparam("person"))
    .order_by(sessions.c.created_at.desc(), sessions.c.id.desc())
    .limit(bindparam("limit"))
)
_marked = (
    select(sessions.c.created_at, sessions.c.id)
    .where(sessions.c.id == bindparam("before"), sessions.c.person == bindparam("person"))
    .scalar_subquery()
)
_older_of_person = _newest_of_person.where(tuple_(sessions.c.created_at, sessions.c.id) < _marked)
_seqs = (
    select(sessions.c.id, sessions.c.seq)
    .join_from(sessions, persons, sessions.c.person == persons.c.id)
    .where(persons.c.erasing.is_(False), sessions.c.id.in_(bindparam("sessions", expanding=True)))
)
_ended = (
    select(sessions.c.id, sessions.c.script, sessions.c.bundle, sessions.c.ended_at)
    .join_from(sessions, persons, sessions.c.person == persons.c.id)
    .where(persons.c.erasing.is_(False), sessions.c.ended_at.is_not(None), sessions.c.trial.is_(None))
    .order_by(sessions.c.ended_at, sessions.c.id)
)
_person = select(persons.c.id).where(persons.c.id == bindparam("person"), persons.c.erasing.is_(False))
_lease = (
    update(leases)
    .where(leases.c.session == bindparam("of_session"))
    .values(owner=bindparam("owner"), epoch=bindparam("epoch"), until=bindparam("until"))
)
_holder = select(leases.c.owner, leases.c.epoch).where(leases.c.session == bindparam("session"))
_release = (
    update(leases)
    .where(
        leases.c.session == bindparam("of_session"),
        leases.c.owner == bindparam("of_owner"),
        leases.c.epoch == bindparam("of_epoch"),
    )
    .values(owner=None, until=None)
)
_owners = (
    select(leases.c.owner)
    .where(
        leases.c.owner.is_not(None),
        leases.c.until > bindparam("now"),
        leases.c.session.in_(select(inbox.c.session).where(inbox.c.turn.is_(None))),
    )
    .distinct()
)
_release_all = update(leases).where(leases.c.owner == bindparam("of_owner")).values(owner=None, until=None)
_due = (
    select(sessions.c.id)
    .join_from(sessions, persons, sessions.c.person == persons.c.id)
    .where(
        sessions.c.wake_at <= bindparam("now"),
        sessions.c.last_active_at > bindparam("since"),
        sessions.c.status != "interrupted",
        persons.c.erasing.is_(False),
    )
    .order_by(sessions.c.wake_at, sessions.c.id)
    .limit(bindparam("limit"))
)
_unanswered = (
    select(sessions.c.id)
    .join_from(sessions, leases, sessions.c.id == leases.c.session)
    .join(persons, persons.c.id == sessions.c.person)
    .where(
        persons.c.erasing.is_(False),
        sessions.c.status != "interrupted",
        sessions.c.id.in_(select(inbox.c.session).where(inbox.c.turn.is_(None))),
        or_(leases.c.owner.is_(None), leases.c.until <= bindparam("now")),
    )
    .order_by(sessions.c.last_active_at, sessions.c.id)
    .limit(bindparam("limit"))
)
_set_status = (
    update(sessions)
    .where(sessions.c.id == bindparam("session"))
    .values(status=bindparam("new_status"), ended_at=bindparam("new_ended_at"))
)


_postpone = (
    update(sessions)
    .where(sessions.c.id == bindparam("of_session"), sessions.c.wake_at == bindparam("expected"))
    .values(wake_at=bindparam("until"))
)

ABOUT_BYTES = 512
"""What a session is about is padded to so much: where it stands, and who holds it, is not to be told by its length."""
_EVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class About:
    """``crisis_since``: since when it stands in a technique of the project ``safety``, or has left one with danger not
    ruled out."""

    position: Mapping[str, Any]
    human: HumanRecord | None = None
    crisis_since: datetime | None = None

    @property
    def standing(self) -> crisis_index.Standing:
        return self.crisis_since is not None, self.human is not None


def seal_about(box: Box, session: str, about: About) -> bytes:
    human, since = about.human, about.crisis_since
    data = [
        about.position,
        [human.id, human.name, human.since.isoformat()] if human is not None else None,
        since.isoformat() if since is not None else None,
    ]
    return box.seal(encode(data), place("sessions", "about", session), ABOUT_BYTES)


def open_about(box: Box, row: Row[Any]) -> About:
    position, human, since = decode(box.open(row.about, place("sessions", "about", row.id)))
    holder = HumanRecord(human[0], human[1], datetime.fromisoformat(human[2])) if human is not None else None
    return About(position, holder, datetime.fromisoformat(since) if since is not None else None)


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session's row, with its lease and what opens it."""

    row: Row[Any]
    box: Box

    @property
    def about(self) -> About:
        return open_about(self.box, self.row)

    @property
    def record(self) -> SessionRecord:
        row, about = self.row, self.about
        return SessionRecord(
            id=row.id,
            person=row.person,
            project=row.project,
            script=row.script,
            bundle=row.bundle,
            locale=row.locale,
            status=row.status,
            seq=row.seq,
            position=about.position,
            created_at=row.created_at,
            last_active_at=row.last_active_at,
            ended_at=row.ended_at,
            wake_at=row.wake_at,
            metadata=decode(self.box.open(row.metadata, place("sessions", "metadata", row.id))),
            parent=row.parent,
            trial=row.trial,
            release=row.release,
            moved=row.moved,
            latched=row.latched,
            human=about.human,
            contact=row.contact,
        )

    @property
    def state(self) -> Any:
        """None when it cannot be read, whatever the reason: the rest of the session still can."""
        try:
            return decode(self.box.open(self.row.state, place("sessions", "state", self.row.id)))
        except (Unreadable, ValueError, RecursionError):
            return None

    def leased(self, owner: str, epoch: int) -> bool:
        return bool(self.row.owner == owner and self.row.epoch == epoch)


def hold(tx: Tx, session: str) -> SessionRow:
    """The session, its row locked until the transaction ends."""
    return _held(tx, tx.conn.execute(_locked, {"session": _id(session)}).one_or_none())


def stand(tx: Tx, session: str) -> SessionRow:
    """As ``hold``, of a session that is held already: without its content."""
    row: Any = tx.conn.execute(_standing, {"session": _id(session)}).one_or_none()
    return _held(tx, row)


def view(tx: Tx, session: str) -> SessionRow:
    return _held(tx, tx.conn.execute(_one, {"session": _id(session)}).one_or_none())


def _id(session: str) -> str:
    """What no database could even look for names no session."""
    if not _nameable(session):
        raise Gone("no such session")
    return session


def _nameable(text: str) -> bool:
    return "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def _held(tx: Tx, row: Any) -> SessionRow:
    if row is None:
        raise Gone("no such session")
    return SessionRow(row, tx.keys.box(row.person))


def create(tx: Tx, new: NewSession) -> None:
    if tx.conn.execute(_person, {"person": new.person}).scalar() is None:
        raise Gone("no such person")
    bundles.require(tx, new.bundle)
    box = tx.keys.box(new.person)
    tx.conn.execute(
        insert(sessions),
        {
            "id": new.id,
            "person": new.person,
            "project": new.project,
            "script": new.script,
            "bundle": new.bundle,
            "locale": new.locale,
            "status": "created",
            "seq": 0,
            "standing_digest": crisis_index.digest(tx.keys.index(), new.id, 0, crisis_index.CALM),
            "about": seal_about(box, new.id, About({})),
            "created_at": new.created_at,
            "last_active_at": new.created_at,
            "parent": new.parent,
            "trial": new.trial,
            "release": new.release,
            "direction": new.direction,
            "metadata": box.seal(encode(new.metadata), place("sessions", "metadata", new.id)),
            "state": box.seal(encode(new.state), place("sessions", "state", new.id)),
        },
    )
    tx.conn.execute(insert(leases), {"session": new.id, "owner": None, "epoch": 0, "until": None, "bytes": 0})
    snapshots.write(tx, hold(tx, new.id).box, new.id, 0, new.state, 0, None, (), new.created_at)


def find(tx: Tx, session: str) -> SessionRecord | None:
    try:
        return view(tx, session).record
    except Gone:
        return None


def of_person(tx: Tx, person: str) -> tuple[SessionRecord, ...]:
    rows = tx.conn.execute(_of_person, {"person": person}).all()
    return tuple(_held(tx, row).record for row in rows)


def newest_of_person(tx: Tx, person: str, limit: int, before: str | None) -> tuple[SessionRecord, ...]:
    values = {"person": person, "limit": limit}
    if before is None:
        rows = tx.conn.execute(_newest_of_person, values).all()
    else:
        rows = tx.conn.execute(_older_of_person, {**values, "before": before}).all()
    return tuple(_held(tx, row).record for row in rows)


def seqs(tx: Tx, asked: Collection[str]) -> dict[str, int]:
    rows = tx.conn.execute(_seqs, {"sessions": [one for one in asked if _nameable(one)]})
    return {row.id: row.seq for row in rows}


def unused(tx: Tx, before: datetime, limit: int) -> tuple[str, ...]:
    """The ids of those in which nothing has happened since, the longest first."""
    return tuple(tx.conn.execute(_unused, {"before": before, "limit": limit}).scalars())


def newest(tx: Tx, limit: int) -> tuple[SessionRecord, ...]:
    rows = tx.conn.execute(_newest, {"limit": limit}).all()
    return tuple(_held(tx, row).record for row in rows)


def ended(tx: Tx) -> tuple[EndedSession, ...]:
    return tuple(EndedSession(*row) for row in tx.conn.execute(_ended))


def set_status(tx: Tx, session: str, status: str, at: datetime) -> None:
    held = hold(tx, session)
    ended = (held.row.ended_at or at) if status == "ended" else None
    tx.conn.execute(_set_status, {"session": session, "new_status": status, "new_ended_at": ended})


def due(tx: Tx, now: datetime, limit: int, since: datetime | None) -> tuple[str, ...]:
    return tuple(tx.conn.execute(_due, {"now": now, "limit": limit, "since": since or _EVER}).scalars())


def postpone(tx: Tx, session: str, expected: datetime, until: datetime | None) -> bool:
    values = {"of_session": session, "expected": expected, "until": until}
    return tx.conn.execute(_postpone, values).rowcount == 1


def unanswered(tx: Tx, now: datetime, limit: int) -> tuple[str, ...]:
    return tuple(tx.conn.execute(_unanswered, {"now": now, "limit": limit}).scalars())


def holder(tx: Tx, session: str) -> tuple[str, int] | None:
    """Owner and epoch of the lease, run out or not."""
    row = tx.conn.execute(_holder, {"session": session}).one_or_none()
    return None if row is None or row.owner is None else (row.owner, row.epoch)


def owners(tx: Tx, now: datetime) -> tuple[str, ...]:
    return tuple(tx.conn.execute(_owners, {"now": now}).scalars())


def release_all(tx: Tx, owner: str) -> int:
    return tx.conn.execute(_release_all, {"of_owner": owner}).rowcount


def put_down(tx: Tx, session: str, owner: str, epoch: int | None, interrupted: bool) -> None:
    held = hold(tx, session)
    if held.row.owner == owner:
        release(tx, session, owner, held.row.epoch)
    elif held.row.owner is not None or epoch not in (None, held.row.epoch):
        return
    if interrupted and held.row.status in ("created", "active", "paused"):
        tx.conn.execute(_set_status, {"session": session, "new_status": "interrupted", "new_ended_at": None})


def claim(tx: Tx, session: str, owner: str, now: datetime, until: datetime) -> int | None:
    return take(tx, hold(tx, session), owner, now, until)


def take(tx: Tx, held: SessionRow, owner: str, now: datetime, until: datetime) -> int | None:
    """The epoch of the lease now held; None while another holds it. A new epoch shuts out whoever held it before."""
    row = held.row
    running = row.owner is not None and row.until > now
    if running and row.owner != owner:
        return None
    epoch: int = row.epoch if running else row.epoch + 1
    tx.conn.execute(_lease, {"of_session": row.id, "owner": owner, "epoch": epoch, "until": until})
    return epoch


def release(tx: Tx, session: str, owner: str, epoch: int) -> bool:
    return tx.conn.execute(_release, {"of_session": session, "of_owner": owner, "of_epoch": epoch}).rowcount == 1
