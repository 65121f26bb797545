"""What a session, or all of a person's, came to, as a page to read, to print and to keep."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, Literal
from urllib.parse import quote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from fastapi import APIRouter, Query
from fastapi.responses import Response

from heartrule.reporting import page, paper, report_data
from heartrule.reporting.report import Report
from heartrule.server.access import Held, TheContext
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.routes.space import Person
from heartrule.server.whereabouts import placed

router = APIRouter(tags=["summaries"])
log = logging.getLogger(__name__)
_layout = ThreadPoolExecutor(1, thread_name_prefix="heartrule-pdf")
"""Apart from the threads that look up addresses: pages that wait for their turn hold up nothing else."""

Format = Annotated[Literal["html", "pdf"], Query(description="`pdf` where `about` says that it can be had.")]
Zone = Annotated[str, Query(max_length=64, pattern=r"^[A-Za-z0-9_+/-]+$", description="The time zone (IANA).")]
Tag = Annotated[str, Query(max_length=35, description="The language wanted, as a tag: zh-CN, en.")]
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"content": {kind: {"schema": {"type": "string"}} for kind in ("text/html", "application/pdf")}},
    **problems(401, 404, 413, 501),
}


@router.get("/sessions/{session}/summary", response_class=Response, responses=ANSWERS)
async def of_session(record: Held, context: TheContext, format: Format = "html", zone: Zone = "UTC") -> Response:  # noqa: A002
    """What the session came to: a page without script that needs nothing else, or a PDF. It is made each time anew from
    the record, without a model, and kept nowhere."""
    place = placed(record.locale, zone)
    return await _written(await report_data.of_session(context.sessions, record, _zone(zone), place), format)


@router.get("/persons/me/summary", response_class=Response, responses=ANSWERS)
async def of_person(
    person: Person,
    context: TheContext,
    format: Format = "html",  # noqa: A002
    zone: Zone = "UTC",
    locale: Tag = "zh-CN",
) -> Response:
    """What all of a person's sessions came to, and how their scores went."""
    place = placed(locale, zone)
    return await _written(await report_data.of_person(context.sessions, person, locale, _zone(zone), place), format)


def _zone(name: str) -> ZoneInfo:
    """Times that cannot be told as the person's are told as everybody's."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


async def _written(report: Report, kind: str) -> Response:
    html = page.page(report)
    headers = {
        "Content-Security-Policy": f"{page.policy()}; frame-ancestors 'none'",
        "Content-Disposition": f"inline; filename*=UTF-8''{quote(page.file_name(report))}.{kind}",
        "Content-Language": page.language(report),
    }
    if kind == "html":
        return Response(html, media_type="text/html", headers=headers)
    try:
        made = await asyncio.get_running_loop().run_in_executor(_layout, paper.pdf, html)
    except paper.NoPdf as missing:
        log.error("no PDF can be made: %s", missing)
        raise Problem("no-pdf", why=str(missing)) from None
    except paper.TooLong:
        raise Problem("pdf-too-long") from None
    except paper.NoFont:
        log.error("no PDF can be made: no font of this machine has the letters of a summary")
        raise Problem("no-font") from None
    return Response(made, media_type="application/pdf", headers=headers)
