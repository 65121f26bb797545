"""Escalations: whom a turn wanted told that a person needs help, and what came of it. The rows outlive session and
person; the note does not.

That there is one, for whom and why tells of a crisis. A row names its session and its person by keyed digests only, its
time by the day, and is sealed with the key of the store: who opens the database without it sees how many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, Row, bindparam, func, insert, literal_column, select, update

from heartrule.store import outbox
from heartrule.store.codec import decode, decode_text, encode, encode_text
from heartrule.store.crypto import Box, Unreadable, place
from heartrule.store.database import Database, Tx
from heartrule.store.keys import Keyring
from heartrule.store.records import Commit, Gone
from heartrule.store.schema import escalations, sessions
from heartrule.store.sessions import SessionRow

KIND = "escalation"
"""The kind of an outbox row that belongs to an escalation of the same id."""
Status = Literal["open", "delivering", "delivered", "acknowledged", "failed"]
LONGEST = 200
"""Characters of a name that are kept."""

CONTENT_BYTES = 1024
NOTE_BYTES = 1024
ACKNOWLEDGED: Status = "acknowledged"

_insert = insert(escalations)
_one = select(escalations).where(escalations.c.id == bindparam("id"))
_locked = _one.with_for_update()
_waiting = escalations.c.status != literal_column("'acknowledged'")
# Whole days: within one, the order is sealed.
_days = select(escalations.c.day).order_by(escalations.c.day.desc()).limit(bindparam("limit"))
_days_waiting = _days.where(_waiting)
_newest = select(escalations).where(escalations.c.day >= bindparam("since")).order_by(escalations.c.day.desc())
_unacknowledged = _newest.where(_waiting)
_there = select(sessions.c.id).where(sessions.c.id.in_(bindparam("sessions", expanding=True)))
_of_projects = _there.where(sessions.c.project.in_(bindparam("projects", expanding=True)))
_of_session = select(escalations).where(escalations.c.session_digest == bindparam("session"))
_change = (
    update(escalations)
    .where(escalations.c.id == bindparam("of_id"))
    .values(status=bindparam("new_status"), content=bindparam("new_content"))
)
_forget = update(escalations).where(escalations.c.person_digest == bindparam("of_person")).values(note=None)
_counts = select(escalations.c.status, func.count()).group_by(escalations.c.status)
_first_day = select(func.min(escalations.c.day)).where(_waiting)
_of_day = select(escalations).where(_waiting, escalations.c.day == bindparam("day"))


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


def row_of(keys: Keyring, escalation: str) -> str:
    """The id of the row, and of what delivers it, of an escalation; that of a row is given back as it is."""
    if "/" not in escalation:
        return escalation
    return keys.index().digest(place("escalations", "id", escalation)).hex()


def digest_of_session(keys: Keyring, session: str) -> bytes:
    return keys.index().digest(place("escalations", "session", session))


def _digest_of_person(keys: Keyring, person: str) -> bytes:
    return keys.index().digest(place("escalations", "person", person))


def add(tx: Tx, held: SessionRow, turn: Commit) -> None:
    """The turn's escalations, and what delivers each of them, in the turn's own transaction. Of a session that an
    author tries out nobody is told."""
    if held.row.trial is not None:
        return
    for new in turn.escalations:
        record = EscalationRecord(
            id=f"{turn.session}/{new.id}",
            session=turn.session,
            person=held.row.person,
            turn=turn.seq,
            to=new.to[:LONGEST],
            cause=new.cause[:LONGEST],
            level=new.level,
            status="open",
            at=turn.at,
            attempts=0,
            last_error=None,
            delivered_at=None,
            acknowledged_by=None,
            acknowledged_at=None,
        )
        put(tx, held.box, record, new.note)
        outbox.add(tx, row_of(tx.keys, record.id), KIND, _day(turn.at))


def put(tx: Tx, box: Box, record: EscalationRecord, note: str) -> None:
    """On record alone; ``box`` is the person's."""
    row = row_of(tx.keys, record.id)
    values = {
        "id": row,
        "session_digest": digest_of_session(tx.keys, record.session),
        "person_digest": _digest_of_person(tx.keys, record.person),
        "day": _day(record.at),
        "status": record.status,
        "content": _seal(tx.keys, row, record),
        "note": seal_note(box, row, note) if note else None,
    }
    tx.conn.execute(_insert, values)


def _day(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def forget(connection: Connection, keys: Keyring, person: str) -> None:
    connection.execute(_forget, {"of_person": _digest_of_person(keys, person)})


class EscalationNote(NamedTuple):
    """Where a note stands, and of which turn it is."""

    row: str
    turn: int
    note: bytes | None


def notes_of(tx: Tx, session: str) -> list[EscalationNote]:
    rows = _rows(tx, session)
    return [EscalationNote(row.id, _record(tx.keys, row).turn, row.note) for row in rows]


def _rows(tx: Tx, session: str) -> Sequence[Row[Any]]:
    return tx.conn.execute(_of_session, {"session": digest_of_session(tx.keys, session)}).all()


def seal_note(box: Box, row: str, note: str) -> bytes:
    return box.seal(encode_text(note), place("escalations", "note", row), NOTE_BYTES)


def _seal(keys: Keyring, row: str, record: EscalationRecord) -> bytes:
    values = {name: value for name, value in asdict(record).items() if name != "status"}
    plain = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}
    return keys.index().seal(encode(plain), place("escalations", "content", row), CONTENT_BYTES)


_TIMES = ("at", "delivered_at", "acknowledged_at")


def _record(keys: Keyring, row: Row[Any]) -> EscalationRecord:
    values = decode(keys.index().open(row.content, place("escalations", "content", row.id)))
    times = {name: datetime.fromisoformat(values[name]) for name in _TIMES if values[name] is not None}
    return EscalationRecord(**{**values, **times}, status=row.status)


def _change_one(tx: Tx, escalation: str, change: Callable[[EscalationRecord], EscalationRecord]) -> bool:
    """Whether it is another one now."""
    row = tx.conn.execute(_locked, {"id": row_of(tx.keys, escalation)}).one_or_none()
    if row is None:
        return False
    known = _record(tx.keys, row)
    left = change(known)
    if left == known:
        return False
    sealed = _seal(tx.keys, row.id, left)
    tx.conn.execute(_change, {"of_id": row.id, "new_status": left.status, "new_content": sealed})
    return True


def _newest_first(records: Iterable[EscalationRecord]) -> list[EscalationRecord]:
    return sorted(records, key=lambda each: (each.at, each.id), reverse=True)


def settled(
    escalation: str,
    *,
    status: Status,
    attempts: int,
    error: str | None = None,
    delivered_at: datetime | None = None,
) -> Callable[[Tx], None]:
    """The effect of a finished attempt, for the transaction that settles its outbox row."""

    def change(known: EscalationRecord) -> EscalationRecord:
        return replace(
            known,
            # What somebody has acknowledged already stays so, whatever becomes of its delivery.
            status=ACKNOWLEDGED if known.acknowledged_at is not None else status,
            attempts=attempts,
            last_error=error and error[:LONGEST],
            delivered_at=delivered_at,
        )

    def work(tx: Tx) -> None:
        _change_one(tx, escalation, change)

    return work


class Escalations:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def find(self, escalation: str) -> EscalationRecord | None:
        def work(tx: Tx) -> EscalationRecord | None:
            row = tx.conn.execute(_one, {"id": row_of(tx.keys, escalation)}).one_or_none()
            return None if row is None else _record(tx.keys, row)

        return await self._db.read(work)

    async def row(self, escalation: str) -> str:
        """The id of the outbox row that delivers it."""
        return await self._db.aside(lambda: row_of(self._db.keys, escalation))

    async def newest(self, limit: int = 100, *, unacknowledged: bool = False) -> tuple[EscalationRecord, ...]:
        """The newest first; all, or those that nobody has acknowledged."""

        def work(tx: Tx) -> tuple[EscalationRecord, ...]:
            return tuple(_latest(tx, limit, unacknowledged)[:limit])

        return await self._db.read(work)

    async def attended(
        self, projects: Collection[str] | None, limit: int, *, unacknowledged: bool = True
    ) -> tuple[EscalationRecord, ...]:
        """The newest first, of sessions that are still there; with ``projects``, only of theirs."""

        def work(tx: Tx) -> tuple[EscalationRecord, ...]:
            found = _latest(tx, None, unacknowledged)
            given = {"sessions": list({each.session for each in found}), "projects": list(projects or ())}
            known = set(tx.conn.execute(_there if projects is None else _of_projects, given).scalars())
            return tuple([each for each in found if each.session in known][:limit])

        return await self._db.read(work)

    async def of_session(self, session: str) -> tuple[EscalationRecord, ...]:
        """All of it, the newest first."""

        def work(tx: Tx) -> tuple[EscalationRecord, ...]:
            return tuple(_newest_first(_record(tx.keys, row) for row in _rows(tx, session)))

        return await self._db.read(work)

    async def note(self, escalation: str) -> str | None:
        """What the script had to say with it; None where there was nothing, or its person has been erased."""

        def work(tx: Tx) -> str | None:
            row = tx.conn.execute(_one, {"id": row_of(tx.keys, escalation)}).one_or_none()
            if row is None or row.note is None:
                return None
            try:
                box = tx.keys.box(_record(tx.keys, row).person)
                return decode_text(box.open(row.note, place("escalations", "note", row.id)))
            except (Gone, Unreadable):
                return None

        return await self._db.read(work)

    async def begin(self, escalation: str) -> None:
        """An open one is being delivered from now on."""

        def change(known: EscalationRecord) -> EscalationRecord:
            return replace(known, status="delivering") if known.status == "open" else known

        await self._db.write(_change_one, escalation, change)

    async def acknowledge(self, escalation: str, by: str, now: datetime) -> bool:
        """Somebody has seen it. False when there is none, or somebody had before. Its delivery goes on."""

        def change(known: EscalationRecord) -> EscalationRecord:
            if known.acknowledged_at is not None:
                return known
            return replace(known, status=ACKNOWLEDGED, acknowledged_at=now, acknowledged_by=by[:LONGEST])

        return await self._db.write(_change_one, escalation, change)

    async def tally(self) -> Tally:
        def work(tx: Tx) -> Tally:
            counts = {row[0]: row[1] for row in tx.conn.execute(_counts)}
            day = tx.conn.execute(_first_day).scalar()
            rows = tx.conn.execute(_of_day, {"day": day}).all() if day is not None else ()
            return Tally(counts, min((_record(tx.keys, row).at for row in rows), default=None))

        return await self._db.read(work)


def _latest(tx: Tx, limit: int | None, unacknowledged: bool) -> list[EscalationRecord]:
    """At least ``limit`` of them where there are so many, all without it; the newest first."""
    since = datetime(1970, 1, 1, tzinfo=UTC)
    if limit is not None:
        days = tx.conn.execute(_days_waiting if unacknowledged else _days, {"limit": limit}).scalars().all()
        since = min(days, default=since)
    rows = tx.conn.execute(_unacknowledged if unacknowledged else _newest, {"since": since}).all()
    return _newest_first(_record(tx.keys, row) for row in rows)
