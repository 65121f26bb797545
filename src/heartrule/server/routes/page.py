"""The page, and the document that describes the API."""

from __future__ import annotations

from importlib.resources import files

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.convertors import StringConvertor, register_url_convertor

from heartrule.server.access import TheHouse
from heartrule.server.headers import policy
from heartrule.server.problems import Problem
from heartrule.server.reading import reading_page
from heartrule.server.site import Site


class PageConvertor(StringConvertor):
    """Every path but those of the API, so that what it does not know is answered by it, and by its rules."""

    regex = "(?!api/).*"


register_url_convertor("page", PageConvertor())
router = APIRouter(include_in_schema=False)
site = Site()


@router.get("/openapi.json")
async def openapi(request: Request) -> JSONResponse:
    return JSONResponse(request.app.openapi(), headers={"Cache-Control": "no-cache"})


@router.get("/docs")
async def docs(request: Request) -> HTMLResponse:
    return HTMLResponse(reading_page(request.app.openapi()), headers={"Cache-Control": "no-cache"})


@router.get("/docs.css")
async def docs_look() -> Response:
    text = files("heartrule.server").joinpath("texts", "docs.css").read_text(encoding="utf-8")
    return Response(text, media_type="text/css", headers={"Cache-Control": "no-cache"})


@router.get("/{path:page}")
async def page(path: str, house: TheHouse) -> Response:
    """A file of the web app; its addresses are behind ``#``, so that there is only one page."""
    file = site.file(path)
    if file is None:
        if path == "":
            return HTMLResponse(site.missing(), 503)
        raise Problem("not-found")
    headers = {"Cache-Control": site.keeping(path)}
    if file.suffix == ".html":
        headers["Content-Security-Policy"] = policy(house.sessions.media_hosts())
    return FileResponse(file, headers=headers)
