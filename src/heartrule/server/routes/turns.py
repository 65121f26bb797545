"""Turns: what a person says, and what comes of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Header
from fastapi.responses import StreamingResponse

from heartrule.server import debug_view, shapes
from heartrule.server.access import Address, Granted, Held, Opened, TheContext
from heartrule.server.bodies import LONGEST_MESSAGE, Input, NewTurn, TakeBack
from heartrule.server.context import AppContext
from heartrule.server.inputs import begin, take, take_aloud
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.streams import EVENT_STREAM, EventStream, Language
from heartrule.sessions import CannotRestore
from heartrule.sessions.forms import encode_answers
from heartrule.sessions.service import START
from heartrule.store.inbox import SHORT, weight
from heartrule.store.records import Entry

router = APIRouter(prefix="/sessions/{session}", tags=["turns"])

STREAMED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The finished turn; or its events, when ``text/event-stream`` is accepted.",
        "content": {EVENT_STREAM: {"schema": {"type": "string"}}},
    }
}


@router.post(
    "/turns",
    response_model=shapes.Turn,
    responses={**STREAMED, **problems(400, 401, 403, 404, 406, 408, 409, 413, 415, 425)},
)
async def turn(
    new: NewTurn,
    session: Opened,
    context: TheContext,
    language: Language,
    address: Address,
    accept: Annotated[str, Header(max_length=500)] = "*/*",
) -> shapes.Turn | StreamingResponse:
    """Say something and get the turn that came of it. The same ``key`` again gives the same turn again. Messages with
    the same ``after`` are one answer, and each of their senders gets the turn that they became part of.

    A form is kept as it is filled (``form_draft``), handed in (``form_submit``) or put away (``form_cancel``); what it
    tells of danger counts at once, whichever it is."""
    aloud = _aloud(accept)
    if new.input.text is not None and len(new.input.text) > LONGEST_MESSAGE:
        raise Problem("too-long", limit=LONGEST_MESSAGE)
    if new.debug and debug_view.level_of(await context.sessions.session(session), context.settings) == "none":
        raise Problem("debug-off")
    await _in_order(new, session, context)
    entry = _entry(new.key, new.after, await _known_fields(context, session, new.input))
    if (size := weight(entry.kind, len((entry.text or "").encode("utf-8", "replace")))) > SHORT:
        context.limits.weigh(address, size)
    if aloud:
        await context.sessions.session(session)
        return EventStream(take_aloud(context, session, begin(context, session, entry), language))
    made = await take(context, session, entry)
    return await _debugged(context, session, made) if new.debug else made


async def _in_order(new: NewTurn, session: str, context: AppContext) -> None:
    """Not before what it follows, as long as that may still be on its way."""
    if new.follows is None or await context.sessions.store.input(session, new.follows) is not None:
        return
    if context.message_order.waits(session, new.key):
        raise Problem("out-of-order")


async def _debugged(context: AppContext, session: str, made: shapes.Turn) -> shapes.Turn:
    record = await context.sessions.session(session)
    found = await context.sessions.debugged(session, made.turn.seq)
    level = debug_view.level_of(record, context.settings)
    told = debug_view.shown(found, level, context.settings).model_dump(mode="json") if found is not None else None
    return made.model_copy(update={"debug": told})


@router.post("/recall", responses=problems(400, 401, 403, 404, 408, 409, 413, 415))
async def recall(new: TakeBack, record: Held, context: TheContext, granted: Granted) -> shapes.Turn:
    """Take back something the person has said. The last of it, said less than ``recall_seconds`` (see ``about``) ago,
    goes with all that came of it (``rewound``): the session stands where it stood before, and what else was said in the
    same answer is answered anew. Of what is older the words go, and what came of them stays; so it is while a human
    holds the session, and when it is over. That somebody was told, and a crisis, are not taken back."""
    if granted is not None and granted.lent:
        raise Problem("only-lent")
    key, within = f"recall {new.key}", timedelta(seconds=context.settings.recall_seconds)
    return await take(context, record.id, await context.sessions.recall_entry(record.id, new.message, key, within))


@router.post("/stop", status_code=202, responses=problems(401, 404))
async def stop(record: Held, context: TheContext) -> shapes.StopOutcome:
    """The person has heard enough: the reply that is under way ends where it is, as soon as it can. What has been shown
    of it stays; before anything was, the script's own words answer. Leaving stops nothing."""
    return shapes.StopOutcome(stopping=await context.sessions.stop(record.id))


async def _known_fields(context: AppContext, session: str, given: Input) -> Input:
    """Without answers to what no form of the script asks: they would be kept for nothing."""
    if given.form is None:
        return given
    try:
        script = await context.sessions.script_of(await context.sessions.session(session))
    except CannotRestore:
        return given
    asked = {field.id for form in script.forms.values() for field in form.fields}
    values = {name: value for name, value in given.form.values.items() if name in asked}
    return given.model_copy(update={"form": given.form.model_copy(update={"values": values})})


def _entry(key: str, after: int | None, given: Input) -> Entry:
    if given.type == "start":
        return START
    text = encode_answers(given.form.key, given.form.values) if given.form is not None else given.text
    return Entry(key=key, kind=given.type, text=text, choice=given.choice, after=after)


def _aloud(accept: str) -> bool:
    """Whether the turn is wanted as events."""
    kinds = {part.partition(";")[0].strip().lower() for part in accept.split(",")}
    if kinds & {"application/json", "application/*", "*/*", ""}:
        return EVENT_STREAM in kinds and "application/json" not in kinds
    if EVENT_STREAM in kinds or "text/*" in kinds:
        return True
    raise Problem("not-acceptable")
