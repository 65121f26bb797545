"""What a project requires: packages of the index that are taken along, looked at, changed for newer ones, left out."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from heartrule.authoring.workspace import Workspace
from heartrule.identity.rights import Action
from heartrule.language.bilingual import SaidError
from heartrule.language.findings import Finding
from heartrule.packages.index import Index
from heartrule.server.access import TheContext
from heartrule.server.context import AppContext
from heartrule.server.problems import Both, Problem, asker_language
from heartrule.server.routes.answers import problems
from heartrule.server.workbench import package_shapes as shapes
from heartrule.server.workbench.access import TheAuthor
from heartrule.server.workbench.gallery import Name, Version, asked, looked_at, unread
from heartrule.server.workbench.projects import Id, conflict, may_open, own
from heartrule.server.workbench.shapes import BothShape
from heartrule.store.projects import Moved
from heartrule.workbench.requirements import (
    RequirementChange,
    StillRequired,
    files_of,
    left_out,
    standing,
    taken_along,
    worse,
)
from heartrule.workbench.workbench import BadPath, Workbench, Writer

router = APIRouter(prefix="/workbench", tags=["workbench"])
READING = problems(401, 403, 404, 502)
CHANGING = problems(400, 401, 403, 404, 408, 409, 413, 415, 502)


@router.get("/projects/{project}/requires", responses=READING)
async def listed(project: Id, author: TheAuthor, context: TheContext, request: Request) -> shapes.RequirementList:
    """The packages that a project requires or has, and which of them the index has a newer version of."""
    await may_open(context, project, author)
    return await _standing(context, project, asker_language(request))


@router.get("/projects/{project}/requires/{name}/texts", responses=READING)
async def texts(project: Id, name: Name, author: TheAuthor, context: TheContext) -> shapes.RequirementTexts:
    """The texts of one, as they are used. They are not changed here."""
    await may_open(context, project, author)
    _, whole = await context.workbench.texts(project)
    try:
        found = files_of(whole, name)
    except SaidError as wrong:
        raise unread(wrong) from None
    if found is None:
        raise Problem("not-found")
    return shapes.RequirementTexts(texts=found)


@router.get("/projects/{project}/requires/{name}/{version}", responses=READING)
async def plan(
    project: Id, name: Name, version: Version, author: TheAuthor, context: TheContext, request: Request
) -> shapes.RequirementPlan:
    """What it would come to if a project required this version: all packages that come or change, checked, tested, with
    what they may do more. Nothing is kept."""
    await may_open(context, project, author)
    lang, bench = asker_language(request), context.workbench
    _, before = await bench.texts(project)
    taking = await _taking(context, before, name, version)

    def work() -> tuple[list[shapes.PackageBrought], list[Finding]]:
        return looked_at(bench, taking, lang), _worse(bench, before, taking.texts)

    brings, wrong = await bench.work(work)
    findings = [shapes.found(each, lang) for each in wrong]
    return shapes.RequirementPlan(brings=brings, gone=list(taking.gone), findings=findings)


@router.put("/projects/{project}/requires/{name}", responses=CHANGING)
async def require(
    project: Id,
    name: Name,
    wanted: shapes.NewRequirement,
    author: TheAuthor,
    context: TheContext,
    request: Request,
) -> shapes.RequirementList:
    """Requires it in this version, and takes along what that brings: a version of the project like any other.
    ``package-moved`` where these are not the ``digests`` that were shown."""
    base, before = await _held(context, project, author, "script.write")
    taking = await _taking(context, before, name, wanted.version)
    if taking.digests != wanted.digests:
        raise Problem("package-moved")
    await _keep(context, project, base, taking.texts, author, f"{name} {wanted.version}")
    return await _standing(context, project, asker_language(request))


@router.delete("/projects/{project}/requires/{name}", responses=CHANGING)
async def leave_out(
    project: Id, name: Name, author: TheAuthor, context: TheContext, request: Request
) -> shapes.RequirementList:
    """Without it, and without what only it requires. ``package-used`` where scripts or other packages still do; its
    ``findings`` say where."""
    base, before = await _held(context, project, author, "script.write")
    try:
        after = await run_in_threadpool(left_out, before, name)
    except StillRequired as still:
        by = "、".join(still.by), ", ".join(still.by)
        raise Problem("package-used", name=name, where=Both(*by)) from None
    except SaidError as wrong:
        raise unread(wrong) from None
    if after == before:
        raise Problem("not-found")
    bench, lang = context.workbench, asker_language(request)
    used = await bench.work(lambda: _worse(bench, before, after))
    if used:
        places = list(dict.fromkeys(f"{each.file}:{each.line}" for each in used))
        found = [shapes.found(each, lang).model_dump() for each in used]
        raise Problem("package-used", findings=found, name=name, where=Both("、".join(places), ", ".join(places)))
    await _keep(context, project, base, after, author, f"– {name}")
    return await _standing(context, project, lang)


async def _held(context: AppContext, project: str, author: Writer, action: Action) -> tuple[int, dict[str, str]]:
    await own(context, project, author, action)
    found, whole = await context.workbench.texts(project)
    return (found.number if found is not None else 0), whole


async def _taking(context: AppContext, before: Mapping[str, str], name: str, version: str) -> RequirementChange:
    bench = context.workbench

    def work(index: Index) -> RequirementChange | None:
        if all(each.manifest.version != version for each in index.versions(name)):
            return None
        home = Workspace(dict(before), bench.registry, bench.other).now.project.id
        return taken_along(index, before, home, bench.registry, {name: version})

    found = await asked(context, work)
    if found is None:
        raise Problem("not-found")
    return found


async def _keep(
    context: AppContext, project: str, base: int, after: Mapping[str, str], author: Writer, note: str
) -> None:
    try:
        await context.workbench.bring(project, base, after, author, note)
    except Moved as moved:
        raise conflict(moved) from None
    except BadPath as bad:
        raise Problem("bad-path", path=str(bad)) from None


def _worse(bench: Workbench, before: Mapping[str, str], after: Mapping[str, str]) -> list[Finding]:
    was, would = (Workspace(dict(each), bench.registry, bench.other).now.findings for each in (before, after))
    return worse(was, would)


async def _standing(context: AppContext, project: str, lang: str) -> shapes.RequirementList:
    found, whole = await context.workbench.texts(project)
    on, why = bool(context.settings.packages), None
    try:
        try:
            index = Index(context.settings.packages) if on else None
            told = await run_in_threadpool(standing, whole, index)
        except SaidError as wrong:  # what is there can be seen without it
            why = BothShape(zh=wrong.told.zh, en=wrong.told.en)
            told = await run_in_threadpool(standing, whole, None)
    except SaidError as wrong:
        raise unread(wrong) from None
    return shapes.RequirementList(
        on=on,
        unread=why,
        version=found.number if found is not None else 0,
        required=[shapes.requirement(each, lang) for each in told],
    )
