"""Labelled sentences, put before the awareness scripts of a debug session: those of its project, of the server, or of
whoever asks."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fastapi import APIRouter

from heartrule.debugger import risk_files
from heartrule.debugger.session import DebugSession
from heartrule.evals.labelled_files import BadFile
from heartrule.evals.risk_items import RISKS, Utterance, parsed
from heartrule.language.projects.project import RISK_FILE
from heartrule.server.access import TheContext
from heartrule.server.context import AppContext
from heartrule.server.debugger import bodies, shapes
from heartrule.server.debugger.access import Debugged, Developer
from heartrule.server.problems import Both, Problem
from heartrule.server.routes.answers import problems
from heartrule.store.projects import NoSuchProject
from heartrule.workbench.workbench import Writer

router = APIRouter(prefix="/debug/sessions/{debug}", tags=["debugger"])


@router.get("/risk-files", responses=problems(401, 403, 404))
async def files(session: Debugged, author: Developer, context: TheContext) -> shapes.RiskFileList:
    """The files of labelled sentences that there are: of the session's project as it is saved now, and of the
    server."""
    own = await _of_project(context, session, author)
    there = context.settings.risk_files
    return shapes.RiskFileList(
        files=[
            *(shapes.RiskFileShape(of="project", name=name) for name in sorted(own)),
            *(shapes.RiskFileShape(of="server", name=each.name) for each in there),
        ]
    )


@router.post("/risk", responses=problems(400, 401, 403, 404, 408, 413, 415))
async def risk(
    body: bodies.ListenRequest, session: Debugged, author: Developer, context: TheContext
) -> shapes.RiskHeardShape:
    """What each awareness script hears of a file's sentences, without a language model; a part of them at a time.
    Nothing changes, and nobody is told."""
    try:
        rows = parsed(await _text(body, session, author, context))
    except BadFile as bad:
        raise _bad(bad.line) from None
    if not rows:
        raise _bad(0)
    return await context.debugger.aside(lambda: _heard(body, session, rows))


def _heard(body: bodies.ListenRequest, session: DebugSession, rows: list[Utterance]) -> shapes.RiskHeardShape:
    known, part = risk_files.labels(rows), rows[body.first : body.first + body.many]
    found = risk_files.listened(session, part, known, body.awareness, body.wanted)
    return shapes.RiskHeardShape(
        all=len(rows),
        done=min(body.first + len(part), len(rows)),
        labels=known,
        scripts=[
            shapes.ListenedShape(
                awareness=each.awareness,
                name=each.name,
                priority=each.priority,
                by_model=each.by_model,
                wanted=list(each.wanted),
                counts=[
                    shapes.CountedShape(label=c.label, explicit=c.explicit, watch=c.watch, none=c.none)
                    for c in each.counts
                ],
                missed=[_shape(one) for one in each.missed],
                wrong=[_shape(one) for one in each.wrong],
            )
            for each in found
        ],
    )


def _shape(heard: risk_files.SentenceResult) -> shapes.SentenceShape:
    row = heard.row
    return shapes.SentenceShape(
        id=row.id,
        text=row.text,
        labels=list(row.labels),
        level=heard.level,
        source=heard.source,
        reason=heard.reason,
        evidence=heard.evidence,
        about=heard.about,
        doubted=heard.doubted,
        score=heard.score,
    )


async def _text(body: bodies.ListenRequest, session: DebugSession, author: Writer, context: AppContext) -> str:
    if body.of == "given":
        return body.text
    if body.of == "project":
        own = await _of_project(context, session, author)
        if body.file not in own:
            raise Problem("not-found")
        return own[body.file]
    there: Path | None = next((each for each in context.settings.risk_files if each.name == body.file), None)
    if there is None:
        raise Problem("not-found")
    try:
        return await asyncio.to_thread(there.read_text, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise _bad(0) from None


async def _of_project(context: AppContext, session: DebugSession, author: Writer) -> dict[str, str]:
    """None where the session is of no project, or of one that they may not open any more."""
    project = session.head.project
    if not project:
        return {}
    try:
        await context.workbench.record(project, author)
        texts = (await context.workbench.texts(project))[1]
    except NoSuchProject:
        return {}
    return {path: text for path, text in texts.items() if path.endswith(RISK_FILE)}


def _bad(line: int) -> Problem:
    where = Both(f"第 {line} 行", f"line {line}") if line else Both("整份文件", "all of it")
    return Problem("debug-no-risk-file", where=where, known=", ".join(RISKS))
