"""What is shown of a person beside the session that somebody has opened: of their other sessions those that they might
open too. What somebody may not see does not exist for them, wherever it is gathered."""

from __future__ import annotations

from collections.abc import Sequence

from heartrule.identity.principal import Principal
from heartrule.identity.rights import Resource, may
from heartrule.server.context import AppContext
from heartrule.store.notes import Note
from heartrule.store.records import SessionRecord

PAGE = 50


async def others(context: AppContext, who: Principal, record: SessionRecord, most: int) -> Sequence[SessionRecord]:
    """Made last first. Looked for until there are ``most``: those that they may not see take nobody's place."""
    found: list[SessionRecord] = []
    before: str | None = None
    while len(found) < most:
        some = await context.sessions.of_person(record.person, PAGE, before)
        found += [each for each in some if each.id != record.id and _may(who, each.project)]
        if len(some) < PAGE:
            break
        before = some[-1].id
    return found[:most]


async def notes(context: AppContext, who: Principal, record: SessionRecord) -> Sequence[Note]:
    """Of this session and of the others, oldest first."""
    store = context.sessions.store
    found = await store.notes.of_person(record.id)
    there = await store.watchlist.these({each.session for each in found}, None)
    seen = {each.id for each in there if _may(who, each.project)}
    return [each for each in found if each.session in seen]


def _may(who: Principal, project: str) -> bool:
    return may(who, "session.read", Resource(project=project))
