"""Projects of scripts: listed, made, read, saved as versions, restored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from starlette.concurrency import run_in_threadpool

from heartrule.authoring.diff.versions import changes_json, compared
from heartrule.authoring.wire import hash_of
from heartrule.identity.rights import Action
from heartrule.language.projects.requirements import parted
from heartrule.server.access import TheContext
from heartrule.server.context import AppContext
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.workbench.access import TheAuthor, TheMaker
from heartrule.server.workbench.bodies import NewProject, NewVersion, RenameRequest, RestoreRequest
from heartrule.server.workbench.shapes import (
    ChangeShape,
    FileEntry,
    FileList,
    FileText,
    ProjectList,
    ProjectScript,
    ProjectShape,
    ProjectTexts,
    VersionComparison,
    VersionList,
    VersionShape,
    VersionTexts,
)
from heartrule.store.projects import Moved, NoSuchProject, ProjectRecord, VersionRecord
from heartrule.store.teams import Origin
from heartrule.workbench.templates import NoSuchTemplate, texts_of
from heartrule.workbench.workbench import BadPath, ListedProject, NotYours, Packaged, ReadOnly, Writer

router = APIRouter(prefix="/workbench", tags=["workbench"])
PROBLEMS = problems(400, 401, 403, 404, 408, 409, 413, 415)
READING = problems(401, 403, 404)

Id = Annotated[str, Path(min_length=1, max_length=200)]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]


@router.get("/projects", responses=problems(401, 403))
async def listed(author: TheAuthor, context: TheContext) -> ProjectList:
    """The author's own projects, then those that lie in folders, which can be read."""
    return ProjectList(projects=[shape_of(each) for each in await context.workbench.all(author)])


@router.post("/projects", status_code=201, responses=PROBLEMS)
async def make(wanted: NewProject, author: TheMaker, context: TheContext) -> ProjectShape:
    """A new project, from a template or as a copy of another one."""
    texts = await _first(context, wanted, author)
    try:
        made = await context.workbench.make(wanted.name, texts, author, "")
    except BadPath as bad:
        raise Problem("bad-path", path=str(bad)) from None
    if wanted.copy_of is not None:
        origin = await found_project(context, wanted.copy_of, author)
        await context.workbench.teams.came_of(made.id, Origin(origin.id, origin.name))
    return shape_of(await context.workbench.shown(made, author))


async def _first(context: AppContext, wanted: NewProject, author: Writer) -> Mapping[str, str]:
    if wanted.copy_of is not None:
        found = await found_project(context, wanted.copy_of, author)
        return (await context.workbench.texts(found.id))[1]
    try:
        return texts_of(wanted.template or "empty", wanted.locale or "zh-CN", wanted.name)
    except NoSuchTemplate:
        raise Problem("not-found") from None


@router.get("/projects/{project}", responses=READING)
async def one(project: Id, author: TheAuthor, context: TheContext) -> ProjectShape:
    """A project, and the sessions that it holds."""
    return shape_of(await found_project(context, project, author))


@router.patch("/projects/{project}", responses=PROBLEMS)
async def rename(project: Id, wanted: RenameRequest, author: TheAuthor, context: TheContext) -> ProjectShape:
    """Another name in the list, by its owner; the texts stay as they are."""
    await own(context, project, author, "script.rename")
    await context.workbench.projects.rename(project, wanted.name)
    return shape_of(await found_project(context, project, author))


@router.delete("/projects/{project}", status_code=204, response_class=Response, responses=READING)
async def remove(project: Id, author: TheAuthor, context: TheContext) -> None:
    """Takes a project away with all its versions: its owner alone. Sessions that were begun with it go on."""
    await own(context, project, author, "script.remove")
    await context.workbench.projects.remove(project)


@router.get("/projects/{project}/files", responses=READING)
async def files(project: Id, author: TheAuthor, context: TheContext) -> FileList:
    """The files of the newest version."""
    version, texts = await _texts(context, project, author)
    entries = [FileEntry(path=path, hash=hash_of(text), size=len(text)) for path, text in sorted(texts.items())]
    return FileList(version=version, files=entries)


@router.get("/projects/{project}/texts", responses=READING)
async def texts_now(project: Id, author: TheAuthor, context: TheContext) -> ProjectTexts:
    """All files of the newest version at once: what an editor opens with."""
    version, texts = await _texts(context, project, author)
    return ProjectTexts(version=version, texts=texts)


@router.get("/projects/{project}/files/{path:path}", responses=READING)
async def file(project: Id, path: str, author: TheAuthor, context: TheContext) -> FileText:
    """One file of the newest version."""
    version, texts = await _texts(context, project, author)
    if path not in texts:
        raise Problem("not-found")
    return FileText(path=path, text=texts[path], hash=hash_of(texts[path]), version=version)


@router.post("/projects/{project}/versions", status_code=201, responses=PROBLEMS)
async def save(project: Id, wanted: NewVersion, author: TheAuthor, context: TheContext) -> VersionShape:
    """Saves: any number of files written, renamed and taken away are one version. ``version-conflict`` where somebody
    else has changed one of them since ``base``; its ``findings`` hold those files as they are now."""
    await found_project(context, project, author)
    try:
        found = await context.workbench.save(project, wanted.base, wanted.changes, wanted.renames, author, wanted.note)
    except Moved as moved:
        raise conflict(moved) from None
    except ReadOnly:
        raise Problem("read-only") from None
    except Packaged as packaged:
        raise Problem("package-text", path=str(packaged)) from None
    except BadPath as bad:
        raise Problem("bad-path", path=str(bad)) from None
    except NoSuchProject:
        raise Problem("not-found") from None
    except NotYours:
        raise Problem("not-allowed") from None
    return _version(found)


def conflict(moved: Moved) -> Problem:
    there = [
        {
            "path": path,
            "text": text,
            "hash": hash_of(text) if text is not None else None,
            "version": moved.version.number,
            "author": moved.version.author.name,
        }
        for path, text in moved.there.items()
    ]
    who, number = moved.version.author.name, moved.version.number
    return Problem("version-conflict", findings=there, who=who, version=number)


@router.get("/projects/{project}/versions", responses=READING)
async def versions(
    project: Id,
    author: TheAuthor,
    context: TheContext,
    before: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> VersionList:
    """What was saved, the newest first. ``before``: only older ones."""
    await own(context, project, author)
    found = await context.workbench.projects.versions(project, before or 2**31 - 1, limit + 1)
    return VersionList(versions=[_version(each) for each in found[:limit]], more=len(found) > limit)


@router.get("/projects/{project}/versions/{number}", responses=READING)
async def version(project: Id, number: Number, author: TheAuthor, context: TheContext) -> VersionTexts:
    """A version with its files."""
    await own(context, project, author)
    try:
        found, texts = await context.workbench.projects.texts(project, number)
    except NoSuchProject:
        raise Problem("not-found") from None
    return VersionTexts(**_version(found).model_dump(), texts=parted(texts)[0])


@router.get("/projects/{project}/versions/{number}/compare/{other}", responses=READING)
async def compare(
    project: Id, number: Number, other: Number, author: TheAuthor, context: TheContext
) -> VersionComparison:
    """What has changed from one version to another, in words: fields, items, nodes that moved, comments and files."""
    await own(context, project, author)
    try:
        _, before = await context.workbench.projects.texts(project, number)
        _, after = await context.workbench.projects.texts(project, other)
    except NoSuchProject:
        raise Problem("not-found") from None
    found = await run_in_threadpool(lambda: changes_json(compared(before, after, context.workbench.registry)))
    return VersionComparison(before=number, after=other, changes=[ChangeShape(**each) for each in found])


@router.post("/projects/{project}/versions/{number}/restore", status_code=201, responses=PROBLEMS)
async def restore(
    project: Id, number: Number, author: TheAuthor, context: TheContext, wanted: RestoreRequest | None = None
) -> VersionShape:
    """A new version that is as this one was."""
    await own(context, project, author, "script.write")
    try:
        found = await context.workbench.restore(project, number, author, wanted.note if wanted else "")
    except NoSuchProject:
        raise Problem("not-found") from None
    except Moved as moved:
        raise conflict(moved) from None
    return _version(found)


# what others of this room ask, too


async def found_project(context: AppContext, project: str, author: Writer) -> ListedProject:
    try:
        return await context.workbench.find(project, author)
    except NoSuchProject:
        raise Problem("not-found") from None


async def may_open(
    context: AppContext, project: str, author: Writer, action: Action = "script.read"
) -> ProjectRecord | None:
    """The same without reading it; None for one in a folder."""
    try:
        return await context.workbench.record(project, author, action)
    except NoSuchProject:
        raise Problem("not-found") from None
    except NotYours:
        raise Problem("not-allowed") from None


async def own(context: AppContext, project: str, author: Writer, action: Action = "script.read") -> ProjectRecord:
    """One of the store, to which this may be done."""
    record = await may_open(context, project, author, action)
    if record is None:
        raise Problem("read-only")
    return record


async def _texts(context: AppContext, project: str, author: Writer) -> tuple[int, dict[str, str]]:
    """What is its own; packages that it requires are looked at as those."""
    await may_open(context, project, author)
    found, texts = await context.workbench.texts(project)
    return (found.number if found is not None else 0), parted(texts)[0]


def shape_of(found: ListedProject) -> ProjectShape:
    return ProjectShape(
        id=found.id,
        name=found.name,
        origin=found.origin,
        slug=found.slug,
        writable=found.writable,
        mine=found.mine,
        version=found.version,
        author=found.author,
        updated_at=found.updated_at,
        scripts=[
            ProjectScript(id=each.id, name=each.name, file=each.file, locale=each.locale) for each in found.scripts
        ],
    )


def _version(found: VersionRecord) -> VersionShape:
    return VersionShape(
        number=found.number,
        author=found.author.name,
        at=found.at,
        note=found.note,
        changed=list(found.changed),
    )
