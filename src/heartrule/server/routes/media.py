"""Pictures and recordings of the projects, as pages show and play them. No token is needed: they hold nothing of
anybody's, and an ``img`` can send none."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import FileResponse

from heartrule.server.access import TheContext
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems

router = APIRouter(tags=["media"])

Name = Annotated[str, Path(max_length=1_000)]
_HEADERS = {
    "Cache-Control": "public, max-age=3600",
    "Content-Disposition": "inline",
    "Cross-Origin-Resource-Policy": "cross-origin",
}


@router.get("/media/{project}/{path:path}", response_class=FileResponse, responses=problems(404))
async def media(project: Name, path: Name, context: TheContext) -> FileResponse:
    """A file of a project's folder, of the types that scripts may show. Its name is looked up among the files that were
    found there, and never followed. Parts of it may be asked for (``Range``)."""
    file = context.sessions.media(project, path)
    if file is None:
        raise Problem("not-found")
    return FileResponse(file.place, media_type=file.format.mime, headers=_HEADERS)
