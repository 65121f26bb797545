"""Looking for words. What was said is encrypted: what may be seen is opened and read through, the latest sessions
first, and no more of it than can be read at once."""

from __future__ import annotations

from datetime import timedelta

from heartrule.identity.principal import Principal
from heartrule.server import desk_shapes as shapes
from heartrule.server.board import projects_of
from heartrule.server.context import AppContext
from heartrule.sessions.session_status import RETURN
from heartrule.store.audit import AuditRecord
from heartrule.store.notes import Note
from heartrule.store.talks import FoundMessage

SINCE = timedelta(days=30)
SESSIONS, MESSAGES = 300, 20_000
"""So many are read through at most."""
ROUND = 40
"""Characters that are shown before and behind."""


async def found(context: AppContext, who: Principal, words: str, limit: int) -> shapes.Hits:
    store, now = context.sessions.store, context.sessions.clock.now()
    if not words:
        return shapes.Hits(hits=[], complete=True)
    await store.audit.note(AuditRecord(who.id, who.role, "", "search", now))
    some = await store.watchlist.latest(now - SINCE, now + RETURN, projects_of(who), SESSIONS + 1)
    ids = [each.id for each in some[:SESSIONS]]
    said, whole = await store.talks.find(words, ids, limit, MESSAGES)
    notes = await _notes(context, ids, words)
    shown = list(dict.fromkeys([*(each.session for each in said), *(each.session for each in notes)]))
    rows = await context.board.these(shown, who)
    for session in rows:
        await context.looks.look(who, session)
    items = {session: context.board.item(row, who) for session, row in rows.items()}
    hits = [_of_message(each, words, items[each.session]) for each in said if each.session in items]
    hits += [_of_note(each, words, items[each.session]) for each in notes if each.session in items]
    hits.sort(key=lambda each: each.at, reverse=True)
    return shapes.Hits(hits=hits[:limit], complete=whole and len(some) <= SESSIONS and len(hits) <= limit)


async def _notes(context: AppContext, sessions: list[str], words: str) -> list[Note]:
    store, wanted = context.sessions.store, words.casefold()
    noted = await store.notes.counts(sessions)
    return [
        each
        for session in sessions
        if session in noted
        for each in await store.notes.of_session(session)
        if wanted in each.text.casefold()
    ]


def _of_message(found_: FoundMessage, words: str, item: shapes.DeskItem) -> shapes.Hit:
    message = found_.message
    before, match, after = _parts(message.text, found_.start, len(words))
    return shapes.Hit(
        session=found_.session,
        message=message.number,
        note=None,
        at=message.at,
        sender=message.sender,
        before=before,
        match=match,
        after=after,
        item=item,
    )


def _of_note(note: Note, words: str, item: shapes.DeskItem) -> shapes.Hit:
    before, match, after = _parts(note.text, note.text.casefold().find(words.casefold()), len(words))
    return shapes.Hit(
        session=note.session,
        message=None,
        note=note.id,
        at=note.at,
        sender="note",
        before=before,
        match=match,
        after=after,
        item=item,
    )


def _parts(text: str, start: int, length: int) -> tuple[str, str, str]:
    end = start + length
    return text[max(0, start - ROUND) : start], text[start:end], text[end : end + ROUND]
