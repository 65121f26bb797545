"""Persons: to whom every row belongs. Erasing one destroys their key first, so that no copy of a row says anything."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select, update

from heartrule.store import cards, escalations, notes
from heartrule.store.codec import encode_text
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import insert_missing
from heartrule.store.engines import Engines
from heartrule.store.keys import Keyring
from heartrule.store.records import Gone
from heartrule.store.schema import persons

_by_digest = select(persons.c.id).where(
    persons.c.subject_digest == bindparam("digest"), persons.c.erasing == bindparam("no", False)
)
_mark = (
    update(persons).where(persons.c.id == bindparam("person")).values(erasing=True, subject_digest=None, subject=None)
)
_delete = delete(persons).where(persons.c.id == bindparam("person"))
_marked = select(persons.c.id).where(persons.c.erasing)

TABLES = (
    "persons",
    "sessions",
    "leases",
    "inbox",
    "turns",
    "messages",
    "variables",
    "memories",
    "recollections",
    "events",
    "calls",
    "snapshots",
    "escalations",
    "contacts",
    "reports",
    "reviews",
    "drafts",
    "cards",
    "notes",
)
"""Where rows of a person stand."""


def find(tx: Tx, subject: str, index: Box) -> str | None:
    found: str | None = tx.conn.execute(_by_digest, {"digest": index.digest(encode_text(subject))}).scalar()
    return found


def add(tx: Tx, person: str, subject: str | None, index: Box) -> str:
    """The person's id, or that of the one who has this subject already."""
    row: dict[str, Any] = {
        "id": person,
        "subject_digest": None,
        "subject": None,
        "created_at": datetime.now(UTC),
        "erasing": False,
        "remembers": None,
        "chosen_at": None,
    }
    if subject is not None:
        row["subject_digest"] = index.digest(encode_text(subject))
        row["subject"] = tx.keys.box(person).seal(encode_text(subject), place("persons", "subject", person))
    tx.conn.execute(insert_missing(tx.conn, persons), row)
    if subject is None:
        return person
    found = find(tx, subject, index)
    if found is None:
        raise Gone("this person is being erased")
    return found


async def new(database: Database, subject: str | None) -> str:
    index = await database.aside(database.keys.index)
    if subject is not None:
        known = await database.read(find, subject, index)
        if known is not None:
            return known
    person = secrets.token_hex(16)
    await database.aside(lambda: database.keys.create(person))
    found = await database.write(add, person, subject, index)
    if found != person:
        await database.aside(lambda: database.keys.destroy(person))
    return found


async def erase(database: Database, person: str) -> None:
    """Can be broken off anywhere: what was marked is erased when the store is next opened."""
    await database.write(_run_mark, person)
    await database.aside(lambda: _destroy(database, person))
    await database.write(_run_delete, person)
    await database.aside(lambda: database.engines.scrub(*TABLES))


def finish(engines: Engines, keys: Keyring) -> None:
    """Erase those whose erasure was broken off."""
    with engines.reader.begin() as connection:
        marked = list(connection.execute(_marked).scalars())
    for person in marked:
        keys.destroy(person)
        with engines.writer.begin() as connection:
            _remove(connection, keys, person)
    if marked:
        engines.scrub(*TABLES)


def _destroy(database: Database, person: str) -> None:
    database.keys.destroy(person)


def _run_mark(tx: Tx, person: str) -> None:
    tx.conn.execute(_mark, {"person": person})


def _run_delete(tx: Tx, person: str) -> None:
    _remove(tx.conn, tx.keys, person)


def _remove(connection: Connection, keys: Keyring, person: str) -> None:
    """The person's rows in other tables go with theirs. What was escalated stays on record, without what it says."""
    escalations.forget(connection, keys, person)
    cards.forget(connection, keys, person)
    notes.forget(connection, keys, person)
    connection.execute(_delete, {"person": person})
