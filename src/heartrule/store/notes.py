"""Notes of counsellors: sealed with the person's key, never shown to them, and gone with the session."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.keys import Keyring
from heartrule.store.quotations import Quotations
from heartrule.store.schema import notes
from heartrule.store.sessions import SessionRow, hold, view

CONTENT_BYTES = 512
MOST = 200
"""Notes of one session."""

_insert = insert(notes)
_of_session = select(notes).where(notes.c.session_digest == bindparam("session"))
_of_person = select(notes).where(notes.c.person_digest == bindparam("person"))
_one = _of_session.where(notes.c.id == bindparam("note"))
_counts = (
    select(notes.c.session_digest, func.count())
    .where(notes.c.session_digest.in_(bindparam("sessions", expanding=True)))
    .group_by(notes.c.session_digest)
)
_change = update(notes).where(notes.c.id == bindparam("of_id")).values(content=bindparam("sealed"))
_delete = delete(notes).where(notes.c.id == bindparam("of_id"))
_remove = delete(notes).where(notes.c.session_digest == bindparam("of_session"))
_forget = delete(notes).where(notes.c.person_digest == bindparam("of_person"))


@dataclass(frozen=True, slots=True)
class Note:
    id: str
    session: str
    who: str
    name: str
    at: datetime
    text: str = field(repr=False)
    edited_at: datetime | None = None


class Notes:
    """Every method is one transaction, and raises ``Gone`` where there is no such session."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def of_session(self, session: str) -> tuple[Note, ...]:
        """Oldest first."""

        def work(tx: Tx) -> tuple[Note, ...]:
            box = view(tx, session).box
            return _read(box, tx.conn.execute(_of_session, {"session": _digest(tx.keys.index(), session)}))

        return await self._db.read(work)

    async def of_person(self, session: str) -> tuple[Note, ...]:
        """Of all sessions of the person whose session it is; oldest first."""

        def work(tx: Tx) -> tuple[Note, ...]:
            held = view(tx, session)
            digest = _digest_of_person(tx.keys.index(), held.row.person)
            return _read(held.box, tx.conn.execute(_of_person, {"person": digest}))

        return await self._db.read(work)

    async def counts(self, sessions: Collection[str]) -> dict[str, int]:
        """How many of each session that has some. Nothing is opened."""

        def work(tx: Tx) -> dict[str, int]:
            index = tx.keys.index()
            digests = {_digest(index, each): each for each in sessions}
            rows = tx.conn.execute(_counts, {"sessions": list(digests)})
            return {digests[bytes(row[0])]: row[1] for row in rows}

        return await self._db.read(work) if sessions else {}

    async def add(
        self, session: str, who: str, name: str, text: str, now: datetime, also: Callable[[Tx], None]
    ) -> Note:
        """``also``: what belongs into the same transaction."""

        def work(tx: Tx) -> Note:
            held = hold(tx, session)
            index = tx.keys.index()
            note = Note(secrets.token_hex(8), session, who, name, now, text)
            also(tx)
            values = {
                "id": note.id,
                "session_digest": _digest(index, session),
                "person_digest": _digest_of_person(index, held.row.person),
                "content": _seal(held.box, note),
            }
            tx.conn.execute(_insert, values)
            return note

        return await self._db.write(work)

    async def change(
        self, session: str, note: str, text: str | None, now: datetime, may: Callable[[Note], None]
    ) -> Note | None:
        """Another text, or none: then it is removed. None where there is no such note. ``may`` refuses by raising."""

        def work(tx: Tx) -> Note | None:
            box = hold(tx, session).box
            given = {"session": _digest(tx.keys.index(), session), "note": note}
            row = tx.conn.execute(_one, given).one_or_none()
            if row is None:
                return None
            known = _note(box, row)
            may(known)
            if text is None:
                tx.conn.execute(_delete, {"of_id": note})
                return known
            left = replace(known, text=text, edited_at=now)
            tx.conn.execute(_change, {"of_id": note, "sealed": _seal(box, left)})
            return left

        return await self._db.write(work)


def forget_words(tx: Tx, held: SessionRow, quoted: Quotations) -> None:
    """Out of the session's notes that quote them."""
    digest = _digest(tx.keys.index(), held.row.id)
    for known in _read(held.box, tx.conn.execute(_of_session, {"session": digest}).all()):
        left = quoted.out_of(known.text)
        if left != known.text:
            sealed = _seal(held.box, replace(known, text=left))
            tx.conn.execute(_change, {"of_id": known.id, "sealed": sealed})


def _seal(box: Box, note: Note) -> bytes:
    values = {name: value for name, value in asdict(note).items() if name != "id"}
    plain = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}
    return box.seal(encode(plain), place("notes", "content", note.id), CONTENT_BYTES)


def _read(box: Box, rows: Any) -> tuple[Note, ...]:
    return tuple(sorted((_note(box, row) for row in rows), key=lambda each: (each.at, each.id)))


def _note(box: Box, row: Row[Any]) -> Note:
    values = decode(box.open(row.content, place("notes", "content", row.id)))
    edited = datetime.fromisoformat(values["edited_at"]) if values["edited_at"] else None
    return Note(**{**values, "at": datetime.fromisoformat(values["at"]), "edited_at": edited}, id=row.id)


def _digest(index: Box, session: str) -> bytes:
    return index.digest(place("notes", "session", session))


def _digest_of_person(index: Box, person: str) -> bytes:
    return index.digest(place("notes", "person", person))


def remove(tx: Tx, session: str) -> None:
    tx.conn.execute(_remove, {"of_session": _digest(tx.keys.index(), session)})


def forget(connection: Connection, keys: Keyring, person: str) -> None:
    connection.execute(_forget, {"of_person": _digest_of_person(keys.index(), person)})
