"""The desk's list: how each session stands, who is with it, and what waits; without a word of what was said."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from heartrule.identity.principal import EVERY, Principal
from heartrule.server import desk_shapes as shapes
from heartrule.server.pseudonyms import Pseudonyms
from heartrule.sessions import Sessions
from heartrule.sessions.session_status import RETURN, life_of
from heartrule.store.cards import Card
from heartrule.store.escalations import EscalationRecord
from heartrule.store.records import HumanRecord
from heartrule.store.talks import Talk
from heartrule.store.watchlist import WatchedSession, Which

Show = Which | Literal["escalated", "mine", "ended"]
LATEST = 500
"""Escalations that are looked at; older ones that nobody has acknowledged are in ``heartrule escalations``."""
LISTED = 200
KEPT = 5_000
"""Conversations whose state is remembered, until something is said in them."""
ENDED_SINCE = timedelta(days=30)
CARDS_SINCE = timedelta(days=7)
"""So long an assignment, and what is left for the next shift, stands in the lists."""
OVER = ("ended", "archived")
NAMES_LAST = 5.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Row:
    """A session as it is the same for everybody who may see it."""

    watched: WatchedSession
    calls: tuple[EscalationRecord, ...]
    talk: Talk
    card: Card | None
    notes: int

    @property
    def reasons(self) -> list[tuple[shapes.Reason, datetime]]:
        one = self.watched
        told: list[tuple[shapes.Reason, datetime]] = [("escalated", each.at) for each in self.calls[-1:]]
        told += [("crisis", one.crisis_since)] if one.crisis_since else []
        return told + ([("taken_over", one.human.since)] if one.human else [])


class Board:
    def __init__(self, sessions: Sessions, pseudonyms: Pseudonyms) -> None:
        self._sessions, self._pseudonyms = sessions, pseudonyms
        self._talks: OrderedDict[str, tuple[int, Talk]] = OrderedDict()
        self._names: tuple[float, Mapping[str, str]] = (0.0, {})

    async def listed(
        self, who: Principal, show: Show, limit: int = LISTED, before: datetime | None = None
    ) -> tuple[list[shapes.DeskItem], bool]:
        """And whether there are more."""
        calls = await self.calls(who)
        found = await self._found(who, show, calls, limit + 1, before)
        if show == "escalated":
            found = [each for each in found if each.id in calls]
        rows = await self._rows(found[:limit], calls)
        items = [self.item(each, who) for each in rows]
        return (items if show == "ended" else sorted(items, key=_first)), len(found) > limit

    async def calls(self, who: Principal) -> dict[str, list[EscalationRecord]]:
        """That nobody has acknowledged, by session, the newest first."""
        calls: dict[str, list[EscalationRecord]] = {}
        for each in await self._sessions.store.escalations.attended(projects_of(who), LATEST):
            calls.setdefault(each.session, []).append(each)
        return calls

    async def _found(
        self, who: Principal, show: Show, calls: Collection[str], limit: int, before: datetime | None
    ) -> Sequence[WatchedSession]:
        watchlist, now, projects = self._sessions.store.watchlist, self._sessions.clock.now(), projects_of(who)
        if show == "ended":
            return await watchlist.ended(now - ENDED_SINCE, before or now + RETURN, projects, limit)
        if show == "mine":
            held = await watchlist.sessions("taken", now - RETURN, (), projects, limit=1000)
            mine = [each.id for each in held if each.human and each.human.id == who.id]
            mine += [each.session for each in await self.cards() if each.assigned and each.assigned.to == who.id]
            return (await watchlist.these(set(mine), projects))[:limit]
        which: Which = "help" if show == "escalated" else show
        return await watchlist.sessions(which, now - RETURN, calls, projects, limit)

    async def cards(self) -> Sequence[Card]:
        return await self._sessions.store.cards.since(self._sessions.clock.now() - CARDS_SINCE)

    async def these(self, asked: Collection[str], who: Principal | None) -> dict[str, Row]:
        """Of those that are there, and that they may see; by session."""
        projects = projects_of(who) if who is not None else None
        found = await self._sessions.store.watchlist.these(asked, projects)
        calls: dict[str, list[EscalationRecord]] = {}
        for each in found:
            own = await self._sessions.store.escalations.of_session(each.id)
            calls[each.id] = [call for call in own if call.acknowledged_at is None]
        return {row.watched.id: row for row in await self._rows(found, calls)}

    async def one(self, session: str, who: Principal) -> shapes.DeskItem | None:
        row = (await self.these([session], who)).get(session)
        return None if row is None else self.item(row, who)

    async def _rows(
        self, found: Sequence[WatchedSession], calls: Mapping[str, Sequence[EscalationRecord]]
    ) -> Sequence[Row]:
        ids = [each.id for each in found]
        store = self._sessions.store
        talks, cards, notes = await self._talks_of(found), await store.cards.of(ids), await store.notes.counts(ids)
        return [
            Row(
                each,
                tuple(calls.get(each.id, ())),
                talks.get(each.id, Talk()),
                cards.get(each.id),
                notes.get(each.id, 0),
            )
            for each in found
        ]

    async def _talks_of(self, found: Sequence[WatchedSession]) -> dict[str, Talk]:
        known = {each.id: self._talks[each.id] for each in found if each.id in self._talks}
        stale = [each for each in found if each.id not in known or known[each.id][0] != each.seq]
        fresh = await self._sessions.store.talks.of([each.id for each in stale])
        for each in stale:
            if each.id in fresh:
                self._talks[each.id] = (each.seq, fresh[each.id])
        while len(self._talks) > KEPT:
            self._talks.popitem(last=False)
        return {each: talk for each, (_, talk) in known.items()} | fresh

    def item(self, row: Row, who: Principal) -> shapes.DeskItem:
        one, card, reasons = row.watched, row.card, row.reasons
        names = self._script_names()
        status = life_of(one, self._sessions.clock.now())
        seen = card.seen if card is not None else {}
        read = seen[who.id].message if who.id in seen else 0
        return shapes.DeskItem(
            id=one.id,
            project=one.project,
            script=one.script,
            name=names.get(one.script, one.script),
            locale=one.locale,
            status=status,
            created_at=one.created_at,
            last_active_at=one.last_active_at,
            ended_at=one.ended_at,
            turn=one.seq,
            person=self.person(one.person),
            reasons=[reason for reason, _ in reasons],
            since=min((at for _, at in reasons), default=None),
            urgent=bool(reasons) and one.human is None and status not in OVER,
            holder=holder(one.human, who),
            escalations=len(row.calls),
            waiting_since=row.talk.waiting_since(one.human.since) if one.human else None,
            last_person_at=row.talk.person[-1][1] if row.talk.person else None,
            unread=row.talk.unread(read),
            seen=[shapes.SeenShape(id=id_, name=s.name, at=s.at, me=id_ == who.id) for id_, s in seen.items()],
            tags=list(card.tags) if card else [],
            assigned=_assigned(card, who),
            handover=_handover(card),
            notes=row.notes,
        )

    def _script_names(self) -> Mapping[str, str]:
        """What scripts are called; looked up anew now and then, as they may be written while the server runs."""
        until, names = self._names
        now = time.monotonic()
        if now >= until:
            names = {script.id: script.name for script in self._sessions.scripts()}
            self._names = (now + NAMES_LAST, names)
        return names

    def person(self, person: str) -> shapes.PersonShape:
        told = self._pseudonyms.of(person)
        return shapes.PersonShape(key=told.key, pseudonym=shapes.Called(zh=told.zh, en=told.en), hue=told.hue)


def projects_of(who: Principal) -> tuple[str, ...] | None:
    """The projects whose sessions they may see; None for all."""
    return None if EVERY in who.projects else who.projects


def holder(human: HumanRecord | None, who: Principal) -> shapes.Holder | None:
    if human is None:
        return None
    return shapes.Holder(id=human.id, name=human.name, since=human.since, me=human.id == who.id)


def _first(item: shapes.DeskItem) -> tuple[int, float]:
    """Who waits for somebody comes first, the longest first; then who is being talked with, in danger before the
    others; then the latest others."""
    if item.reasons and item.holder is None:
        return 0, item.since.timestamp() if item.since else 0.0
    held = 1 if "crisis" in item.reasons else 2
    return (held if item.holder else 3), -item.last_active_at.timestamp()


def _assigned(card: Card | None, who: Principal) -> shapes.AssignmentShape | None:
    if card is None or card.assigned is None:
        return None
    told = card.assigned
    to = shapes.AssignedTo(id=told.to, name=told.to_name, me=told.to == who.id)
    return shapes.AssignmentShape(to=to, by=told.by, at=told.at, note=told.note)


def _handover(card: Card | None) -> shapes.HandOverShape | None:
    if card is None or card.handover is None:
        return None
    return shapes.HandOverShape(by=card.handover.by, at=card.handover.at, note=card.handover.note)
