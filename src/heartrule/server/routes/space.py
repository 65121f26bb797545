"""What is kept of a person, for that person: to look at, to take along, to have erased."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Response
from fastapi.responses import StreamingResponse

from heartrule.engine.forms.counsellor_forms import PRIVATE
from heartrule.language.compiling.script import Script
from heartrule.reporting import report_data
from heartrule.server import consent, rendering
from heartrule.server.access import Granted, Held, TheContext, known_person
from heartrule.server.context import AppContext
from heartrule.server.inputs import take
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.shapes import BandShape, ConsentShape, FormScore, KnownShape, MemoryShape, RememberedShape, Space
from heartrule.sessions import CannotRestore
from heartrule.store.belongings import KnownValue
from heartrule.store.memories import StoredMemory
from heartrule.store.records import Entry, SessionRecord

router = APIRouter(tags=["persons"])
FORMAT = "heartrule-export/1"
PAGE = 500
"""Messages, and sessions, that are read at a time."""


async def _person(context: TheContext, granted: Granted) -> str:
    """Whose token it is; a session's own token says nothing of a person."""
    if granted is None or granted.opens not in ("person", "subject"):
        raise Problem("unauthorized")
    person = await known_person(context, granted)
    if person is None or await context.sessions.store.belongings.since(person) is None:
        raise Problem("not-found")
    return person


Person = Annotated[str, Depends(_person)]
Name = Annotated[str, Path(min_length=1, max_length=200)]
Tag = Annotated[str, Query(max_length=35, description="The language wanted, as a tag: zh-CN, en.")]


@router.get("/persons/me", responses=problems(401, 404))
async def space(person: Person, context: TheContext, locale: Tag = "zh-CN") -> Space:
    """How long the person has been here, what is known and remembered of them, and what their forms came to, oldest
    first."""
    store = context.sessions.store
    since = await store.belongings.since(person)
    if since is None:
        raise Problem("not-found")
    count, scores, agreed = 0, list[FormScore](), list[ConsentShape]()
    async for record in _sessions(context, person):
        count += 1
        found_here = await consent.of_session(context, record)
        agreed += [found_here] if found_here else []
        scores += [each async for each in _scores(context, record)]
    return Space(
        since=since,
        sessions=count,
        consents=agreed[::-1],
        known=[_known(context, each, locale) for each in await _shown(context, person)],
        remembered=[_remembered(each) for each in await store.memories.of_person(person)],
        forms=sorted(scores, key=lambda each: each.at),
        contact=await store.contacts.find(person) is not None,
    )


@router.delete(
    "/persons/me/known/{project}/{name}", status_code=204, response_class=Response, responses=problems(401, 404)
)
async def forget(project: Name, name: Name, person: Person, context: TheContext) -> None:
    """Have one thing forgotten that is known of the person. Sessions that are under way go on without it."""
    if not await context.sessions.store.belongings.forget(person, project, name):
        raise Problem("not-found")


@router.delete("/persons/me/remembered/{item}", status_code=204, response_class=Response, responses=problems(401, 404))
async def unremember(item: Name, person: Person, context: TheContext) -> None:
    """Have one thing forgotten that was told or explained: it does not come up again, from the next turn on."""
    if not await context.sessions.store.memories.forget(person, item):
        raise Problem("not-found")


@router.get(
    "/persons/me/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/json": {}}}, **problems(401, 404)},
)
async def export(person: Person, context: TheContext, locale: Tag = "zh-CN") -> StreamingResponse:
    """Everything that the person said and was told, what was made of it, and their forms: one JSON document, to take
    along."""
    headers = {"Content-Disposition": 'attachment; filename="heartrule.json"', "Cache-Control": "no-store"}
    return StreamingResponse(_document(context, person, locale), media_type="application/json", headers=headers)


@router.delete("/persons/me", status_code=204, response_class=Response, responses=problems(401, 404))
async def erase(person: Person, context: TheContext) -> None:
    """Erase everything that is kept of the person, for good: their key is destroyed, then every row. Their tokens open
    nothing any more. It cannot be undone. That somebody was told of danger stays on record, without the words."""
    await context.sessions.store.erase_person(person)


@router.delete("/sessions/{session}", status_code=204, response_class=Response, responses=problems(401, 403, 404))
async def remove(record: Held, context: TheContext, granted: Granted) -> None:
    """Remove a session for good, with all that was said in it and all that is remembered of it. What is known of the
    person from it stays: it can be forgotten on its own."""
    if granted is not None and granted.lent:
        raise Problem("only-lent")
    await context.sessions.store.belongings.remove_session(record.id)


@router.delete(
    "/sessions/{session}/consent", status_code=204, response_class=Response, responses=problems(401, 403, 404, 409)
)
async def withdraw(record: Held, context: TheContext, granted: Granted) -> None:
    """Take back what was agreed to before the session: it ends at once, and nothing of it goes anywhere any more. What
    was said stays until it is removed. A session that is over has nothing to take back; it can be removed."""
    if granted is not None and granted.lent:
        raise Problem("only-lent")
    if consent.CONSENT not in record.metadata:
        raise Problem("not-found")
    await context.sessions.stop(record.id, everything=True)
    await take(context, record.id, Entry(key=consent.WITHDRAWN, kind="end"))


async def _scores(context: AppContext, record: SessionRecord) -> AsyncIterator[FormScore]:
    """Of a session whose script cannot be read any more, without bands."""
    script: Script | None = None
    for found in await context.sessions.forms(record.id):
        if script is None:
            with suppress(CannotRestore):
                script = await context.sessions.script_of(record)
        form = script.forms.get(found.form) if script else None
        shown = rendering.form_result(found).model_dump(exclude={"turn", "values"})
        ranges = {name: report_data.ranges(form, name) for name in found.scores}
        better = {name: report_data.better(form, name) for name in found.scores}
        limits = {name: report_data.limits(form, name) for name in found.scores}
        yield FormScore(
            session=record.id,
            ranges={
                name: [BandShape(label=each.label, low=each.low, high=each.high) for each in bands]
                for name, bands in ranges.items()
                if bands
            },
            better={name: "low" if which == "low" else "high" for name, which in better.items() if which},
            limits={name: list(ends) for name, ends in limits.items() if ends},
            **shown,
        )


async def _sessions(context: AppContext, person: str) -> AsyncIterator[SessionRecord]:
    before: str | None = None
    while True:
        found = await context.sessions.of_person(person, PAGE, before)
        for record in found:
            yield record
        if len(found) < PAGE:
            return
        before = found[-1].id


async def _shown(context: AppContext, person: str) -> list[KnownValue]:
    """What is known of the person and not for counsellors alone."""
    found = await context.sessions.store.belongings.known(person)
    return [each for each in found if each.variable.updated_by != PRIVATE]


def _known(context: AppContext, each: KnownValue, locale: str) -> KnownShape:
    found = each.variable
    return KnownShape(
        project=each.project,
        name=found.name,
        label=context.sessions.label(each.project, found.name, locale),
        value=found.value,
        evidence=found.evidence,
        updated_at=found.updated_at,
    )


def _remembered(each: StoredMemory) -> RememberedShape:
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


async def _document(context: AppContext, person: str, locale: str) -> AsyncIterator[str]:
    """Piece by piece: who has said much is not read into memory whole."""
    store = context.sessions.store
    contact = await store.contacts.find(person)
    head = {
        "format": FORMAT,
        "exported_at": context.sessions.clock.now(),
        "since": await store.belongings.since(person),
        "contact": None
        if contact is None
        else {"name": contact.name, "email": contact.address, "known_as": contact.known_as},
        "known": [_known(context, each, locale).model_dump(mode="json") for each in await _shown(context, person)],
        "remembered": [_remembered(each).model_dump(mode="json") for each in await store.memories.of_person(person)],
        "memories": [
            MemoryShape.of(each.project, each.item).model_dump(mode="json")
            for each in await store.recollections.of_person(person)
            if each.item.kind != "passage"  # their words stand in the sessions
        ],
    }
    yield _written(head)[:-1] + ', "sessions": ['
    first = True
    async for record in _sessions(context, person):
        yield ("" if first else ", ") + _written(await _told(context, record, locale))
        first = False
    yield "]}\n"


async def _told(context: AppContext, record: SessionRecord, locale: str) -> Mapping[str, Any]:
    store, said, after = context.sessions.store, list[dict[str, Any]](), 0
    while True:
        page = await store.messages(record.id, after, PAGE)
        said += [rendering.message(each).model_dump(mode="json", exclude={"id"}) for each in page]
        if len(page) < PAGE:
            break
        after = page[-1].number
    values = [
        {
            "scope": each.scope,
            "name": each.name,
            "label": context.sessions.label(record.project, each.name, locale),
            "value": each.value,
            "evidence": each.evidence,
            "at": each.updated_at,
        }
        for each in await store.variables(record.id)
        if each.scope != "global" and each.updated_by != PRIVATE
    ]
    agreed = await consent.of_session(context, record)
    forms = [rendering.form_result(each).model_dump(mode="json") for each in await context.sessions.forms(record.id)]
    reports = await store.reports.of_session(record.id)
    return {
        "id": record.id,
        "script": record.script,
        "locale": record.locale,
        "consent": agreed.model_dump(mode="json", exclude={"session", "script", "open"}) if agreed else None,
        "status": record.status,
        "metadata": rendering.notes(record),
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
