"""The page, and the document that describes the API."""

from __future__ import annotations

import asyncio
import json
from importlib.resources import files
from mimetypes import guess_type
from threading import Lock

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.convertors import StringConvertor, register_url_convertor

from heartrule.server.access import TheContext
from heartrule.server.api_page import reading_page
from heartrule.server.compressed_files import packed
from heartrule.server.context import AppContext
from heartrule.server.headers import policy
from heartrule.server.problems import Problem
from heartrule.server.site import MOVED, Site


class PageConvertor(StringConvertor):
    """Every path but those of the API, so that what it does not know is answered by it, and by its rules."""

    regex = "(?!api/).*"


register_url_convertor("page", PageConvertor())
router = APIRouter(include_in_schema=False)
site = Site()


NOT_KEPT = {"Cache-Control": "no-store"}
_describing = Lock()


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    described = await asyncio.to_thread(_described, request.app)
    return Response(described[0], media_type="application/json", headers={"Cache-Control": "no-cache"})


@router.get("/docs")
async def docs(request: Request) -> Response:
    described = await asyncio.to_thread(_described, request.app)
    return HTMLResponse(described[1], headers={"Cache-Control": "no-cache"})


def _described(app: FastAPI) -> tuple[bytes, bytes]:
    """The document and the page made of it: beside the loop and once, for it takes seconds where others work too."""
    with _describing:
        if not hasattr(app.state, "described"):
            found = app.openapi()
            app.state.described = (json.dumps(found, ensure_ascii=False).encode(), reading_page(found).encode())
    made: tuple[bytes, bytes] = app.state.described
    return made


@router.get("/docs.css")
async def docs_look() -> Response:
    text = files("heartrule.server").joinpath("texts", "docs.css").read_text(encoding="utf-8")
    return Response(text, media_type="text/css", headers={"Cache-Control": "no-cache"})


def _numbers(context: AppContext, locale: str) -> list[tuple[str, str]]:
    """Whom to call, as the page shows it to somebody of whom nothing is known but this language."""
    return [(each.name, each.number) for each in context.sessions.contacts(locale)]


@router.get("/{path:page}")
async def page(path: str, context: TheContext, request: Request) -> Response:
    """A file of the web apps. The visitor's addresses are behind ``#``, so that there is only one page."""
    if path in MOVED:
        return RedirectResponse(MOVED[path], 308)
    file = site.file(path)
    if file is None:
        if path == "":
            return HTMLResponse(site.missing(), 503)
        if "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(site.unknown(_numbers(context, "zh-CN"), _numbers(context, "en")), 404, NOT_KEPT)
        raise Problem("not-found")
    headers = {"Cache-Control": site.keeping(path), "Vary": "Accept-Encoding"}
    sent, coding = packed(file, request.headers.get("accept-encoding", ""))
    headers |= {"Content-Encoding": coding} if coding else {}
    if file.suffix == ".html":
        headers["Content-Security-Policy"] = policy(context.sessions.media_hosts())
    return FileResponse(sent, headers=headers, media_type=guess_type(file.name)[0] or "text/plain")
