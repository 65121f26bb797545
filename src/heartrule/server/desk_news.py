"""What happens, for the desks that are open: each session that has changed, as it stands now, and what somebody must be
woken by. Nobody asks again and again, and what is the same for all of them is read once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta

from heartrule import logs
from heartrule.identity.principal import Principal
from heartrule.server import desk_shapes as shapes
from heartrule.server.board import Board, Row
from heartrule.server.streams import Listener
from heartrule.sessions import Sessions

TOGETHER = 0.05
"""Seconds in which changes are gathered: a turn and what it escalates come at once."""
LOOK = 1.0
"""Seconds between looks at what other processes do."""
QUIET = 15.0
REMEMBERED = 5_000
FRESH = timedelta(seconds=30)
"""A call of a session that is met for the first time is news so long."""


class Desk(Listener):
    """One page that is open."""

    def __init__(self, who: Principal) -> None:
        super().__init__()
        self.who = who


class DeskNews:
    def __init__(self, sessions: Sessions, board: Board) -> None:
        self._sessions, self._board = sessions, board
        self._desks: set[Desk] = set()
        self._changed: set[str] = set()
        self._wake = asyncio.Event()
        self._rows: OrderedDict[str, Row] = OrderedDict()
        self._work: list[asyncio.Task[None]] = []
        self._colleagues: list[tuple[str, str, bool]] = []

    @property
    def open(self) -> int:
        return len(self._desks)

    def changed(self, session: str) -> None:
        """Something of it is another than it was."""
        if self._desks:
            self._changed.add(session)
            self._wake.set()

    @asynccontextmanager
    async def of(self, who: Principal) -> AsyncIterator[Desk]:
        desk = Desk(who)
        self._desks.add(desk)
        if not self._work:
            self._work = [asyncio.create_task(self._tell()), asyncio.create_task(self._look())]
        try:
            yield desk
        finally:
            self._desks.discard(desk)
            if not self._desks:
                await self._stop()

    async def _stop(self) -> None:
        work, self._work = self._work, []
        for each in work:
            each.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        self._rows.clear()

    def close(self) -> None:
        """Nothing more will happen."""
        for desk in self._desks:
            desk.end()

    async def _tell(self) -> None:
        while True:
            await self._wake.wait()
            await asyncio.sleep(TOGETHER)
            self._wake.clear()
            changed, self._changed = self._changed, set()
            try:
                await self._tell_of(changed)
            except Exception as error:  # the database is away: the next change is told again
                logs.fault(error)

    async def _tell_of(self, changed: Collection[str]) -> None:
        found = await self._board.these(changed, None)
        now = self._sessions.clock.now()
        for session in changed:
            row, before = found.get(session), self._rows.get(session)
            if row is None:
                self._rows.pop(session, None)
                self._tell_gone(session, before)
                continue
            self._rows[session] = row
            self._rows.move_to_end(session)
            for desk in [each for each in self._desks if each.who.may_see(row.watched.project)]:
                desk.tell("item", shapes.ItemChanged(session=session, item=self._board.item(row, desk.who)))
                for alert in _alerts(row, before, desk.who, now):
                    desk.tell("alert", alert)
        while len(self._rows) > REMEMBERED:
            self._rows.popitem(last=False)

    def _tell_gone(self, session: str, before: Row | None) -> None:
        for desk in self._desks:
            if before is None or desk.who.may_see(before.watched.project):
                desk.tell("item", shapes.ItemChanged(session=session, item=None))

    async def _look(self) -> None:
        """At what others do: turns and cards of other processes, and who comes and goes."""
        seqs: dict[str, int] = {}
        since = self._sessions.clock.now()
        cards, _ = await self._sessions.store.cards.moved(since, {})
        while True:
            await asyncio.sleep(LOOK)
            with suppress(Exception):
                now = self._sessions.clock.now()
                moved = await self._sessions.store.watchlist.moved(since - 2 * timedelta(seconds=LOOK))
                for session, seq in moved.items():
                    row = self._rows.get(session)
                    if seqs.get(session, row.watched.seq if row else None) != seq:
                        self.changed(session)
                seqs, since = dict(moved), now
                cards, touched = await self._sessions.store.cards.moved(now, cards)
                for session in touched:
                    self.changed(session)
                await self._tell_of_colleagues()

    async def _tell_of_colleagues(self) -> None:
        told = await colleagues(self._sessions, None)
        known = [(each.id, each.name, each.here) for each in told]
        if known == self._colleagues:
            return
        self._colleagues = known
        for desk in self._desks:
            own = [each.model_copy(update={"me": each.id == desk.who.id}) for each in told]
            desk.tell("duty", shapes.Colleagues(colleagues=own))


def _alerts(row: Row, before: Row | None, who: Principal, now: datetime) -> list[shapes.AlertShape]:
    """What is new in it that somebody must know of."""
    one, found = row.watched, list[shapes.AlertShape]()
    known = {each.id for each in before.calls} if before else set()
    fresh = [each for each in row.calls if each.id not in known and (before or now - each.at < FRESH)]
    if fresh and (one.human is None or one.human.id == who.id):
        found.append(shapes.AlertShape(session=one.id, kind="escalated", at=fresh[0].at))
    began, was_with = one.crisis_since, before.watched.human if before else None
    new = began is not None and (before is None or before.watched.crisis_since is None)
    if began is not None and was_with is not None and one.human is None:  # told to a human, who has left them
        new = new or began >= was_with.since
    if began is not None and new and not fresh and one.human is None and (before or now - began < FRESH):
        found.append(shapes.AlertShape(session=one.id, kind="crisis", at=began))
    to = row.card.assigned if row.card else None
    if to is not None and to.to == who.id and now - to.at < FRESH:
        was = before.card.assigned if before and before.card else None
        if was is None or was.at != to.at:
            found.append(shapes.AlertShape(session=one.id, kind="assigned", at=to.at))
    if one.human is not None and one.human.id == who.id and row.talk.person:
        number, at = row.talk.person[-1]
        seen_before = before.talk.person[-1][0] if before and before.talk.person else 0
        if number > seen_before and (before or now - at < FRESH) and at >= one.human.since:
            found.append(shapes.AlertShape(session=one.id, kind="message", at=at))
    return found


ONLINE = timedelta(seconds=60)


async def colleagues(sessions: Sessions, who: Principal | None) -> list[shapes.Colleague]:
    """Counsellors with an account, and whoever else is there."""
    now, store = sessions.clock.now(), sessions.store
    there = {each.who: each for each in await store.presences.seen_since(now - ONLINE)}
    held: dict[str, int] = {}
    for each in await store.watchlist.held(now - timedelta(days=1)):
        if each.human is not None:
            held[each.human.id] = held.get(each.human.id, 0) + 1
    names = {each.who: each.name for each in there.values()}
    for account in await store.accounts.all():
        if "counsellor" in account.roles and not account.disabled:
            names[account.id] = account.shown_name
    return [
        shapes.Colleague(
            id=id_,
            name=name,
            here=id_ in there and there[id_].until > now,
            online=id_ in there,
            holds=held.get(id_, 0),
            me=who is not None and id_ == who.id,
        )
        for id_, name in sorted(names.items(), key=lambda each: (each[0] not in there, each[1]))
    ]
