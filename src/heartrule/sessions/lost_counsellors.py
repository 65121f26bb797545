"""Counsellors who hold a session and give no sign of life any more, or went off duty and write no more: it goes back to
the program, which tells the person so, and those on duty where danger was told."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from heartrule.sessions.counsellor_actions import Counsellor, CounsellorActions
from heartrule.sessions.service import Sessions
from heartrule.sessions.session_status import RETURN
from heartrule.store.presences import Present
from heartrule.store.records import HumanRecord

ROLE = "server"
"""What stands on record in place of a role: they did not do it themselves."""


async def give_back(sessions: Sessions, absent: timedelta) -> Sequence[str]:
    """The sessions that went back. A sign of life is whatever somebody asks of the server, in whatever process. Who has
    gone off duty with sessions in their hands gives none by a page that is still open: only by writing in them."""
    now, store = sessions.clock.now(), sessions.store
    taken = await store.watchlist.held(now - RETURN)
    held = [(each.id, each.human) for each in taken if each.human and now - each.human.since >= absent]
    if not held:
        return ()
    known = {each.who: each for each in await store.presences.seen_since(now - RETURN)}
    talks = await store.talks.of([session for session, _ in held])
    given = []
    for session, human in held:
        wrote = talks[session].human_at if session in talks else None
        if not _is_there(known.get(human.id), human, wrote, now - absent):
            with suppress(Exception):  # the others go back all the same, and this one with the next sweep
                await CounsellorActions(sessions, Counsellor(human.id, human.name, ROLE)).vanish(session, human.since)
                given.append(session)
    return given


def _is_there(known: Present | None, human: HumanRecord, wrote: datetime | None, since: datetime) -> bool:
    if known is None or known.seen_at < since:
        return False
    went_off = human.since < known.until <= since
    return not went_off or (wrote is not None and wrote >= since)
