"""What an author's editor asks of the texts, saved or not: findings, map, fields, operations and the rest, each by the
name that the language server has for it too."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from heartrule.authoring import form_preview
from heartrule.authoring.conditions import NoCondition, joined, split
from heartrule.authoring.editor_queries import ASKED, EditorQuery
from heartrule.authoring.operations import TextMoved
from heartrule.authoring.splices import CannotEdit
from heartrule.authoring.workspace import Workspace
from heartrule.server.access import TheContext
from heartrule.server.problems import Both, Problem, asker_language
from heartrule.server.routes.answers import problems
from heartrule.server.workbench.access import TheAuthor
from heartrule.server.workbench.bodies import Condition, Named, Question, Questionnaire
from heartrule.server.workbench.projects import Id, may_open
from heartrule.server.workbench.shapes import BothShape, FormRead

router = APIRouter(prefix="/workbench", tags=["workbench"])
PROBLEMS = problems(400, 401, 403, 404, 408, 409, 413, 415)


@router.post("/projects/{project}/{name}", responses=PROBLEMS)
async def ask(
    project: Id,
    name: Named,
    author: TheAuthor,
    context: TheContext,
    request: Request,
    question: Question | None = None,
) -> Any:
    """An answer about the project's texts with those that are not saved (``texts``) laid over them. What each question
    takes and gives stands in the guide; the language server answers the same as ``heartrule/NAME``."""
    await may_open(context, project, author)
    bench, lang = context.workbench, asker_language(request)
    asked = question or Question()
    params = asked.model_extra or {}

    def work(workspace: Workspace) -> Any:
        return ASKED[name](EditorQuery(workspace, bench.registry, lang, params))

    try:
        return await bench.ask(project, asked.texts, work)
    except CannotEdit as refused:
        raise cannot(refused) from None
    except TextMoved:
        raise Problem("text-moved") from None


@router.post("/condition", responses=problems(400, 401, 403, 408, 413, 415))
async def condition(wanted: Condition, author: TheAuthor) -> dict[str, Any]:
    """A condition as a tree for a builder (``text`` → ``tree``), and the other way round."""
    if wanted.condition is None:
        return split(wanted.text)
    try:
        made = joined(wanted.condition)
    except NoCondition as wrong:
        raise Problem("cannot-edit", why=str(wrong)) from None
    return {"tree": wanted.condition, "text": made if isinstance(made, str) else None, "value": made}


@router.post("/fhir", responses=problems(400, 401, 403, 408, 413, 415))
async def fhir(wanted: Questionnaire, author: TheAuthor) -> FormRead:
    """A FHIR R4 Questionnaire as a form, to be inserted into a script."""
    try:
        found = form_preview.of_fhir(wanted.questionnaire, wanted.locale)
    except CannotEdit as refused:
        raise cannot(refused) from None
    return FormRead(form=found["form"], id=found["id"], notes=[BothShape(**each) for each in found["notes"]])


def cannot(refused: CannotEdit) -> Problem:
    return Problem("cannot-edit", why=Both(refused.why.zh, refused.why.en))
