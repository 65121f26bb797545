"""The simulated conversation of a debug session, in the shapes of a real one, for ``<heart-chat>``. While the session
is held what has been said so far is shown, and an input is answered when its turn stands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.responses import StreamingResponse

from heartrule.debugger.service import NoSuchDebugSession
from heartrule.debugger.session import DebugSession, NotPossible
from heartrule.debugger.tape import Move
from heartrule.engine.session.io import FormAnswers, Input, Words
from heartrule.engine.turn import request_of
from heartrule.server import events, rendering, shapes
from heartrule.server.access import Address, Granted, TheContext, while_it_counts
from heartrule.server.bodies import NewTurn
from heartrule.server.context import AppContext
from heartrule.server.events import KEEP_ALIVE, Event
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.streams import EventStream
from heartrule.sessions.rows import message_rows
from heartrule.sessions.views import Outcome, outcome_data, outcome_of, position_of, progress_of
from heartrule.store.records import TurnRecord

router = APIRouter(prefix="/debug/sessions/{debug}/chat/api/v1", tags=["debugger"])

PATIENCE = 30.0
"""Seconds that an input waits for its turn to stand before its sender asks again."""
QUIET = 15.0
READ = problems(401, 404)


async def chatted(debug: str, session: str, granted: Granted, context: TheContext) -> DebugSession:
    """The debug session whose chat the token opens, if it stands on that branch."""
    if granted is None:
        raise Problem("unauthorized")
    if granted.opens != "session" or granted.id != debug:
        raise Problem("not-found")
    try:
        found = await context.debugger.found(debug)
    except NoSuchDebugSession:
        raise Problem("not-found") from None
    if session != f"{debug}.{found.head.branch}":
        raise Problem("not-found")
    return found


Chatted = Annotated[DebugSession, Depends(chatted)]
Number = Annotated[int | None, Query(ge=0, le=2**53)]


def _outcome(session: DebugSession, move: Move) -> Outcome:
    turn = session.turn(move.number)
    name = f"{session.head.id}.{session.head.branch}"
    status = "ended" if turn.state.ended else "active"
    rows = message_rows(turn, ())
    messages = tuple(replace(each, id=f"{name}.{each.number}") for each in rows)
    script = session.texts[move.text].script
    return outcome_of(TurnRecord(name, turn.state.seq, move.at, outcome_data(script, status, turn), messages))


@router.get("/about", responses=READ)
async def about(context: TheContext) -> dict[str, object]:
    """As the server's own, without anybody's numbers."""
    return {"version": "debug", "contacts": [], "recall_seconds": 0}


@router.get("/sessions/{session}", responses=READ)
async def one(found: Chatted, context: TheContext) -> shapes.SessionShape:
    """As a session that people meet."""
    head, last = found.head, found.last
    work = found.here().work
    script = found.text.script
    voice = script.roles.get("ai")
    waiting = last is not None and found.open is None
    state = last.state if last is not None else work.state
    seq = last.state.seq if last is not None else 0
    return shapes.SessionShape(
        id=f"{head.id}.{head.branch}",
        script=script.id,
        name=script.session.session,
        locale=script.locale,
        status="ended" if state.ended else "active",
        paused=state.clock.paused,
        created_at=head.created_at,
        last_active_at=head.virtual,
        ended_at=head.virtual if state.ended else None,
        turn=seq,
        last_message=state.messages,
        last_event_id=events.last_of(seq),
        mode="script" if head.answering.by == "none" else "model",
        speaker=voice.name if voice else None,
        picture=rendering.face(script, voice.picture) if voice and voice.picture else None,
        in_crisis=rendering.in_crisis(position_of(state)),
        human=None,
        restorable=True,
        position=rendering.position(position_of(state)),
        request=rendering.request(request_of(state, script)) if waiting else shapes.RequestShape(type="none"),
        progress=rendering.progress(progress_of(script, state)),
        debug="none",
    )


@router.get("/sessions/{session}/messages", responses=READ)
async def messages(
    found: Chatted,
    after: Number = None,
    before: Number = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> shapes.MessageList:
    """What was said on the present branch."""
    said = [
        rendering.message(each)
        for move in found.chain(found.branch.leaf)
        for each in _outcome(found, move).messages
        if before is None or each.number < before
    ]
    if after is not None:
        later = [each for each in said if each.seq > after]
        return shapes.MessageList(messages=later[:limit], more=len(later) > limit)
    return shapes.MessageList(messages=said[-limit:], more=len(said) > limit)


@router.post("/sessions/{session}/turns", responses=problems(400, 401, 404, 408, 409, 413, 415))
async def turn(new: NewTurn, found: Chatted, context: TheContext) -> shapes.Turn:
    """As a real one. It is answered when the turn stands, however often it was held."""
    key = "start" if new.input.type == "start" else new.key
    known = _known(found, key)
    if known is None:
        given = _input(found, new)
        task = asyncio.ensure_future(_sent(found, given, key))
        context.debugger.keep_task(task)
        await asyncio.wait({task}, timeout=PATIENCE)
        if task.done() and (error := task.exception()) is not None:
            if isinstance(error, NotPossible):
                raise Problem("busy" if error.code == "debug-held" else "closed", headers={"Retry-After": "2"})
            raise error
    move = await _stands(found, key)
    if move is None:
        raise Problem("busy", headers={"Retry-After": "2"})
    return rendering.turn(f"{found.head.id}.{found.head.branch}", _outcome(found, move))


async def _sent(session: DebugSession, given: Input, key: str) -> None:
    async with session.lock:
        if _known(session, key) is None:
            await session.send(given, key=key)


def _known(session: DebugSession, key: str) -> Move | None:
    moves = [*session.chain(session.branch.leaf), *([session.open] if session.open is not None else [])]
    if key == "start":
        return next((each for each in moves if each.given.kind == "start"), None)
    return next((each for each in moves if each.key == key), None)


async def _stands(session: DebugSession, key: str) -> Move | None:
    """The move of this key once it is over; None when that takes too long."""
    changed = asyncio.Event()
    session.listeners.append(changed.set)
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                changed.clear()
                move = _known(session, key)
                if move is None:
                    return None
                if session.open is None or session.open.number != move.number:
                    return move
                await changed.wait()
    except TimeoutError:
        return None
    finally:
        session.listeners.remove(changed.set)


def _input(session: DebugSession, new: NewTurn) -> Input:
    given, after = new.input, new.after
    if given.type == "start":
        return Input("start", values=session.head.values)
    if given.form is not None:
        return Input(given.type, after=after, form=FormAnswers(given.form.key, dict(given.form.values)))
    words = (Words(given.text or "", after),) if given.type == "message" else ()
    return Input(given.type, words=words, choice=given.choice, after=after)


@router.post("/sessions/{session}/stop", status_code=202, responses=READ)
async def stop(found: Chatted) -> shapes.StopOutcome:
    """Replies come whole here: there is nothing to end."""
    return shapes.StopOutcome(stopping=False)


@router.get("/sessions/{session}/events", response_class=StreamingResponse, responses=READ)
async def follow(
    request: Request,
    found: Chatted,
    context: TheContext,
    address: Address,
    last_event_id: Annotated[str | None, Header(max_length=20)] = None,
    last: Annotated[int | None, Query(alias="last_event_id", ge=0, le=2**53)] = None,
) -> StreamingResponse:
    """What changes, as it changes."""
    known = last_event_id is not None and last_event_id.isascii() and last_event_id.isdecimal()
    seen = int(last_event_id or 0) if known else last
    begin = events.last_of(found.last.state.seq if found.last is not None else 0) if seen is None else seen
    context.live.room(f"debug {found.head.id}", address)
    return EventStream(while_it_counts(request, context, _counted(context, found, begin, address)))


async def _counted(context: AppContext, session: DebugSession, last: int, address: str) -> AsyncIterator[bytes]:
    with context.live.counted(f"debug {session.head.id}", address):
        async with aclosing(_told(context, session, last)) as told:
            async for each in told:
                yield each


async def _told(context: AppContext, session: DebugSession, last: int) -> AsyncGenerator[bytes]:
    """The turns that stand, and of the one that is held what has been said so far."""
    branch, name = session.head.branch, f"{session.head.id}.{session.head.branch}"
    changed = asyncio.Event()
    changed.set()
    session.listeners.append(changed.set)
    shown: dict[int, int] = {}
    try:
        yield b"retry: 1000\n\n"
        while not context.running.stopping.is_set() and session.head.branch == branch:
            try:
                async with asyncio.timeout(QUIET):
                    await changed.wait()
            except TimeoutError:
                yield KEEP_ALIVE
                continue
            changed.clear()
            for move in session.chain(session.branch.leaf):
                if session.turn(move.number).state.seq > events.before(last):
                    for event in events.turn_events(name, _outcome(session, move), last):
                        last = event.id or last
                        yield event.encoded()
            for event in _so_far(session, name, last, shown):
                last = event.id or last
                yield event.encoded()
    finally:
        session.listeners.remove(changed.set)


def _so_far(session: DebugSession, name: str, last: int, shown: dict[int, int]) -> list[Event]:
    if session.open is None:
        shown.clear()
        return []
    work = session.here().work
    seq, found = work.state.seq, []
    if session.branch.passed and events.first_of(seq) > last:
        found.append(events.started(name, seq))
    for each in work.messages:
        if each.sender == "ai" and len(each.text) > shown.get(each.number, 0):
            shown[each.number] = len(each.text)
            told = shapes.MessageDelta(turn=seq, number=each.number, offset=0, text=each.text)
            found.append(Event(None, "message.delta", told))
    return found
