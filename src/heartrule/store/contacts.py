"""Whom a person named to be told when they need help."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from sqlalchemy import bindparam, delete, select

from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Unreadable, place
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import upsert
from heartrule.store.records import Gone
from heartrule.store.schema import contacts, persons

Channel = Literal["email"]

_one = (
    select(contacts)
    .join_from(contacts, persons, contacts.c.person == persons.c.id)
    .where(contacts.c.person == bindparam("person"), persons.c.erasing.is_(False))
)
_person = select(persons.c.id).where(persons.c.id == bindparam("person"), persons.c.erasing.is_(False))
_delete = delete(contacts).where(contacts.c.person == bindparam("of_person"))


@dataclass(frozen=True, slots=True)
class ContactRecord:
    """``name`` and ``address`` of the contact; ``known_as`` is what the contact calls the person."""

    channel: Channel
    name: str = field(repr=False)
    address: str = field(repr=False)
    known_as: str = field(default="", repr=False)


class Contacts:
    """One a person. Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def find(self, person: str) -> ContactRecord | None:
        """None, too, when the person has been erased."""

        def work(tx: Tx) -> ContactRecord | None:
            row = tx.conn.execute(_one, {"person": person}).one_or_none()
            if row is None:
                return None
            try:
                content = decode(tx.keys.box(person).open(row.content, _place(person)))
            except (Gone, Unreadable):
                return None
            return ContactRecord(row.channel, content["name"], content["address"], content["known_as"])

        return await self._db.read(work)

    async def save(self, person: str, contact: ContactRecord, now: datetime) -> None:
        """In place of the one before. ``Gone`` when the person is."""

        def work(tx: Tx) -> None:
            if tx.conn.execute(_person, {"person": person}).scalar() is None:
                raise Gone("no such person")
            said = {"name": contact.name, "address": contact.address, "known_as": contact.known_as}
            row = {
                "person": person,
                "channel": contact.channel,
                "updated_at": now,
                "content": tx.keys.box(person).seal(encode(said), _place(person)),
            }
            tx.conn.execute(upsert(tx.conn, contacts, ("channel", "updated_at", "content")), row)

        await self._db.write(work)

    async def remove(self, person: str) -> bool:
        """False when there was none."""
        return await self._db.write(lambda tx: tx.conn.execute(_delete, {"of_person": person}).rowcount == 1)


def _place(person: str) -> bytes:
    return place("contacts", "content", person)
