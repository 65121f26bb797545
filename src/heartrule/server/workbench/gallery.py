"""Packages of an index: searched, looked at, and made projects of one's own."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from pydantic import ConfigDict
from starlette.concurrency import run_in_threadpool

from heartrule.authoring.workspace import Workspace
from heartrule.language.findings import Severity
from heartrule.language.said import SaidError
from heartrule.packages.archive import Package
from heartrule.packages.index import Entry, Index, newest
from heartrule.packages.installing import resolve, verify
from heartrule.server.access import TheContext
from heartrule.server.context import AppContext
from heartrule.server.problems import Both, Problem, asker_language
from heartrule.server.routes.answers import problems
from heartrule.server.shapes import Count, Shape
from heartrule.server.workbench.access import TheAuthor, TheMaker
from heartrule.server.workbench.projects import PROBLEMS, READING, shape_of
from heartrule.server.workbench.shapes import ProjectShape
from heartrule.workbench.rehearsing import rehearsed
from heartrule.workbench.workbench import BadPath

router = APIRouter(prefix="/workbench", tags=["workbench"])
Name = Annotated[str, Path(pattern=r"^[a-z][a-z0-9_-]{0,63}$")]
Version = Annotated[str, Path(pattern=r"^\d+\.\d+\.\d+$", max_length=32)]
MOST = 200


class PackageShape(Shape):
    """``key``: who signed it."""

    model_config = ConfigDict(title="Package")

    name: str
    version: str
    licence: str
    description: str
    authors: list[str]
    origin: str
    sources: list[str]
    requires: dict[str, str]
    key: str


class PackageList(Shape):
    """``on``: the server has an index."""

    on: bool
    packages: list[PackageShape]


class PackageFinding(Shape):
    severity: Severity
    file: str
    line: Count
    message: str


class PackageCase(Shape):
    name: str
    told: list[str]


class PackagePreview(PackageShape):
    """``may``: what its scripts do, worked out from them; ``findings`` of the check, and what its tests came to."""

    model_config = ConfigDict(title="PackagePreview")

    may: dict[str, list[str]]
    reads_memory: bool
    keeps_memory: bool
    findings: list[PackageFinding]
    passed: Count
    failed: list[PackageCase]
    files: list[str]


@router.get("/packages", responses=problems(401, 403))
async def listed(
    author: TheAuthor,
    context: TheContext,
    request: Request,
    q: Annotated[str, Query(max_length=100)] = "",
) -> PackageList:
    """The packages of the server's index, each in its newest version; ``q``: those that speak of it."""
    if not context.settings.packages:
        return PackageList(on=False, packages=[])
    lang = asker_language(request)
    try:
        entries = newest(await run_in_threadpool(lambda: Index(context.settings.packages).entries()))
    except SaidError as wrong:
        raise _unread(wrong) from None
    found = [each for each in entries if _speaks_of(each, q.strip())]
    return PackageList(on=True, packages=[PackageShape(**_told(each, lang)) for each in found[:MOST]])


@router.get("/packages/{name}/{version}", responses=READING)
async def preview(
    name: Name, version: Version, author: TheAuthor, context: TheContext, request: Request
) -> PackagePreview:
    """What one is, may do, and comes to: checked and tested here, before anything is kept."""
    entry, package = await _package(context, name, version)
    lang, bench = asker_language(request), context.workbench
    workspace = Workspace(_texts(package), bench.registry, bench.other, package.about.project)
    findings, ran = await bench.work(lambda: (workspace.now.findings, rehearsed(workspace, lang)))
    may = package.about.capabilities
    return PackagePreview(
        **_told(entry, lang),
        may={key: list(value) for key, value in may if isinstance(value, tuple)},
        reads_memory=may.reads_memory,
        keeps_memory=may.keeps_memory,
        findings=[
            PackageFinding(
                severity=each.severity, file=each.file, line=each.line, message=str(each.localized(lang).message)
            )
            for each in findings
        ],
        passed=sum(bool(each["passed"]) for each in ran.cases),
        failed=[PackageCase(name=each["name"], told=each["told"]) for each in ran.cases if not each["passed"]],
        files=sorted(package.files),
    )


@router.post("/packages/{name}/{version}", status_code=201, responses=PROBLEMS)
async def install(name: Name, version: Version, author: TheMaker, context: TheContext) -> ProjectShape:
    """A project of the asker's own, with the package's files as its first version."""
    _, package = await _package(context, name, version)
    try:
        made = await context.workbench.make(name, _texts(package), author, f"{name} {version}")
    except BadPath as bad:
        raise Problem("bad-path", path=str(bad)) from None
    return shape_of(await context.workbench.shown(made, author))


async def _package(context: AppContext, name: str, version: str) -> tuple[Entry, Package]:
    """Read, held against its signature, and against what its scripts do; what it requires is in the index."""
    if not context.settings.packages:
        raise Problem("not-found")

    def work() -> tuple[Entry, Package] | None:
        index = Index(context.settings.packages)
        entry = next((each for each in index.versions(name) if each.manifest.version == version), None)
        if entry is None:
            return None
        resolve(index, {name: f"=={version}"})
        package = index.package(entry)
        verify(package, entry, context.workbench.registry)
        return entry, package

    try:
        found = await run_in_threadpool(work)
    except SaidError as wrong:
        raise _unread(wrong) from None
    if found is None:
        raise Problem("not-found")
    return found


def _texts(package: Package) -> dict[str, str]:
    """What the workbench keeps of it: its texts, and no pictures or sounds."""
    found = {}
    for path, raw in package.files.items():
        if path.rpartition(".")[2] in ("yaml", "yml", "md", "txt"):
            found[path] = raw.decode("utf-8", "replace")
    return found


def _speaks_of(entry: Entry, wanted: str) -> bool:
    one = entry.manifest
    return wanted.casefold() in " ".join([one.name, *one.description.values(), *one.authors]).casefold()


def _told(entry: Entry, lang: str) -> dict[str, object]:
    one = entry.manifest
    return {
        "name": one.name,
        "version": one.version,
        "licence": one.licence,
        "description": one.described(lang),
        "authors": list(one.authors),
        "origin": one.origin,
        "sources": list(one.sources),
        "requires": dict(one.requires),
        "key": entry.key,
    }


def _unread(wrong: SaidError) -> Problem:
    return Problem("package-unread", why=Both(wrong.told.zh, wrong.told.en))
