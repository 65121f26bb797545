"""What is remembered of a person beside the turns, for that person: to look at and search, to put right, to have
forgotten; and whether later conversations may know of it at all."""

from __future__ import annotations

from itertools import zip_longest
from typing import Annotated

from fastapi import APIRouter, Query, Response

from heartrule.server.access import TheContext
from heartrule.server.bodies import Correction, MemoryConsent
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.routes.space import Name, Person
from heartrule.server.shapes import (
    CurvePoint,
    CurveShape,
    MemoryList,
    MemoryShape,
    RememberingShape,
    TimelineShape,
)
from heartrule.sessions.person_memory import timeline, wanted
from heartrule.store.recollections import Recollection

router = APIRouter(tags=["persons"])
MOST = 50
"""Found for a question of a person's own."""
Question = Annotated[str, Query(max_length=400, description="What is looked for; empty: everything.")]


@router.get("/persons/me/remembering", responses=problems(401, 404))
async def remembering(person: Person, context: TheContext) -> RememberingShape:
    """Whether conversations may know of earlier ones. ``on`` is null until the person has answered, and nothing is
    remembered across conversations until it is true."""
    found = await context.sessions.store.recollections.choice(person)
    if found is None:
        raise Problem("not-found")
    return RememberingShape(on=found.yes, at=found.at)


@router.put("/persons/me/remembering", responses=problems(400, 401, 404))
async def choose(wanted: MemoryConsent, person: Person, context: TheContext) -> RememberingShape:
    """Switch it on: what was said so far is gone through, beside the conversations. Switch it off: what is remembered
    goes at once; conversations stay until they are removed."""
    sessions, now = context.sessions, context.sessions.clock.now()
    held = [each.id for each in await sessions.store.sessions_of(person) if each.seq] if wanted.on else []
    if not await sessions.store.recollections.choose(person, wanted.on, now, held):
        raise Problem("not-found")
    context.jobs.wake()
    return RememberingShape(on=wanted.on, at=now)


@router.get("/persons/me/memories", responses=problems(401, 404))
async def memories(person: Person, context: TheContext, q: Question = "") -> MemoryList:
    """What is remembered, latest first, each with where it comes from; with a question what is nearest to it, nearest
    first. Words that are found again as they were said are listed for a question alone: they stand in the
    conversations."""
    kept = context.sessions.store.recollections
    everything = await kept.of_person(person)
    if not q.strip():
        listed = [each for each in reversed(everything) if each.item.kind != "passage"]
        return MemoryList(memories=[_shown(each) for each in listed])
    asked = wanted(q, context.sessions.clock.now())
    projects = dict.fromkeys(each.project for each in everything)
    found = [await kept.find(person, project, asked, MOST) for project in projects]
    ranked = [each for equals in zip_longest(*found) for each in equals if each is not None]
    return MemoryList(memories=[_shown(each) for each in ranked[:MOST]])


@router.get("/persons/me/timeline", responses=problems(401, 404))
async def course(person: Person, context: TheContext) -> TimelineShape:
    """What happened, how scores went, what was reached: oldest first."""
    held = await context.sessions.store.recollections.of_person(person)
    projects = {each.item.id: each.project for each in held}
    found = timeline([each.item for each in held])
    told = [MemoryShape.of(projects[each.id], each) for each in found.events]
    reached = {each.id for each in found.milestones}
    curves = [
        CurveShape(name=name, points=[CurvePoint(at=at, value=value, band=band) for at, value, band in points])
        for name, points in found.curves.items()
    ]
    return TimelineShape(events=told, milestones=[each for each in told if each.id in reached], curves=curves)


@router.put("/persons/me/memories/{item}", status_code=204, response_class=Response, responses=problems(400, 401, 404))
async def correct(item: Name, wanted: Correction, person: Person, context: TheContext) -> None:
    """Put one thing right: from now on it says what the person has written."""
    if not await context.sessions.store.recollections.correct(person, item, wanted.text):
        raise Problem("not-found")


@router.delete("/persons/me/memories/{item}", status_code=204, response_class=Response, responses=problems(401, 404))
async def forget(item: Name, person: Person, context: TheContext) -> None:
    """Have one thing forgotten. It does not come back, however often its conversation is gone through anew; nor do the
    words that prove it, and summaries say nothing of it. The conversation itself stays until it is removed."""
    sessions = context.sessions
    if not await sessions.store.recollections.forget(person, item, sessions.clock.now()):
        raise Problem("not-found")
    context.jobs.wake()


def _shown(each: Recollection) -> MemoryShape:
    return MemoryShape.of(each.project, each.item)
