"""Taking an input for a session, and answering with the turn that came of it: whole, or event by event."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from uuid import uuid4

from heartrule.server import events, rendering, shapes
from heartrule.server.bodies import Keyed
from heartrule.server.faults import problem_of
from heartrule.server.house import House
from heartrule.server.live import QUIET
from heartrule.server.receiving import debugged
from heartrule.sessions.watching import Watch
from heartrule.store.records import Entry, SessionRecord


class Taken:
    @staticmethod
    def key(body: Keyed | None, kind: str) -> str:
        """The sender's own, in a room of its kind's; else one for this once."""
        given = body.key if body else None
        return f"{kind} {given or uuid4().hex}"


async def take(house: House, record: SessionRecord, entry: Entry) -> shapes.Turn:
    """The finished turn. It goes on when the asker leaves."""
    outcome = await house.desk.take(record.id, entry)
    return rendering.turn(record.id, outcome, await debugged(house, record, outcome.turn))


async def take_aloud(house: House, record: SessionRecord, entry: Entry, language: str) -> AsyncIterator[bytes]:
    """The turn's events as they come."""
    async with house.sessions.watch(record.id) as watch:
        task = house.desk.begin(record.id, entry)
        told = 0
        async for part, number in _begun(watch, task):
            told = max(told, number)
            yield part
        try:
            outcome = await asyncio.shield(task)
        except Exception as error:
            yield events.failed(problem_of(error, house), language).encoded()
            return
        first = events.first_of(outcome.turn)
        for event in events.told(record.id, outcome, told if told >= first else first - 1):
            yield event.encoded()


async def _begun(watch: Watch, task: asyncio.Task[object]) -> AsyncIterator[tuple[bytes, int]]:
    """That somebody is at work, until the turn is finished; and a sign of life meanwhile."""
    told = 0
    while not task.done():
        news = asyncio.ensure_future(anext(watch))
        await asyncio.wait({news, task}, timeout=QUIET, return_when=asyncio.FIRST_COMPLETED)
        if not news.done():
            news.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await news
            if not task.done():
                yield events.KEEP_ALIVE, told
            continue
        if news.exception() is not None:
            await asyncio.wait({task})
            return
        if news.result().kind == "begun":
            event = events.started(watch.session, news.result().turn)
            told = event.id or told
            yield event.encoded(), told
