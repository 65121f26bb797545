"""Tests of a project, run on the present text, and what they came to of it."""

from __future__ import annotations

from fastapi import APIRouter, Request

from heartrule.authoring.workspace import Workspace
from heartrule.identity.rights import may
from heartrule.server.access import TheContext
from heartrule.server.problems import asker_language
from heartrule.server.workbench.access import TheAuthor
from heartrule.server.workbench.bodies import NewRun
from heartrule.server.workbench.projects import PROBLEMS, READING, Id, may_open
from heartrule.server.workbench.shapes import CaseResult, ProjectCoverage, TestRun
from heartrule.workbench.project_tests import ProjectTestRun, run_project_tests

router = APIRouter(prefix="/workbench", tags=["workbench"])


@router.post("/projects/{project}/tests", responses=PROBLEMS)
async def run_tests(
    project: Id, author: TheAuthor, context: TheContext, request: Request, wanted: NewRun | None = None
) -> TestRun:
    """Runs the test files of the project on the engine, those that need no live model. What they came to of the map is
    kept where the asker may write it."""
    record = await may_open(context, project, author)
    lang = asker_language(request)

    def work(workspace: Workspace) -> ProjectTestRun:
        return run_project_tests(workspace, lang)

    found = await context.workbench.ask(project, wanted.texts if wanted else {}, work, long=True)
    now = context.sessions.clock.now()
    if record is None or may(author.principal, "script.write", await context.workbench.thing(record)):
        await context.workbench.projects.keep_run(project, {"nodes": found.nodes}, now)
    cases = [CaseResult(**each) for each in found.cases]
    passed = sum(each.passed for each in cases)
    return TestRun(at=now, passed=passed, failed=len(cases) - passed, cases=cases)


@router.get("/projects/{project}/coverage", responses=READING)
async def coverage(project: Id, author: TheAuthor, context: TheContext) -> ProjectCoverage:
    """What of the map the last run of the tests came to."""
    await may_open(context, project, author)
    found = await context.workbench.projects.run(project)
    if found is None:
        return ProjectCoverage(at=None, nodes={})
    return ProjectCoverage(at=found[0], nodes=found[1]["nodes"])
