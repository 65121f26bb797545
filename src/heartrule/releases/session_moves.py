"""Sessions that are not over, looked at for a new bundle, and moved to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass

from heartrule.language.compiling.script import Script
from heartrule.language.findings import Refused
from heartrule.language.projects.project import LoadedProject
from heartrule.releases.impact import Impact, Rule, SessionLanding, impact, landing
from heartrule.sessions import CannotRestore, Sessions
from heartrule.sessions.rows import state_of
from heartrule.sessions.session_status import RETURN, life_of, read_only
from heartrule.sessions.views import position_of
from heartrule.store.moves import Move, NotAtRest
from heartrule.store.records import Gone, LoadedSession

TRIES = 5
"""How often it is tried to move a session that somebody is at work on."""
PAUSE = 0.2


@dataclass(frozen=True, slots=True)
class MovedSessions:
    """How many were moved and how many stayed; ``busy``: of these, those that would have been moved and were not at
    rest."""

    moved: int = 0
    stayed: int = 0
    busy: int = 0


class Bundle:
    """A project as a release has it, and the scripts in it, each compiled once."""

    def __init__(self, sessions: Sessions, home: LoadedProject) -> None:
        self._library, self.home = sessions.library, home
        self._known: dict[tuple[str, str], Script | None] = {}

    def script(self, script: str, locale: str) -> Script | None:
        """That of a session; None where there is none of that name, or it cannot be held."""
        if (script, locale) not in self._known:
            found: Script | None = None
            with suppress(Refused):
                made = self._library.script_in(self.home, script.partition("/")[2], None)
                found = made if made.id == script else None
            self._known[(script, locale)] = found
        return self._known[(script, locale)]


async def looked_at(sessions: Sessions, slug: str, new: Bundle) -> Impact:
    """Where all sessions of the project that are not over would be."""
    found: list[tuple[str, SessionLanding]] = []
    unread = 0
    async for loaded, there in _landings(sessions, slug, new):
        if there is None:
            unread += 1
        else:
            found.append((loaded.session.script, there))
    return impact(found, unread)


async def moved(sessions: Sessions, slug: str, new: Bundle, release: str | None, rule: Rule) -> MovedSessions:
    """Move those that the rule takes. A session that somebody is at work on is waited for a moment, then left."""
    counts = {"moved": 0, "stayed": 0, "busy": 0}
    if rule.existing == "pinned":
        return MovedSessions()
    for session in await _open(sessions, slug):
        with suppress(Gone):
            counts[await move(sessions, session, new, release, rule)] += 1
    return MovedSessions(counts["moved"], counts["stayed"] + counts["busy"], counts["busy"])


async def move(sessions: Sessions, session: str, new: Bundle, release: str | None, rule: Rule) -> str:
    """``moved``, ``stayed`` or ``busy``; what is decided is where it stands at the moment of the move. ``Gone``."""
    for _ in range(TRIES):
        loaded = await sessions.store.load(session, 0)
        there = await _landing(sessions, loaded, new)
        if there is None or not rule.moves(there) or there.state is None:
            return "stayed"
        script = new.script(loaded.session.script, loaded.session.locale)
        assert script is not None
        record = loaded.session
        change = Move(
            session=session,
            seq=record.seq,
            bundle=script.bundle,
            sources=script.sources,
            release=release,
            state=there.state.model_dump(mode="json"),
            position=position_of(there.state) if record.seq else record.position,
            wake_at=record.wake_at,
        )
        try:
            await sessions.store.moves.move(change, sessions.clock.now())
        except NotAtRest:
            await asyncio.sleep(PAUSE)
            continue
        return "moved"
    return "busy"


async def _landings(
    sessions: Sessions, slug: str, new: Bundle
) -> AsyncIterator[tuple[LoadedSession, SessionLanding | None]]:
    for session in await _open(sessions, slug):
        try:
            loaded = await sessions.store.load(session, 0)
        except Gone:
            continue
        if not read_only(life_of(loaded.session, sessions.clock.now())):
            yield loaded, await _landing(sessions, loaded, new)


async def _landing(sessions: Sessions, loaded: LoadedSession, new: Bundle) -> SessionLanding | None:
    """None where it cannot be looked at."""
    try:
        old = await sessions.script_of(loaded.session)
        state = state_of(loaded.state)
    except CannotRestore:
        return None
    script = new.script(loaded.session.script, loaded.session.locale)
    return await asyncio.to_thread(landing, state, old, script)


async def _open(sessions: Sessions, slug: str) -> tuple[str, ...]:
    return await sessions.store.moves.open_of(slug, sessions.clock.now() - RETURN)
