"""Whom a person wants told when they need help. Nobody is told anything because of this alone: a script asks first."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import AfterValidator, Field, StringConstraints

from heartrule.server.access import Address as NetworkAddress
from heartrule.server.access import Granted, TheContext, known_person
from heartrule.server.bodies import Body
from heartrule.server.context import AppContext
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.shapes import Shape
from heartrule.server.tokens import Grant
from heartrule.store.contacts import ContactRecord

router = APIRouter(prefix="/persons/me/contact", tags=["persons"])

LINK = re.compile(r"://|www\.|[@/\\<>]|[^\s.]{2,}\.[a-z]{2,}(?:\b|$)", re.IGNORECASE)


def _only_a_name(text: str) -> str:
    """It goes into a message to somebody else, in our name: no line of its own, and nowhere to lead."""
    if not text.isprintable():
        raise ValueError("must be one line of text")
    if LINK.search(text):
        raise ValueError("must be a name, without an address or a link in it")
    return text


Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80), AfterValidator(_only_a_name)
]
Called = Annotated[str, StringConstraints(strip_whitespace=True, max_length=80), AfterValidator(_only_a_name)]
LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
MAILBOX = r"[A-Za-z0-9_+'=-]+(?:\.[A-Za-z0-9_+'=-]+)*"
Address = Annotated[str, StringConstraints(max_length=254, pattern=rf"^{MAILBOX}@(?:{LABEL}\.)+[A-Za-z]{{2,63}}$")]
"""One address, in its plainest form."""


class NamedContact(Body):
    """``known_as`` is what the contact calls the person."""

    name: Name
    email: Address
    known_as: Annotated[Called, Field(default="")]


class ContactShape(Shape):
    """``confirmed``: the contact has agreed to be told. Before that they are sent nothing but the request to."""

    name: str
    email: str
    known_as: str
    confirmed: bool


async def _person(context: AppContext, granted: Grant | None) -> str | None:
    if granted is None or granted.opens not in ("person", "subject"):
        raise Problem("unauthorized")
    return await known_person(context, granted)


@router.get("", responses=problems(401, 404))
async def named(context: TheContext, granted: Granted) -> ContactShape:
    """The person's contact."""
    person = await _person(context, granted)
    found = await context.sessions.store.contacts.find(person) if person else None
    if found is None:
        raise Problem("not-found")
    return _shape(found)


@router.put("", responses=problems(400, 401, 404, 408, 413, 415))
async def name(wanted: NamedContact, context: TheContext, granted: Granted, address: NetworkAddress) -> ContactShape:
    """Name a contact, in place of the one before. They are asked, once, whether they agree; until they have, nobody is
    told anything. Kept encrypted, and gone with the person."""
    context.limits.contact(address)
    person = await _person(context, granted)
    if person is None:
        assert granted is not None
        person = await context.sessions.store.new_person(granted.id)
    record = ContactRecord("email", wanted.name, wanted.email, wanted.known_as)
    contacts = context.sessions.store.contacts
    if await contacts.save(person, record, context.sessions.clock.now(), ask=True):
        context.jobs.wake()
    return _shape(await contacts.find(person) or record)


def _shape(record: ContactRecord) -> ContactShape:
    return ContactShape(name=record.name, email=record.address, known_as=record.known_as, confirmed=record.confirmed)


@router.delete("", status_code=204, response_class=Response, responses=problems(401, 404))
async def forget(context: TheContext, granted: Granted) -> None:
    """Take the contact back."""
    person = await _person(context, granted)
    if person is None or not await context.sessions.store.contacts.remove(person):
        raise Problem("not-found")
