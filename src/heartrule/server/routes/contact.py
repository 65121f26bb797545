"""Whom a person wants told when they need help. Nobody is told anything because of this alone: a script asks first."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import Field, StringConstraints

from heartrule.server.access import Granted, TheHouse, known_person
from heartrule.server.bodies import Body
from heartrule.server.house import House
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.tokens import Grant
from heartrule.store.contacts import ContactRecord

router = APIRouter(prefix="/persons/me/contact", tags=["persons"])

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80, pattern=r"^[^\x00-\x1f]*$")]
Called = Annotated[str, StringConstraints(strip_whitespace=True, max_length=80, pattern=r"^[^\x00-\x1f]*$")]
Address = Annotated[str, StringConstraints(max_length=254, pattern=r"^[!-?A-~]+@[!-?A-~]+$")]


class NamedContact(Body):
    """``known_as`` is what the contact calls the person."""

    name: Name
    email: Address
    known_as: Annotated[Called, Field(default="")]


async def _person(house: House, granted: Grant | None) -> str | None:
    if granted is None or granted.opens not in ("person", "subject"):
        raise Problem("unauthorized")
    return await known_person(house, granted)


@router.get("", responses=problems(401, 404))
async def named(house: TheHouse, granted: Granted) -> NamedContact:
    """The person's contact."""
    person = await _person(house, granted)
    found = await house.sessions.store.contacts.find(person) if person else None
    if found is None:
        raise Problem("not-found")
    return NamedContact(name=found.name, email=found.address, known_as=found.known_as)


@router.put("", responses=problems(400, 401, 404, 408, 413, 415))
async def name(wanted: NamedContact, house: TheHouse, granted: Granted) -> NamedContact:
    """Name a contact, in place of the one before. Kept encrypted, and gone with the person."""
    person = await _person(house, granted)
    if person is None:
        assert granted is not None
        person = await house.sessions.store.new_person(granted.id)
    record = ContactRecord("email", wanted.name, wanted.email, wanted.known_as)
    await house.sessions.store.contacts.save(person, record, house.sessions.clock.now())
    return wanted


@router.delete("", status_code=204, response_class=Response, responses=problems(401, 404))
async def forget(house: TheHouse, granted: Granted) -> None:
    """Take the contact back."""
    person = await _person(house, granted)
    if person is None or not await house.sessions.store.contacts.remove(person):
        raise Problem("not-found")
