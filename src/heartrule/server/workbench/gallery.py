"""Packages of an index: searched, looked at, and made projects of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool

from heartrule.authoring.workspace import Workspace
from heartrule.language.bilingual import SaidError
from heartrule.language.projects.places import PACKAGE_FILE
from heartrule.language.projects.project import LoadedProject, load_texts
from heartrule.packages.archive import Package
from heartrule.packages.index import Entry, Index, newest
from heartrule.packages.install_plan import verify
from heartrule.server.access import TheContext
from heartrule.server.context import AppContext
from heartrule.server.problems import Both, Problem, asker_language
from heartrule.server.routes.answers import problems
from heartrule.server.workbench import package_shapes as shapes
from heartrule.server.workbench.access import TheAuthor, TheMaker
from heartrule.server.workbench.projects import shape_of
from heartrule.server.workbench.shapes import ProjectShape
from heartrule.workbench.requirements import RequirementChange, taken_along
from heartrule.workbench.workbench import BadPath, Workbench

router = APIRouter(prefix="/workbench", tags=["workbench"])
Name = Annotated[str, Path(pattern=r"^[a-z][a-z0-9_-]{0,63}$")]
Version = Annotated[str, Path(pattern=r"^\d+\.\d+\.\d+$", max_length=32)]
READING = problems(401, 403, 404, 502)
MAKING = problems(400, 401, 403, 404, 408, 409, 413, 415, 502)
MOST = 200
R = TypeVar("R")


@router.get("/packages", responses=problems(401, 403, 502))
async def listed(
    author: TheAuthor,
    context: TheContext,
    request: Request,
    q: Annotated[str, Query(max_length=100)] = "",
) -> shapes.PackageList:
    """The packages of the server's index, each in its newest version; ``q``: those that speak of it."""
    if not context.settings.packages:
        return shapes.PackageList(on=False, packages=[])
    lang = asker_language(request)
    entries = newest(await asked(context, lambda index: index.entries()))
    found = [each for each in entries if _speaks_of(each, q.strip())]
    told = [shapes.PackageShape.model_validate(shapes.facts(each, lang)) for each in found[:MOST]]
    return shapes.PackageList(on=True, packages=told)


@router.get("/packages/{name}/{version}", responses=READING)
async def preview(
    name: Name, version: Version, author: TheAuthor, context: TheContext, request: Request
) -> shapes.PackagePreview:
    """What one is, may do, and comes to, with all that it requires: checked and tested here, before anything is
    kept."""
    entry, package, taking = await _package(context, name, version)
    lang, bench = asker_language(request), context.workbench

    def work() -> tuple[dict[str, object], list[shapes.PackageBrought]]:
        own = Workspace(taking.texts, bench.registry, bench.other, package.about.project)
        return shapes.checked(own, lang), looked_at(bench, taking, lang)

    came_to, brings = await bench.work(work)
    return shapes.PackagePreview.model_validate(
        {
            **shapes.facts(entry, lang),
            **shapes.capable(package.about.capabilities),
            **came_to,
            "digest": package.digest,
            "files": sorted(package.files),
            "brings": brings,
        }
    )


@router.post("/packages/{name}/{version}", status_code=201, responses=MAKING)
async def install(
    name: Name, version: Version, author: TheMaker, context: TheContext, wanted: shapes.NewInstall | None = None
) -> ProjectShape:
    """A project of the asker's own, with the package's files as its first version and what it requires taken along.
    ``package-moved`` where these are not the ``digests`` that were shown."""
    _, package, taking = await _package(context, name, version)
    shown = wanted.digests if wanted is not None else None
    if shown is not None and shown != {**taking.digests, name: package.digest}:
        raise Problem("package-moved")
    try:
        made = await context.workbench.make(name, taking.texts, author, f"{name} {version}")
    except BadPath as bad:
        raise Problem("bad-path", path=str(bad)) from None
    return shape_of(await context.workbench.shown(made, author))


async def _package(context: AppContext, name: str, version: str) -> tuple[Entry, Package, RequirementChange]:
    """Read, held against its signature, and against what its scripts do; the same of all that it requires."""

    def work(index: Index) -> tuple[Entry, Package, RequirementChange] | None:
        entry = next((each for each in index.versions(name) if each.manifest.version == version), None)
        if entry is None:
            return None
        package, registry = index.package(entry), context.workbench.registry
        verify(package, entry, registry)
        return entry, package, taken_along(index, texts_of(package), package.about.project, registry)

    found = await asked(context, work)
    if found is None:
        raise Problem("not-found")
    return found


# what is asked of the index elsewhere, too


async def asked(context: AppContext, work: Callable[[Index], R]) -> R:
    """What is said of the server's index, which may be far away."""
    if not context.settings.packages:
        raise Problem("not-found")
    try:
        return await run_in_threadpool(lambda: work(Index(context.settings.packages)))
    except SaidError as wrong:
        raise unread(wrong) from None


def looked_at(bench: Workbench, taking: RequirementChange, lang: str) -> list[shapes.PackageBrought]:
    """Each package that would come, checked and tested beside the others."""
    along = load_texts(taking.texts, bench.registry).required

    def other(project: str) -> LoadedProject | None:
        return along.get(project) or bench.other(project)

    told = []
    for each in taking.brought:
        texts = {path: text for path, text in texts_of(each.package).items() if path != PACKAGE_FILE}
        workspace = Workspace(texts, bench.registry, other, each.package.about.project)
        told.append(shapes.brought(each, shapes.checked(workspace, lang), lang))
    return told


def texts_of(package: Package) -> dict[str, str]:
    """What the workbench keeps of it as a project: its texts, and no pictures or sounds."""
    found = {}
    for path, raw in package.files.items():
        if path.rpartition(".")[2] in ("yaml", "yml", "md", "txt"):
            found[path] = raw.decode("utf-8", "replace")
    return found


def unread(wrong: SaidError) -> Problem:
    return Problem("package-unread", why=Both(wrong.told.zh, wrong.told.en))


def _speaks_of(entry: Entry, wanted: str) -> bool:
    one = entry.manifest
    return wanted.casefold() in " ".join([one.name, *one.description.values(), *one.authors]).casefold()
