"""Whom a person named to be told when they need help: nobody is told anything before they have agreed to it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Row, bindparam, delete, func, select, update

from heartrule.store import outbox
from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Unreadable, place
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import upsert
from heartrule.store.records import Gone
from heartrule.store.schema import contacts, persons, requests

Channel = Literal["email"]
KIND = "contact"
"""The kind of an outbox row that asks a contact whether they agree; its id is ``AskedContact.row``."""
CONTENT_BYTES = 512
WITHIN = timedelta(days=30)
OF_AN_ADDRESS, OF_A_PERSON = 3, 5
"""Requests within that time: to one address, whoever names it, and of one person. One person asks one address once."""

_one = (
    select(contacts)
    .join_from(contacts, persons, contacts.c.person == persons.c.id)
    .where(contacts.c.person == bindparam("person"), persons.c.erasing.is_(False))
)
_of_request = (
    select(contacts)
    .join_from(contacts, persons, contacts.c.person == persons.c.id)
    .where(contacts.c.request_digest == bindparam("request"), persons.c.erasing.is_(False))
)
_person = select(persons.c.id).where(persons.c.id == bindparam("person"), persons.c.erasing.is_(False))
_delete = delete(contacts).where(contacts.c.person == bindparam("of_person"))
_confirm = update(contacts).where(contacts.c.request_digest == bindparam("of_request")).values(confirmed=True)
_refuse = delete(contacts).where(contacts.c.request_digest == bindparam("of_request"))
_recent = requests.c.at > bindparam("since")
_to_address = select(func.count()).where(requests.c.address_digest == bindparam("address"), _recent)
_by_person = select(func.count()).where(requests.c.person_digest == bindparam("person"), _recent)
_same = select(requests.c.at).where(
    requests.c.address_digest == bindparam("address"), requests.c.person_digest == bindparam("person"), _recent
)
_old = delete(requests).where(requests.c.at <= bindparam("until"))


@dataclass(frozen=True, slots=True)
class ContactRecord:
    """``name`` and ``address`` of the contact; ``known_as`` is what the contact calls the person. ``confirmed``: the
    contact has agreed to be told."""

    channel: Channel
    name: str = field(repr=False)
    address: str = field(repr=False)
    known_as: str = field(default="", repr=False)
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class AskedContact:
    """A contact who has been, or is to be, asked; ``token`` is what they agree with."""

    contact: ContactRecord
    token: str = field(repr=False)


class Contacts:
    """One a person. Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def find(self, person: str) -> ContactRecord | None:
        """None, too, when the person has been erased."""

        def work(tx: Tx) -> ContactRecord | None:
            row = tx.conn.execute(_one, {"person": person}).one_or_none()
            found = None if row is None else _opened(tx, row)
            return None if found is None else found.contact

        return await self._db.read(work)

    async def asked(self, request: str) -> AskedContact | None:
        """Who is asked by the outbox row ``request``; None when they were taken back, or replaced, meanwhile."""

        def work(tx: Tx) -> AskedContact | None:
            row = tx.conn.execute(_of_request, {"request": bytes.fromhex(request)}).one_or_none()
            return None if row is None else _opened(tx, row)

        return await self._db.read(work)

    async def save(self, person: str, contact: ContactRecord, now: datetime, *, ask: bool = False) -> bool:
        """In place of the one before; one with the same address stays confirmed. ``ask``: whoever reads what is sent
        there is to be asked, if they have not been, and not too many have been. Whether a request goes out. ``Gone``
        when the person is."""

        def work(tx: Tx) -> bool:
            if tx.conn.execute(_person, {"person": person}).scalar() is None:
                raise Gone("no such person")
            row = tx.conn.execute(_one, {"person": person}).one_or_none()
            known = None if row is None else _opened(tx, row)
            same = known is not None and known.contact.address == contact.address
            token = known.token if known is not None and same else secrets.token_urlsafe(24)
            digest = _digest(tx, "request", token)
            said = [contact.name, contact.address, contact.known_as, token]
            values = {
                "person": person,
                "channel": contact.channel,
                "updated_at": now,
                "confirmed": contact.confirmed or bool(known and same and known.contact.confirmed),
                "request_digest": digest,
                "content": tx.keys.box(person).seal(encode(said), _place(person), CONTENT_BYTES),
            }
            columns = ("channel", "updated_at", "confirmed", "request_digest", "content")
            tx.conn.execute(upsert(tx.conn, contacts, columns), values)
            goes = ask and not values["confirmed"] and _may_ask(tx, person, contact.address, now)
            if goes:
                outbox.add(tx, digest.hex(), KIND, now)
            return goes

        return await self._db.write(work)

    async def confirm(self, token: str) -> bool:
        """The contact agrees. False when nobody is asked by this any more."""
        return await self._db.write(
            lambda tx: tx.conn.execute(_confirm, {"of_request": _digest(tx, "request", token)}).rowcount == 1
        )

    async def refuse(self, token: str) -> bool:
        """The contact does not agree: their address goes. False when nobody is asked by this any more."""
        return await self._db.write(
            lambda tx: tx.conn.execute(_refuse, {"of_request": _digest(tx, "request", token)}).rowcount == 1
        )

    async def remove(self, person: str) -> bool:
        """False when there was none."""
        return await self._db.write(lambda tx: tx.conn.execute(_delete, {"of_person": person}).rowcount == 1)


def _may_ask(tx: Tx, person: str, address: str, now: datetime) -> bool:
    """Whether there may be one more request; it counts from then on."""
    of = {"address": _digest(tx, "address", address.lower()), "person": _digest(tx, "person", person)}
    since = {**of, "since": now - WITHIN}
    tx.conn.execute(_old, {"until": now - WITHIN})
    if tx.conn.execute(_same, since).scalar() is not None:
        return False
    if tx.conn.execute(_to_address, since).scalar_one() >= OF_AN_ADDRESS:
        return False
    if tx.conn.execute(_by_person, since).scalar_one() >= OF_A_PERSON:
        return False
    row = {"address_digest": of["address"], "person_digest": of["person"], "at": now}
    tx.conn.execute(upsert(tx.conn, requests, ("at",)), row)
    return True


def _opened(tx: Tx, row: Row[Any]) -> AskedContact | None:
    try:
        name, address, known_as, token = decode(tx.keys.box(row.person).open(row.content, _place(row.person)))
    except (Gone, Unreadable):
        return None
    return AskedContact(ContactRecord(row.channel, name, address, known_as, row.confirmed), token)


def _digest(tx: Tx, of: str, value: str) -> bytes:
    return tx.keys.index().digest(place("contacts", of, value))


def _place(person: str) -> bytes:
    return place("contacts", "content", person)
