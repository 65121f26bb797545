"""How good the scripts of a project are, and what each is: the fields that a design asks of a script."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import ConfigDict

from heartrule.authoring.wire import hash_of
from heartrule.authoring.workspace import Workspace
from heartrule.language.references import identity
from heartrule.server.access import TheContext
from heartrule.server.context import AppContext
from heartrule.server.shapes import Count, Shape
from heartrule.server.workbench.access import TheAuthor
from heartrule.server.workbench.projects import PROBLEMS, READING, Id, may_open
from heartrule.server.workbench.shapes import BothShape
from heartrule.server.workbench.team_shapes import WithTexts
from heartrule.store.projects import ProjectRecord
from heartrule.store.releases import ReleaseRecord
from heartrule.workbench.quality import MOST, Score, scores

router = APIRouter(prefix="/workbench", tags=["workbench"])
ScriptType = Literal["session", "technique", "awareness", "variable", "form"]


class ScorePart(Shape):
    """``measured`` false: it could not be, and brings no points. ``lowers``: what keeps it from all of them."""

    name: Literal["findings", "coverage", "mutants", "simulation", "size"]
    points: Count
    most: Count
    measured: bool
    lowers: list[BothShape]


class ScriptScore(Shape):
    """``score``: from 0 to 100."""

    script: str
    name: str
    score: Count
    parts: list[ScorePart]


class ScoreList(Shape):
    scores: list[ScriptScore]


class ScriptFactsShape(Shape):
    """A script of the newest version. ``version``: of the project, the last that changed its file; ``status``: whether
    that is released; ``metadata``: its project, file, locale and hash."""

    model_config = ConfigDict(title="ScriptFields")

    script_id: str
    script_type: ScriptType
    script_name: str
    script_content: str
    version: Count
    status: Literal["draft", "testing", "published"]
    author: str
    created_at: datetime | None
    published_at: datetime | None
    metadata: dict[str, Any]


class ScriptList(Shape):
    model_config = ConfigDict(title="ScriptsOfProject")

    scripts: list[ScriptFactsShape]


@router.post("/projects/{project}/scores", responses=PROBLEMS)
async def score(project: Id, author: TheAuthor, context: TheContext, wanted: WithTexts | None = None) -> ScoreList:
    """Checks, tests, mutates and simulates each session, which takes up to a minute; with ``texts`` laid over what is
    saved."""
    await may_open(context, project, author)
    found = await context.workbench.ask(project, wanted.texts if wanted else {}, scores, long=True)
    return ScoreList(scores=[_score(each) for each in found])


def _score(found: Score) -> ScriptScore:
    return ScriptScore(
        script=found.script,
        name=found.name,
        score=found.score,
        parts=[
            ScorePart(
                name=each.name,
                points=each.points,
                most=MOST,
                measured=each.measured,
                lowers=[BothShape(zh=said.zh, en=said.en) for said in each.lowers],
            )
            for each in found.parts
        ],
    )


@router.get("/projects/{project}/scripts", responses=READING)
async def scripts(project: Id, author: TheAuthor, context: TheContext) -> ScriptList:
    """Every script with its fields: sessions, techniques, awareness scripts, forms, and files of variables."""
    record = await may_open(context, project, author)
    found = await context.workbench.ask(project, {}, _scripts)
    texts = (await context.workbench.texts(project))[1]
    if record is None:
        return ScriptList(scripts=[_fields(each, texts, project, 0, "published", "", None, None) for each in found])
    changed = await _changed(context, record)
    releases = await context.sessions.store.releases.of_project(project)
    shown = []
    for each in found:
        version, who, made = changed.get(each[3], (record.version, "", record.created_at))
        status, at = _status(releases, version)
        shown.append(_fields(each, texts, project, version, status, who, made, at))
    return ScriptList(scripts=shown)


Found = tuple[ScriptType, str, str, str, str]
"""Kind, id, name, file and locale."""


def _scripts(workspace: Workspace) -> list[Found]:
    project = workspace.now.project
    locale = project.node.locale
    found: list[Found] = [
        ("session", identity(each), each.session, each.place.file, each.locale or locale) for each in project.sessions
    ]
    found += [("technique", identity(each), each.skill, each.place.file, locale) for each in project.skills]
    found += [("awareness", identity(each), each.awareness, each.place.file, locale) for each in project.awareness]
    found += [("form", identity(each), each.form, each.place.file, locale) for each in project.forms]
    files = sorted({each.place.file for each in project.variables})
    return found + [("variable", file, file, file, locale) for file in files]


async def _changed(context: AppContext, record: ProjectRecord) -> dict[str, tuple[int, str, datetime]]:
    """Of each file the last version that changed it, who wrote that, and when the file came."""
    known: dict[str, tuple[int, str, datetime]] = {}
    for version in await context.workbench.projects.versions(record.id, many=1_000):
        for path in version.changed:
            last = known.get(path, (version.number, version.author.name, version.at))
            known[path] = (last[0], last[1], version.at)
    return known


def _status(
    releases: tuple[ReleaseRecord, ...], version: int
) -> tuple[Literal["draft", "testing", "published"], datetime | None]:
    with_it = [each for each in releases if each.version >= version]
    published = [each.published_at for each in with_it if each.published_at is not None]
    if published:
        return "published", min(published)
    return ("testing" if with_it else "draft"), None


def _fields(
    found: Found,
    texts: dict[str, str],
    project: str,
    version: int,
    status: Literal["draft", "testing", "published"],
    author: str,
    created_at: datetime | None,
    published_at: datetime | None,
) -> ScriptFactsShape:
    kind, id_, name, file, locale = found
    text = texts.get(file, "")
    return ScriptFactsShape(
        script_id=id_,
        script_type=kind,
        script_name=name,
        script_content=text,
        version=version,
        status=status,
        author=author,
        created_at=created_at,
        published_at=published_at,
        metadata={"project": project, "file": file, "locale": locale, "hash": hash_of(text)},
    )
