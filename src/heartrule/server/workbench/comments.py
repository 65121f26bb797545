"""Comments beside scripts: threads that stay at their node."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request

from heartrule.authoring.diff.node_places import Spot
from heartrule.server.access import TheContext
from heartrule.server.context import AppContext
from heartrule.server.problems import Problem, asker_language
from heartrule.server.routes.answers import problems
from heartrule.server.workbench import team_shapes as shapes
from heartrule.server.workbench.access import TheAuthor, TheReached
from heartrule.server.workbench.projects import PROBLEMS, READING, Id, own
from heartrule.store.comments import NoSuchThread, ThreadFull, ThreadRecord
from heartrule.workbench.comments import NoNode, PlacedThread
from heartrule.workbench.workbench import Writer

router = APIRouter(prefix="/workbench", tags=["workbench"])
ThreadId = Annotated[str, Path(pattern=r"^[0-9a-f]{1,32}$")]


@router.get("/projects/{project}/threads", responses=READING)
async def threads(project: Id, author: TheAuthor, context: TheContext) -> shapes.ThreadList:
    """What was said beside the newest version, the oldest first, with where each stands in it."""
    await own(context, project, author)
    return _listed(await context.comments.placed(project, {}), author)


@router.post("/projects/{project}/threads/places", responses=PROBLEMS)
async def places(project: Id, wanted: shapes.WithTexts, author: TheAuthor, context: TheContext) -> shapes.ThreadList:
    """The same, with where each stands in what is not saved yet (``texts``)."""
    await own(context, project, author)
    return _listed(await context.comments.placed(project, wanted.texts), author)


@router.post("/projects/{project}/threads", status_code=201, responses=PROBLEMS)
async def begin(project: Id, wanted: shapes.NewThread, author: TheAuthor, context: TheContext) -> shapes.ThreadShape:
    """Says something at a node, which it stays at through edits and moves."""
    await own(context, project, author, "script.comment")
    spot = Spot(wanted.file, tuple(wanted.path))
    try:
        made = await context.comments.begin(project, author, spot, wanted.texts, wanted.text, wanted.mentions)
    except NoNode:
        raise Problem("no-node") from None
    except ThreadFull:
        raise Problem("comments-full") from None
    _told(context)
    return _shape(made, author)


@router.post("/projects/{project}/threads/{thread}/comments", status_code=201, responses=PROBLEMS)
async def say(
    project: Id, thread: ThreadId, wanted: shapes.NewComment, author: TheAuthor, context: TheContext
) -> shapes.ThreadShape:
    """Answers."""
    await _thread(context, project, thread, author)
    try:
        found = await context.comments.say(thread, author, wanted.text, wanted.mentions)
    except ThreadFull:
        raise Problem("comments-full") from None
    _told(context)
    return await _standing(context, found, author)


@router.put("/projects/{project}/threads/{thread}/resolved", responses=PROBLEMS)
async def settle(
    project: Id, thread: ThreadId, wanted: shapes.NewResolution, author: TheAuthor, context: TheContext
) -> shapes.ThreadShape:
    """Resolves a thread, or opens it again."""
    await _thread(context, project, thread, author)
    found = await context.comments.settle(thread, wanted.resolved)
    _told(context)
    return await _standing(context, found, author)


@router.get("/comments/mail", responses=problems(401, 403))
async def mail(author: TheReached, context: TheContext) -> shapes.MailShape:
    """Where the asker is told of what is said to them."""
    return await _mail(context, author)


@router.put("/comments/mail", responses=problems(400, 401, 403, 408, 413, 415))
async def set_mail(
    wanted: shapes.NewMail, author: TheReached, context: TheContext, request: Request
) -> shapes.MailShape:
    """Another address, or none. What is said to somebody within ten minutes comes as one mail, without the words."""
    await context.sessions.store.comments.set_address(author.id, wanted.address, asker_language(request))
    return await _mail(context, author)


async def _mail(context: AppContext, author: Writer) -> shapes.MailShape:
    known = await context.sessions.store.comments.address(author.id)
    return shapes.MailShape(address=known[0] if known else None, possible=context.mails)


def _told(context: AppContext) -> None:
    context.presence.changed()
    context.jobs.wake()


async def _thread(context: AppContext, project: str, thread: str, author: Writer) -> None:
    await own(context, project, author, "script.comment")
    try:
        found = await context.sessions.store.comments.find(thread)
    except NoSuchThread:
        raise Problem("not-found") from None
    if found.project != project:
        raise Problem("not-found")


async def _standing(context: AppContext, thread: ThreadRecord, author: Writer) -> shapes.ThreadShape:
    placed = await context.comments.placed(thread.project, {})
    return _shape(next(each for each in placed if each.thread.id == thread.id), author)


def _listed(found: list[PlacedThread], author: Writer) -> shapes.ThreadList:
    return shapes.ThreadList(threads=[_shape(each, author) for each in found])


def _shape(placed: PlacedThread, author: Writer) -> shapes.ThreadShape:
    thread, spot = placed.thread, placed.spot
    return shapes.ThreadShape(
        id=thread.id,
        resolved=thread.resolved,
        created_at=thread.created_at,
        spot=shapes.SpotShape(file=spot.file, path=list(spot.path)) if spot is not None else None,
        last=shapes.SpotShape(file=thread.anchor.file, path=list(thread.anchor.path)),
        comments=[
            shapes.CommentShape(
                number=each.number,
                author=each.author.id,
                name=each.author.name,
                mine=each.author.id == author.id,
                at=each.at,
                text=each.text,
                mentions=list(each.mentions),
            )
            for each in thread.comments
        ],
    )
