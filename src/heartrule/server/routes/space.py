"""What is kept of a person, for that person: to look at, to take along, to have erased."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Response
from fastapi.responses import StreamingResponse

from heartrule.engine.filling.counselled import PRIVATE
from heartrule.server import consent, rendering
from heartrule.server.access import Granted, Held, TheHouse, known_person
from heartrule.server.house import House
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.shapes import ConsentShape, FormScore, KnownShape, RememberedShape, Space
from heartrule.server.taking import take
from heartrule.store.belongings import Known
from heartrule.store.memories import Remembered
from heartrule.store.records import Entry, SessionRecord

router = APIRouter(tags=["persons"])
FORMAT = "heartrule-export/1"
PAGE = 500
"""Messages, and sessions, that are read at a time."""


async def _person(house: TheHouse, granted: Granted) -> str:
    """Whose token it is; a session's own token says nothing of a person."""
    if granted is None or granted.opens not in ("person", "subject"):
        raise Problem("unauthorized")
    person = await known_person(house, granted)
    if person is None or await house.sessions.store.belongings.since(person) is None:
        raise Problem("not-found")
    return person


Person = Annotated[str, Depends(_person)]
Name = Annotated[str, Path(min_length=1, max_length=200)]


@router.get("/persons/me", responses=problems(401, 404))
async def space(person: Person, house: TheHouse) -> Space:
    """How long the person has been here, what is known and remembered of them, and what their forms came to, oldest
    first."""
    store = house.sessions.store
    since = await store.belongings.since(person)
    if since is None:
        raise Problem("not-found")
    count, scores, agreed = 0, list[FormScore](), list[ConsentShape]()
    async for record in _sessions(house, person):
        count += 1
        found_here = await consent.of_session(house, record)
        agreed += [found_here] if found_here else []
        for found in await house.sessions.forms(record.id):
            shown = rendering.form_result(found).model_dump(exclude={"turn", "values"})
            scores.append(FormScore(session=record.id, **shown))
    return Space(
        since=since,
        sessions=count,
        consents=agreed[::-1],
        known=[_known(each) for each in await _shown(house, person)],
        remembered=[_remembered(each) for each in await store.memories.of_person(person)],
        forms=sorted(scores, key=lambda each: each.at),
        contact=await store.contacts.find(person) is not None,
    )


@router.delete(
    "/persons/me/known/{project}/{name}", status_code=204, response_class=Response, responses=problems(401, 404)
)
async def forget(project: Name, name: Name, person: Person, house: TheHouse) -> None:
    """Have one thing forgotten that is known of the person. Sessions that are under way go on without it."""
    if not await house.sessions.store.belongings.forget(person, project, name):
        raise Problem("not-found")


@router.delete("/persons/me/remembered/{item}", status_code=204, response_class=Response, responses=problems(401, 404))
async def unremember(item: Name, person: Person, house: TheHouse) -> None:
    """Have one thing forgotten that was told or explained: it does not come up again, from the next turn on."""
    if not await house.sessions.store.memories.forget(person, item):
        raise Problem("not-found")


@router.get(
    "/persons/me/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/json": {}}}, **problems(401, 404)},
)
async def export(person: Person, house: TheHouse) -> StreamingResponse:
    """Everything that the person said and was told, what was made of it, and their forms: one JSON document, to take
    along."""
    headers = {"Content-Disposition": 'attachment; filename="heartrule.json"', "Cache-Control": "no-store"}
    return StreamingResponse(_document(house, person), media_type="application/json", headers=headers)


@router.delete("/persons/me", status_code=204, response_class=Response, responses=problems(401, 404))
async def erase(person: Person, house: TheHouse) -> None:
    """Erase everything that is kept of the person, for good: their key is destroyed, then every row. Their tokens open
    nothing any more. It cannot be undone. That somebody was told of danger stays on record, without the words."""
    await house.sessions.store.erase_person(person)


@router.delete("/sessions/{session}", status_code=204, response_class=Response, responses=problems(401, 404))
async def remove(record: Held, house: TheHouse) -> None:
    """Remove a session for good, with all that was said in it and all that is remembered of it. What is known of the
    person from it stays: it can be forgotten on its own."""
    await house.sessions.store.belongings.remove_session(record.id)


@router.delete(
    "/sessions/{session}/consent", status_code=204, response_class=Response, responses=problems(401, 404, 409)
)
async def withdraw(record: Held, house: TheHouse) -> None:
    """Take back what was agreed to before the session: it ends at once, and nothing of it goes anywhere any more. What
    was said stays until it is removed. A session that is over has nothing to take back; it can be removed."""
    if consent.CONSENT not in record.metadata:
        raise Problem("not-found")
    await house.sessions.stop(record.id, everything=True)
    await take(house, record.id, Entry(key=consent.WITHDRAWN, kind="end"))


async def _sessions(house: House, person: str) -> AsyncIterator[SessionRecord]:
    before: str | None = None
    while True:
        found = await house.sessions.of_person(person, PAGE, before)
        for record in found:
            yield record
        if len(found) < PAGE:
            return
        before = found[-1].id


async def _shown(house: House, person: str) -> list[Known]:
    """What is known of the person and not for counsellors alone."""
    found = await house.sessions.store.belongings.known(person)
    return [each for each in found if each.variable.updated_by != PRIVATE]


def _known(each: Known) -> KnownShape:
    found = each.variable
    return KnownShape(
        project=each.project,
        name=found.name,
        value=found.value,
        evidence=found.evidence,
        updated_at=found.updated_at,
    )


def _remembered(each: Remembered) -> RememberedShape:
    found = each.item
    return RememberedShape(
        id=found.name,
        session=each.session,
        project=each.project,
        kind=found.value["kind"],
        type=found.type,
        topic=found.value["topic"],
        content=found.value["content"],
        quote=found.evidence,
        taken=found.value["taken"],
        at=found.updated_at,
    )


async def _document(house: House, person: str) -> AsyncIterator[str]:
    """Piece by piece: who has said much is not read into memory whole."""
    store = house.sessions.store
    contact = await store.contacts.find(person)
    head = {
        "format": FORMAT,
        "exported_at": house.sessions.clock.now(),
        "since": await store.belongings.since(person),
        "contact": None
        if contact is None
        else {"name": contact.name, "email": contact.address, "known_as": contact.known_as},
        "known": [_known(each).model_dump(mode="json") for each in await _shown(house, person)],
        "remembered": [_remembered(each).model_dump(mode="json") for each in await store.memories.of_person(person)],
    }
    yield _written(head)[:-1] + ', "sessions": ['
    first = True
    async for record in _sessions(house, person):
        yield ("" if first else ", ") + _written(await _told(house, record))
        first = False
    yield "]}\n"


async def _told(house: House, record: SessionRecord) -> Mapping[str, Any]:
    store, said, after = house.sessions.store, list[dict[str, Any]](), 0
    while True:
        page = await store.messages(record.id, after, PAGE)
        said += [rendering.message(each).model_dump(mode="json", exclude={"id"}) for each in page]
        if len(page) < PAGE:
            break
        after = page[-1].number
    values = [
        {"scope": each.scope, "name": each.name, "value": each.value, "evidence": each.evidence, "at": each.updated_at}
        for each in await store.variables(record.id)
        if each.scope != "global" and each.updated_by != PRIVATE
    ]
    agreed = await consent.of_session(house, record)
    forms = [rendering.form_result(each).model_dump(mode="json") for each in await house.sessions.forms(record.id)]
    reports = await store.reports.of_session(record.id)
    return {
        "id": record.id,
        "script": record.script,
        "locale": record.locale,
        "consent": agreed.model_dump(mode="json", exclude={"session", "script", "open"}) if agreed else None,
        "status": record.status,
        "created_at": record.created_at,
        "ended_at": record.ended_at,
        "messages": said,
        "values": values,
        "forms": forms,
        "reports": [
            {"message": each.message, "reason": each.reason, "text": each.text, "at": each.at} for each in reports
        ],
    }


def _written(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, default=_plain)


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
