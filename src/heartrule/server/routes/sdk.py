"""``<heart-chat>`` as a file for other pages."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from heartrule.server.embedding import NAME, Embedding, Widget
from heartrule.server.problems import Problem
from heartrule.server.site import FOR_GOOD

A_WHILE = "public, max-age=300"
ANYWHERE = {"Cross-Origin-Resource-Policy": "cross-origin", "Vary": "Origin"}
"""Pages of other origins may run it; which of them may call the API is said by ``server.origins``. Kept for one origin,
it is no answer for another."""

router = APIRouter(prefix="/sdk", include_in_schema=False)
embedding = Embedding()


@router.get("/heart-chat.json")
async def about() -> JSONResponse:
    """Which file there is, and what to hold it to."""
    widget = present()
    said = {"version": widget.version, "file": f"/sdk/{widget.version}/{NAME}", "integrity": widget.integrity}
    return JSONResponse(said, headers={"Cache-Control": "no-cache", **ANYWHERE})


@router.get("/heart-chat.js")
async def latest() -> Response:
    return script(present(), A_WHILE)


@router.get("/{version}/heart-chat.js")
async def of_version(version: str) -> Response:
    """This one, or none: another under the same name would be kept for good."""
    widget = present()
    if version != widget.version:
        raise Problem("not-found")
    return script(widget, FOR_GOOD)


def present() -> Widget:
    if embedding.widget is None:
        raise Problem("not-found")
    return embedding.widget


def script(widget: Widget, keeping: str) -> Response:
    headers = {"Cache-Control": keeping, "ETag": f'"{widget.version}"', **ANYWHERE}
    return Response(widget.content, media_type="text/javascript", headers=headers)
