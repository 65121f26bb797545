"""Counsellors who hold a session and give no sign of life any more: it goes back to the program, which tells the person
so, and those on duty where danger was told."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from heartrule.sessions.counselling import Counselling, Counsellor
from heartrule.sessions.life import RETURN
from heartrule.sessions.service import Sessions

ROLE = "server"
"""What stands on record in place of a role: they did not do it themselves."""


async def give_back(sessions: Sessions, absent: timedelta) -> Sequence[str]:
    """The sessions that went back. A sign of life is whatever somebody asks of the server, in whatever process."""
    now, store = sessions.clock.now(), sessions.store
    taken = await store.watchlist.held(now - RETURN)
    held = [each for each in taken if each.human and now - each.human.since >= absent]
    if not held:
        return ()
    alive = {each.who for each in await store.presences.seen_since(now - absent)}
    given = []
    for each in held:
        if each.human is not None and each.human.id not in alive:
            with suppress(Exception):  # the others go back all the same, and this one with the next sweep
                who = Counsellor(each.human.id, each.human.name, ROLE)
                await Counselling(sessions, who).vanish(each.id, each.human.since)
                given.append(each.id)
    return given
