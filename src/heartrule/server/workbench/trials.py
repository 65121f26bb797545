"""The present text, saved or not, held in the real engine."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from heartrule.authoring.wire import finding as shown
from heartrule.authoring.workspace import Workspace
from heartrule.language.compiling.script import Script
from heartrule.language.findings import Refused
from heartrule.language.values import Bad
from heartrule.server import token_issuers
from heartrule.server.access import Address, TheContext
from heartrule.server.debug_view import DEBUG
from heartrule.server.problems import Both, Problem, asker_language
from heartrule.server.workbench.access import TheAuthor
from heartrule.server.workbench.bodies import NewTrial
from heartrule.server.workbench.projects import PROBLEMS, Id, may_open
from heartrule.server.workbench.shapes import TrialSession
from heartrule.sessions.initial_variables import NotTaken, taken
from heartrule.sessions.runner import WITHOUT_MODEL
from heartrule.workbench.trial import compiled

router = APIRouter(prefix="/workbench", tags=["workbench"])


@router.post("/projects/{project}/try", status_code=201, responses=PROBLEMS)
async def attempt(
    project: Id, wanted: NewTrial, author: TheAuthor, context: TheContext, request: Request, address: Address
) -> TrialSession:
    """Begins a session of the present text. It is a real one, and stands in no list of the desk, of reviews or figures;
    nobody is called. ``token`` ends with that by which you ask: the sign-in, the program, the role.
    ``script-refused`` with findings where the text cannot be held."""
    await may_open(context, project, author)
    context.limits.new_session(address)
    lang = asker_language(request)

    def work(workspace: Workspace) -> Script | list[dict[str, Any]]:
        try:
            return compiled(workspace, wanted.script, wanted.locale)
        except Refused as refused:
            return [shown(workspace.now, each, lang, None) for each in refused.findings]

    script = await context.workbench.ask(project, wanted.texts, work)
    if isinstance(script, list):
        raise Problem("script-refused", findings=script)
    try:
        values = taken(wanted.variables, script, context.sessions.clock.now())
    except NotTaken as refused:
        why = refused.why
        said = (
            Both(why.zh, why.en) if isinstance(why, Bad) else Both("脚本没有声明它", "the script does not declare it")
        )
        raise Problem("variable-refused", name=refused.name, why=said) from None
    notes = {DEBUG: "full", **({} if wanted.model else {WITHOUT_MODEL: True})}
    record = await context.sessions.attempt(script, project, values, notes)
    token = context.tokens.of_session(record.id, token_issuers.given(author.principal, "script.write", project))
    return TrialSession(session=record.id, token=token.token, script=record.script)
