"""The forms that scripts leave to counsellors: seen, begun, handed in."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from heartrule.identity.principal import Principal
from heartrule.server import rendering
from heartrule.server.access import TheContext
from heartrule.server.bodies import FormAnswers
from heartrule.server.context import AppContext
from heartrule.server.desk_shapes import HandedIn, LeftForm, LeftForms
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.shapes import FormShape
from heartrule.server.staff_access import Read, Reader, Writer, Written
from heartrule.sessions import left_forms
from heartrule.sessions.counsellor_actions import Counsellor
from heartrule.sessions.left_forms import NoSuchForm

router = APIRouter(prefix="/desk/sessions/{session}/forms", tags=["desk"])

Key = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[\x21-\x7e]+$")]
DONE = problems(400, 401, 403, 404, 408, 409, 413, 415)


@router.get("", responses=problems(401, 403, 404, 409))
async def left(record: Read, context: TheContext, staff: Reader) -> LeftForms:
    """The forms that wait for a counsellor, with what has been answered so far, and those that were handed in. That
    they were looked at stands on record."""
    await context.looks.look(staff, record.id)
    waiting = await _forms(context, staff).waiting(record.id)
    done = await context.sessions.forms(record.id, staff=True)
    return LeftForms(
        waiting=[
            LeftForm(
                form=rendering.form(each.form),
                turn=each.turn,
                audience=each.audience,
                begun=each.begun,
            )
            for each in waiting
        ],
        done=[rendering.done_form(each) for each in done],
    )


@router.put("/{key}", responses=DONE)
async def keep(key: Key, body: FormAnswers, record: Written, context: TheContext, staff: Writer) -> FormShape:
    """Keep what has been answered so far, for whoever goes on with it. Nothing of it reaches the session. The answer is
    the whole form, so that it stands on record as one that was looked at."""
    await context.looks.look(staff, record.id)
    try:
        return rendering.form(await _forms(context, staff).keep(record.id, key, body.values))
    except NoSuchForm:
        raise Problem("no-such-form") from None


@router.post("/{key}/submit", responses=DONE)
async def hand_in(key: Key, body: FormAnswers, record: Written, context: TheContext, staff: Writer) -> HandedIn:
    """Hand a form in. Its answers are the script's from its next step on; the person is told nothing, and sees it among
    their forms unless it is for counsellors alone. A session that is over takes it too."""
    await context.looks.look(staff, record.id)
    deed = _forms(context, staff).hand_in(record.id, key, body.values)
    try:
        refused = await deed
    except NoSuchForm:
        raise Problem("no-such-form") from None
    return HandedIn(form=None if refused is None else rendering.form(refused))


def _forms(context: AppContext, staff: Principal) -> left_forms.LeftForms:
    return left_forms.LeftForms(context.sessions, Counsellor(staff.id, staff.name, staff.role))
