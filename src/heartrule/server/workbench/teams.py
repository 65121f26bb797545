"""Projects that several people write: shared, merged, copied; and who wrote what."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response
from starlette.concurrency import run_in_threadpool

from heartrule.authoring.diff.versions import changes_json, compared
from heartrule.identity.rights import Resource, may
from heartrule.server.access import TheContext
from heartrule.server.context import AppContext
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.workbench import team_shapes as shapes
from heartrule.server.workbench.access import TheAuthor, TheGrouper
from heartrule.server.workbench.projects import PROBLEMS, READING, Id, found_project, own
from heartrule.server.workbench.shapes import ChangeShape
from heartrule.store.projects import NoSuchProject
from heartrule.store.teams import GroupRecord
from heartrule.workbench.blame import blame_lines
from heartrule.workbench.draft_merge import MergedWork, merged_work
from heartrule.workbench.workbench import BadPath, Writer, check

router = APIRouter(prefix="/workbench", tags=["workbench"])
GroupId = Annotated[str, Path(pattern=r"^[0-9a-f]{1,32}$")]


@router.get("/people", responses=problems(401, 403))
async def people(author: TheAuthor, context: TheContext) -> shapes.PeopleShape:
    """Who writes scripts, and their groups: with whom a project can be shared, and who can be named in comments."""
    found = [
        shapes.ColleagueShape(id=each.id, name=each.shown_name, me=each.id == author.id)
        for each in await context.accounts.all()
        if "developer" in each.roles and not each.disabled
    ]
    groups = [_group(each, author) for each in await context.workbench.teams.groups()]
    return shapes.PeopleShape(people=sorted(found, key=lambda each: each.name), groups=groups)


@router.post("/groups", status_code=201, responses=PROBLEMS)
async def make_group(wanted: shapes.NewGroup, author: TheGrouper, context: TheContext) -> shapes.GroupShape:
    """A group, which whoever made it may change."""
    return _group(await context.workbench.teams.make_group(wanted.name, author.id, wanted.members), author)


@router.put("/groups/{group}", responses=PROBLEMS)
async def change_group(
    group: GroupId, wanted: shapes.NewGroup, author: TheGrouper, context: TheContext
) -> shapes.GroupShape:
    """Another name, other people."""
    known = await _own_group(context, group, author)
    await context.workbench.teams.change_group(group, wanted.name, wanted.members)
    return _group(GroupRecord(known.id, wanted.name, known.owner, tuple(dict.fromkeys(wanted.members))), author)


@router.delete("/groups/{group}", status_code=204, response_class=Response, responses=READING)
async def remove_group(group: GroupId, author: TheGrouper, context: TheContext) -> None:
    """Takes a group away; what was shared with it no longer is."""
    await _own_group(context, group, author)
    await context.workbench.teams.remove_group(group)


async def _own_group(context: AppContext, group: str, author: Writer) -> GroupRecord:
    known = await context.workbench.teams.group(group)
    if known is None:
        raise Problem("not-found")
    if not may(author.principal, "group.change", Resource(owner=known.owner)):
        raise Problem("not-allowed")
    return known


@router.get("/projects/{project}/sharing", responses=READING)
async def shares(project: Id, author: TheAuthor, context: TheContext) -> shapes.SharesShape:
    """With whom it is shared."""
    record = await own(context, project, author)
    return await _shares(context, record.id, record.owner)


@router.put("/projects/{project}/sharing", responses=PROBLEMS)
async def share(project: Id, wanted: shapes.NewShares, author: TheAuthor, context: TheContext) -> shapes.SharesShape:
    """Shares it with somebody or with a group, to be read and commented on or to be written; or no longer."""
    record = await own(context, project, author, "script.share")
    await context.workbench.teams.share(project, wanted.who, wanted.level)
    return await _shares(context, record.id, record.owner)


async def _shares(context: AppContext, project: str, owner: str) -> shapes.SharesShape:
    found = await context.workbench.teams.shares(project)
    return shapes.SharesShape(owner=owner, shares=[shapes.ShareShape(who=each.who, level=each.level) for each in found])


@router.get("/projects/{project}/origin", responses=READING)
async def origin(project: Id, author: TheAuthor, context: TheContext) -> shapes.CopiedFromShape:
    """What it is a copy of, and what has changed there since it was made."""
    await own(context, project, author)
    found = await context.workbench.teams.origin(project)
    if found is None:
        return shapes.CopiedFromShape(origin=None, name="", there=False, changes=[])
    try:
        await found_project(context, found.project, author)
    except Problem:
        return shapes.CopiedFromShape(origin=found.project, name=found.name, there=False, changes=[])
    _, then = await context.workbench.projects.texts(project, 1)
    _, now = await context.workbench.texts(found.project)
    changes = await run_in_threadpool(lambda: changes_json(compared(then, now, context.workbench.registry)))
    return shapes.CopiedFromShape(
        origin=found.project, name=found.name, there=True, changes=[ChangeShape(**each) for each in changes]
    )


@router.post("/projects/{project}/merge", responses=PROBLEMS)
async def merge(project: Id, wanted: shapes.NewMerge, author: TheAuthor, context: TheContext) -> shapes.MergedShape:
    """What somebody has written since ``base`` made one with what others have saved since, on the tree. Nothing is
    saved; what both changed otherwise stays as the asker has it and is told."""
    await own(context, project, author, "script.write")
    try:
        check({path: text for path, text in wanted.changes.items() if text is not None})
        _, base = await context.workbench.projects.texts(project, wanted.base)
        version, theirs = await context.workbench.projects.texts(project)
    except NoSuchProject:
        raise Problem("not-found") from None
    except BadPath as bad:
        raise Problem("bad-path", path=str(bad)) from None
    take = {(each.file, each.number) for each in wanted.take}
    found = await run_in_threadpool(merged_work, base, wanted.changes, theirs, take)
    return shapes.MergedShape(
        version=version.number, author=version.author.name, texts=found.texts, conflicts=_conflicts(found)
    )


def _conflicts(found: MergedWork) -> list[shapes.ConflictShape]:
    return [
        shapes.ConflictShape(
            file=each.file,
            number=each.number,
            path=list(each.conflict.path),
            kind=each.conflict.kind,
            node=list(each.conflict.node),
            base=each.conflict.base,
            ours=each.conflict.ours,
            theirs=each.conflict.theirs,
            taken=each.taken,
        )
        for each in found.conflicts
    ]


@router.get("/projects/{project}/blame/{path:path}", responses=READING)
async def blame(project: Id, path: str, author: TheAuthor, context: TheContext) -> shapes.BlameShape:
    """Who wrote each line of a file of the newest version, and when."""
    record = await own(context, project, author)
    found = await blame_lines(context.workbench.projects, project, path)
    if not found:
        raise Problem("not-found")
    return shapes.BlameShape(
        version=record.version,
        lines=[
            shapes.BlameLines(
                first=each.first,
                last=each.last,
                version=each.version.number,
                author=each.version.author.name,
                at=each.version.at,
                note=each.version.note,
            )
            for each in found
        ],
    )


def _group(found: GroupRecord, author: Writer) -> shapes.GroupShape:
    return shapes.GroupShape(id=found.id, name=found.name, members=list(found.members), mine=found.owner == author.id)
