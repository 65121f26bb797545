"""``<heart-chat>`` as a file for other pages."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from heartrule.server.compressed_files import accepted
from heartrule.server.problems import Problem
from heartrule.server.site import FOR_GOOD
from heartrule.server.widget_file import NAME, Widget, WidgetFile

A_WHILE = "public, max-age=300"
ANYWHERE = {"Cross-Origin-Resource-Policy": "cross-origin", "Vary": "Origin, Accept-Encoding"}
"""Pages of other origins may run it; which of them may call the API is said by ``server.origins``. Kept for one origin,
it is no answer for another."""

router = APIRouter(prefix="/sdk", include_in_schema=False)
embedding = WidgetFile()


@router.get("/heart-chat.json")
async def about() -> JSONResponse:
    """Which file there is, and what to hold it to."""
    widget = present()
    said = {"version": widget.version, "file": f"/sdk/{widget.version}/{NAME}", "integrity": widget.integrity}
    return JSONResponse(said, headers={"Cache-Control": "no-cache", **ANYWHERE})


@router.get("/heart-chat.js")
async def latest(request: Request) -> Response:
    return script(present(), A_WHILE, request)


@router.get("/{version}/heart-chat.js")
async def of_version(version: str, request: Request) -> Response:
    """This one, or none: another under the same name would be kept for good."""
    widget = present()
    if version != widget.version:
        raise Problem("not-found")
    return script(widget, FOR_GOOD, request)


def present() -> Widget:
    if embedding.widget is None:
        raise Problem("not-found")
    return embedding.widget


def script(widget: Widget, keeping: str, request: Request) -> Response:
    """A browser holds it to its integrity once it has unpacked it."""
    headers = {"Cache-Control": keeping, "ETag": f'"{widget.version}"', **ANYWHERE}
    coding = next(
        (name for name in accepted(request.headers.get("accept-encoding", "")) if name in widget.packed), None
    )
    headers |= {"Content-Encoding": coding} if coding else {}
    content = widget.packed[coding] if coding else widget.content
    return Response(content, media_type="text/javascript", headers=headers)
