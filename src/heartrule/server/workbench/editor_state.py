"""Beside the texts: what is being typed, where things were put on the map, templates and blocks."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from heartrule.server.access import TheContext
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.workbench.access import TheAuthor
from heartrule.server.workbench.bodies import NewDraft, NewLayout
from heartrule.server.workbench.projects import PROBLEMS, READING, Id, may_open, own
from heartrule.server.workbench.shapes import (
    BlockList,
    BlockShape,
    BothShape,
    DraftKept,
    DraftList,
    DraftShape,
    Layout,
    OtherTab,
    TemplateList,
    TemplateShape,
)
from heartrule.workbench.blocks import blocks
from heartrule.workbench.templates import templates
from heartrule.workbench.workbench import BadPath

router = APIRouter(prefix="/workbench", tags=["workbench"])
Tab = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
LARGEST_LAYOUT = 256 * 1024


@router.put("/projects/{project}/drafts/{tab}", responses=PROBLEMS)
async def draft(project: Id, tab: Tab, wanted: NewDraft, author: TheAuthor, context: TheContext) -> DraftKept:
    """Keeps what a tab of the author's browser holds unsaved; tells of their other tabs on this project."""
    await may_open(context, project, author)
    try:
        at, others = await context.workbench.draft(project, author, tab, wanted.base, wanted.texts)
    except BadPath as bad:
        raise Problem("bad-path", path=str(bad)) from None
    told = [OtherTab(tab=each.tab, at=each.at, paths=sorted(each.texts)) for each in others]
    return DraftKept(at=at, others=told)


@router.get("/projects/{project}/drafts", responses=READING)
async def drafts(project: Id, author: TheAuthor, context: TheContext) -> DraftList:
    """What the author's tabs hold unsaved."""
    await may_open(context, project, author)
    found = await context.workbench.projects.drafts(project, author.id)
    return DraftList(
        drafts=[DraftShape(tab=each.tab, at=each.at, base=each.base, texts=dict(each.texts)) for each in found]
    )


@router.delete("/projects/{project}/drafts/{tab}", status_code=204, response_class=Response, responses=READING)
async def drop(project: Id, tab: Tab, author: TheAuthor, context: TheContext) -> None:
    """Forgets what a tab held."""
    await may_open(context, project, author)
    await context.workbench.projects.drop_draft(project, author.id, tab)


@router.get("/projects/{project}/layout", responses=READING)
async def layout(project: Id, author: TheAuthor, context: TheContext) -> Layout:
    """Where somebody put what is drawn of the project; nothing for one in a folder."""
    if await context.workbench.find(project, author) and "." in project:
        return Layout(layout={})
    return Layout(layout=await context.workbench.projects.layout(project))


@router.put("/projects/{project}/layout", responses=PROBLEMS)
async def lay_out(project: Id, wanted: NewLayout, author: TheAuthor, context: TheContext) -> Layout:
    """Keeps that beside the texts, never in them."""
    await own(context, project, author, "script.write")
    if len(json.dumps(wanted.layout)) > LARGEST_LAYOUT:
        raise Problem("body-too-large", limit=LARGEST_LAYOUT // 1024)
    await context.workbench.projects.lay_out(project, wanted.layout)
    return Layout(layout=wanted.layout)


@router.get("/templates", responses=problems(401, 403))
async def template_list(author: TheAuthor) -> TemplateList:
    """What a new project can be made from."""
    return TemplateList(
        templates=[
            TemplateShape(
                id=each.id,
                name=BothShape(zh=each.name.zh, en=each.name.en),
                about=BothShape(zh=each.about.zh, en=each.about.en),
                locales=list(each.locales),
            )
            for each in templates()
        ]
    )


@router.get("/blocks", responses=problems(401, 403))
async def block_list(author: TheAuthor, locale: Annotated[str, Query(max_length=35)] = "zh-CN") -> BlockList:
    """Parts to drop into a script."""
    return BlockList(
        blocks=[
            BlockShape(
                id=each.id,
                name=BothShape(zh=each.name.zh, en=each.name.en),
                about=BothShape(zh=each.about.zh, en=each.about.en),
                accepts=each.accepts,
                item=each.item(locale),
            )
            for each in blocks()
        ]
    )
