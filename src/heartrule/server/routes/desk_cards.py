"""What counsellors keep of a session beside what was said: notes, tags, whose it is, what is left for the next shift;
and replies that they keep ready. Nothing of it is ever shown to the person."""

from __future__ import annotations

import re
import secrets
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Path, Query

from heartrule.identity.principal import Principal
from heartrule.identity.rights import Resource, may
from heartrule.server import bodies, person_view, ready_replies
from heartrule.server import desk_shapes as shapes
from heartrule.server.access import TheContext
from heartrule.server.context import AppContext
from heartrule.server.desk_news import colleagues
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.staff_access import Assigned, Assigner, Canned, CannedChanger, Looks, Noted, Noter, Read, Reader
from heartrule.sessions import CannotRestore
from heartrule.store import audit
from heartrule.store.audit import AuditRecord, Deed
from heartrule.store.canned_replies import CannedReply
from heartrule.store.cards import Assignment, Change, HandOver
from heartrule.store.database import Tx
from heartrule.store.notes import MOST, Note
from heartrule.store.records import SessionRecord

router = APIRouter(prefix="/desk", tags=["desk"])

Id = Annotated[str, Path(max_length=64, pattern=r"^[0-9a-f]+$")]
READ = problems(401, 403, 404)
DONE = problems(400, 401, 403, 404, 408, 409, 413, 415)
FILLED = ("counsellor", "service", "contact", "crisis_lines", "script")
"""Placeholders of replies that are kept ready."""
PLACEHOLDER = re.compile(r"\{([^{}\n]*)\}")


# notes


@router.get("/sessions/{session}/notes", responses=READ)
async def notes(record: Read, context: TheContext, staff: Reader) -> shapes.NoteList:
    """Oldest first; ``earlier``: of sessions of the same person that you may see. That they were looked at stands on
    record as any look at the session."""
    await context.looks.look(staff, record.id)
    found = await person_view.notes(context, staff, record)
    return shapes.NoteList(
        notes=[_note(each, staff) for each in found if each.session == record.id],
        earlier=[_note(each, staff) for each in found if each.session != record.id],
    )


@router.post("/sessions/{session}/notes", status_code=201, responses=DONE)
async def write(body: bodies.NoteBody, record: Noted, context: TheContext, staff: Noter) -> shapes.NoteShape:
    """The person never sees it, and it is in no export of theirs."""
    if len(await context.sessions.store.notes.of_session(record.id)) >= MOST:
        raise Problem("full")
    return _note(await add_note(context, staff, record.id, body.text), staff)


async def add_note(context: AppContext, staff: Principal, session: str, text: str) -> Note:
    now = context.sessions.clock.now()
    made = await context.sessions.store.notes.add(
        session, staff.id, staff.name, text, now, lambda tx: audit.add(tx, _record(context, staff, session, "note"))
    )
    context.news.changed(session)
    return made


@router.put("/sessions/{session}/notes/{note}", responses=DONE)
async def rewrite(
    note: Id, body: bodies.NoteBody, record: Noted, context: TheContext, staff: Noter
) -> shapes.NoteShape:
    """A note of your own."""
    return _note(await _change(context, staff, record.id, note, body.text), staff)


@router.delete("/sessions/{session}/notes/{note}", status_code=204, responses=READ)
async def drop(note: Id, record: Noted, context: TheContext, staff: Noter) -> None:
    """A note of your own."""
    await _change(context, staff, record.id, note, None)
    context.news.changed(record.id)


async def _change(context: AppContext, staff: Principal, session: str, note: str, text: str | None) -> Note:
    def check(known: Note) -> None:
        if not may(staff, "note.change", Resource(owner=known.who)):
            raise Problem("not-allowed")

    now = context.sessions.clock.now()
    found = await context.sessions.store.notes.change(session, note, text, now, check)
    if found is None:
        raise Problem("not-found")
    return found


def _note(note: Note, staff: Principal) -> shapes.NoteShape:
    by = shapes.AssignedTo(id=note.who, name=note.name, me=note.who == staff.id)
    return shapes.NoteShape(
        id=note.id, session=note.session, text=note.text, by=by, at=note.at, edited_at=note.edited_at
    )


# cards


@router.get("/tags", responses=problems(401, 403))
async def tags(context: TheContext, staff: Looks) -> shapes.Tags:
    """Those in use, of sessions that you may see."""
    cards = await context.board.cards()
    there = await context.board.these({each.session for each in cards}, staff)
    return shapes.Tags(tags=sorted({tag for row in there.values() if row.card for tag in row.card.tags}))


@router.put("/sessions/{session}/tags", responses=DONE)
async def tag(body: bodies.TagsBody, record: Assigned, context: TheContext, staff: Assigner) -> shapes.DeskItem:
    """All of them, in place of those before."""
    told = tuple(dict.fromkeys(each.strip() for each in body.tags if each.strip()))
    return await _put(context, staff, record, lambda card: replace(card, tags=told))


@router.put("/sessions/{session}/assignment", responses=DONE)
async def assign(body: bodies.AssignBody, record: Assigned, context: TheContext, staff: Assigner) -> shapes.DeskItem:
    """To a colleague, or to yourself; or to nobody. Whoever holds the session goes on until the other takes over."""
    now, to = context.sessions.clock.now(), None
    if body.to is not None:
        known = await colleagues(context.sessions, staff)
        found = next((each for each in known if each.id == body.to), None)
        if found is None and body.to != staff.id:
            raise Problem("not-found")
        to = Assignment(body.to, found.name if found else staff.name, staff.name, now, body.note or "")
    return await _put(context, staff, record, lambda card: replace(card, assigned=to), "assign", body.to or "")


@router.put("/sessions/{session}/handover", responses=DONE)
async def hand_over(
    body: bodies.HandOverBody, record: Assigned, context: TheContext, staff: Assigner
) -> shapes.DeskItem:
    """Leave it for the next shift, with what they must know; or take it off their list."""
    left = HandOver(staff.name, context.sessions.clock.now(), body.note) if body.note is not None else None
    return await _put(context, staff, record, lambda card: replace(card, handover=left), "hand_over")


async def _put(
    context: AppContext,
    staff: Principal,
    record: SessionRecord,
    change: Change,
    deed: Deed | None = None,
    detail: str = "",
) -> shapes.DeskItem:
    def also(tx: Tx) -> None:
        if deed is not None:
            audit.add(tx, _record(context, staff, record.id, deed, detail))

    await context.sessions.store.cards.change(record.id, context.sessions.clock.now(), change, also)
    context.news.changed(record.id)
    item = await context.board.one(record.id, staff)
    if item is None:
        raise Problem("not-found")
    return item


def _record(context: AppContext, staff: Principal, session: str, deed: Deed, detail: str = "") -> AuditRecord:
    return AuditRecord(staff.id, staff.role, session, deed, context.sessions.clock.now(), detail)


# replies that are kept ready


@router.get("/canned", responses=READ)
async def canned(
    context: TheContext,
    staff: Canned,
    session: Annotated[str | None, Query(max_length=64, pattern=r"^[0-9a-f]+$")] = None,
) -> shapes.CannedList:
    """Yours, those that are shared, and the organisation's. With ``session``, what stands for placeholders in it is
    filled in."""
    record = await context.sessions.store.session(session) if session else None
    if session is not None and (record is None or not may(staff, "session.read", Resource(project=record.project))):
        raise Problem("not-found")
    values = await _values(context, staff, record)
    known = await ready_replies.every(context.sessions.store.canned_replies)
    found = [each for each in known if each.shared or each.owner == staff.id]
    return shapes.CannedList(canned=[_canned(each, staff, values) for each in found])


@router.post("/canned", status_code=201, responses=DONE)
async def keep(body: bodies.CannedBody, context: TheContext, staff: CannedChanger) -> shapes.CannedShape:
    """Placeholders are ``{counsellor}``, ``{service}``, ``{contact}``, ``{crisis_lines}`` and ``{script}``."""
    return await _keep(context, staff, secrets.token_hex(8), body, staff.id)


@router.put("/canned/{reply}", responses=DONE)
async def keep_anew(
    reply: Id, body: bodies.CannedBody, context: TheContext, staff: CannedChanger
) -> shapes.CannedShape:
    """One of your own, or of the organisation's, which stays everybody's."""
    known = await _own(context, staff, reply)
    if known.owner == ready_replies.ORGANISATION:
        body = body.model_copy(update={"shared": True})
    return await _keep(context, staff, reply, body, known.owner)


@router.delete("/canned/{reply}", status_code=204, responses=READ)
async def drop_canned(reply: Id, context: TheContext, staff: CannedChanger) -> None:
    """One of your own, or of the organisation's."""
    await ready_replies.remove(context.sessions.store.canned_replies, await _own(context, staff, reply))


async def _own(context: AppContext, staff: Principal, reply: str) -> CannedReply:
    known = await ready_replies.find(context.sessions.store.canned_replies, reply)
    if known is None or not (known.shared or known.owner == staff.id):
        raise Problem("not-found")
    if not _may_change(staff, known):
        raise Problem("not-allowed")
    return known


def _may_change(staff: Principal, reply: CannedReply) -> bool:
    return may(staff, "canned.change", Resource(owner=reply.owner or None))


async def _keep(
    context: AppContext, staff: Principal, reply: str, body: bodies.CannedBody, owner: str
) -> shapes.CannedShape:
    unknown = [name for name in PLACEHOLDER.findall(body.text) if name not in FILLED]
    if unknown:
        raise Problem("placeholder-unknown", name=unknown[0], known=", ".join(FILLED))
    made = CannedReply(reply, owner, body.title, body.text, body.locale, body.shared)

    def check(known: CannedReply) -> None:
        if not _may_change(staff, known):
            raise Problem("not-allowed")

    await context.sessions.store.canned_replies.put(made, check)
    return _canned(made, staff, await _values(context, staff, None))


async def _values(context: AppContext, staff: Principal, record: SessionRecord | None) -> dict[str, str]:
    locale = record.locale if record is not None else staff.locale
    operator = context.settings.operator
    lines = "\n".join(f"{each.name}: {each.number}" for each in context.sessions.contacts(locale))
    values = {"counsellor": staff.name, "crisis_lines": lines}
    if operator is not None:
        values |= {"service": operator.name, "contact": operator.contact}
    if record is not None:
        try:
            values["script"] = (await context.sessions.script_of(record)).session.session
        except CannotRestore:
            values["script"] = record.script
    return values


def _canned(reply: CannedReply, staff: Principal, values: dict[str, str]) -> shapes.CannedShape:
    filled = reply.text
    for name, value in values.items():
        filled = filled.replace(f"{{{name}}}", value)
    return shapes.CannedShape(
        id=reply.id,
        title=reply.title,
        text=reply.text,
        filled=filled,
        locale=reply.locale,
        shared=reply.shared,
        mine=_may_change(staff, reply),
    )
