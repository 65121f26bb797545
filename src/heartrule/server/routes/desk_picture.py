"""The clinical picture of a session, and setting right what was taken from the person's words."""

from __future__ import annotations

from fastapi import APIRouter, Response

from heartrule.engine.session.io import Correction
from heartrule.language.values import Bad, accept
from heartrule.server import bodies, clinical_picture, picture_shapes, reply_to_test
from heartrule.server.access import TheContext
from heartrule.server.context import AppContext
from heartrule.server.desk_list import counselling
from heartrule.server.problems import Both, Problem
from heartrule.server.routes.answers import problems
from heartrule.server.routes.reviews import Number
from heartrule.server.staff_access import Corrected, Corrector, Read, Reader
from heartrule.sessions import CannotRestore
from heartrule.store.records import SessionRecord

router = APIRouter(prefix="/desk", tags=["desk"])
READ = problems(401, 403, 404)
YAML = "application/yaml"


@router.get("/sessions/{session}/picture", responses=READ)
async def picture(record: Read, context: TheContext, staff: Reader) -> picture_shapes.Picture:
    """Scores and how they went, answers, what was heard as danger and in which words, what the script wants next, and
    earlier sessions, as far as you may see them. That it was looked at stands on record as any look at the session."""
    await context.looks.look(staff, record.id)
    return await clinical_picture.picture(context, staff, record)


@router.put("/sessions/{session}/values", responses=problems(400, 401, 403, 404, 408, 409, 413, 415))
async def correct(
    body: bodies.ValueBody, record: Corrected, context: TheContext, staff: Corrector
) -> picture_shapes.Values:
    """Set right what was taken from the person's words, with a reason. Nothing is said in the session; what reads the
    value reads the right one from then on."""
    await _check(context, record, body)
    correction = Correction(body.scope, body.scope_key, body.name, body.value, body.reason)
    deed = counselling(context, staff).correct(record.id, f"correct {body.key}", correction)
    outcome = await context.running.outcome(context.running.work(deed))
    done = await context.sessions.store.events(record.id, ("corrected",), turn=outcome.turn)
    refused = next((each.data["refused"] for each in done if each.data.get("refused")), "")
    if refused:
        raise Problem("value-refused", name=body.name, why=refused)
    context.news.changed(record.id)
    return await clinical_picture.values(context, record)


async def _check(context: AppContext, record: SessionRecord, body: bodies.ValueBody) -> None:
    """What is there, and what its declaration takes; the engine looks again."""
    known = await context.sessions.store.variables(record.id)
    here = (body.scope, body.scope_key, body.name)
    if not any((each.scope, each.scope_key, each.name) == here for each in known):
        raise Problem("not-found")
    try:
        rules = clinical_picture.declared(await context.sessions.script_of(record)).get(body.name)
    except CannotRestore:
        raise Problem("cannot-restore") from None
    if rules is not None:
        found = accept(rules, body.value, {each.name: each.value for each in known}.get, context.sessions.clock.now())
        if isinstance(found, Bad):
            raise Problem("value-refused", name=body.name, why=Both(found.zh, found.en))


@router.get(
    "/sessions/{session}/reviews/{message}/test",
    response_class=Response,
    responses={200: {"content": {YAML: {"schema": {"type": "object"}}}}, **problems(401, 403, 404, 409)},
)
async def test(message: Number, record: Read, context: TheContext, staff: Reader) -> Response:
    """A reply that was wrong, as a conversation test: what the person did up to it, and that it is not said again. The
    words are the person's; whoever takes it into a project makes them nobody's first."""
    await context.looks.look(staff, record.id)
    text = await reply_to_test.test_of(context.sessions, record, message)
    if text is None:
        raise Problem("no-such-reply")
    name = f"reply-{record.id[:8]}-{message}.test.yaml"
    return Response(text, media_type=YAML, headers={"Content-Disposition": f'attachment; filename="{name}"'})
