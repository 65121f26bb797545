"""Taking an input for a session, and answering with the turn that came of it: whole, or event by event."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from uuid import uuid4

from heartrule.server import events, rendering, shapes
from heartrule.server.bodies import KeyedRequest
from heartrule.server.context import AppContext
from heartrule.server.faults import problem_of
from heartrule.server.live import QUIET
from heartrule.sessions import Outcome
from heartrule.sessions.subscribers import Watch
from heartrule.store.records import Entry


def key_of(body: KeyedRequest | None, kind: str) -> str:
    """The sender's own, in a room of its kind's; else one for this once."""
    given = body.key if body else None
    return f"{kind} {given or uuid4().hex}"


async def take(context: AppContext, session: str, entry: Entry) -> shapes.Turn:
    """The finished turn. It goes on when the asker leaves."""
    outcome = await context.running.outcome(begin(context, session, entry))
    return rendering.turn(session, outcome)


def begin(context: AppContext, session: str, entry: Entry) -> asyncio.Task[Outcome]:
    """The turn in work, if it is not one too many."""
    context.limits.turn(session, entry.kind)
    return context.running.begin(session, entry)


async def take_aloud(
    context: AppContext, session: str, task: asyncio.Task[Outcome], language: str
) -> AsyncIterator[bytes]:
    """Everything that happens until the turn is finished, in order; then the turn, if it is an older one."""
    try:
        async with context.sessions.watch(session) as watch:
            last, stood = events.last_of(watch.seq), watch.seq
            async with aclosing(_meanwhile(context, watch, task, last)) as meanwhile:
                async for event in meanwhile:
                    last = (event.id if event else None) or last
                    yield event.encoded() if event else events.KEEP_ALIVE
            outcome = await context.running.outcome(task)
            again = outcome.turn <= stood
            for event in events.turn_events(session, outcome, events.first_of(outcome.turn) - 1 if again else last):
                yield event.encoded()
    except Exception as error:
        yield events.failed(problem_of(error, context), language).encoded()


async def _meanwhile(
    context: AppContext, watch: Watch, task: asyncio.Task[Outcome], last: int
) -> AsyncGenerator[events.Event | None]:
    """What is done on the session until ``task`` is finished; None is a sign of life."""
    while not task.done():
        news = asyncio.ensure_future(anext(watch))
        await asyncio.wait({news, task}, timeout=QUIET, return_when=asyncio.FIRST_COMPLETED)
        if not news.done():
            news.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await news
            if not task.done():
                yield None
            continue
        if news.exception() is not None:
            await asyncio.wait({task})
            return
        found = news.result()
        if found.kind == "begun" and events.first_of(found.turn) > last:
            last = events.first_of(found.turn)
            yield events.started(watch.session, found.turn)
        elif found.kind == "released" and found.turn > events.before(last):
            yield events.delta(found)
        elif found.kind in ("committed", "missed"):
            async with aclosing(context.live.stored_events(watch.session, last)) as told:
                async for event in told:
                    last = event.id or last
                    yield event
