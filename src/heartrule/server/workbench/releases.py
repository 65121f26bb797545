"""Releases of projects: made, checked, reviewed, published, compared, taken back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from starlette.concurrency import run_in_threadpool

from heartrule.authoring.diff.versions import changes_json, compared
from heartrule.identity.principal import Principal
from heartrule.identity.rights import Action, may
from heartrule.language.bilingual import Bilingual
from heartrule.releases.figures import Figures, Limits
from heartrule.releases.gates import Gate
from heartrule.releases.impact import Rule
from heartrule.releases.release_checks import NoProjectFile
from heartrule.releases.service import NotAllowed, Nothing, NotOpen, NotTrusted, ReleaseStatus, Taken
from heartrule.server.access import TheContext
from heartrule.server.context import AppContext
from heartrule.server.problems import Both, Problem, asker_language
from heartrule.server.routes.answers import problems
from heartrule.server.staff_access import Somebody
from heartrule.server.workbench import release_shapes as shapes
from heartrule.server.workbench.projects import PROBLEMS, READING, Id
from heartrule.server.workbench.shapes import BothShape, ChangeShape
from heartrule.store.projects import NoSuchProject
from heartrule.store.releases import NoSuchRelease, Overtaken, ReleaseRecord, Rules, ServedRelease

router = APIRouter(prefix="/workbench", tags=["releases"])
ReleaseId = Annotated[str, Path(min_length=1, max_length=220)]
DEEDS: dict[str, Action] = {
    "make": "release.make",
    "review": "release.review",
    "publish": "release.publish",
    "rule": "release.rule",
}
LOOKING: tuple[Action, ...] = ("release.read", "release.look")


async def _looks(principal: Somebody) -> Principal:
    """Somebody whose role lets them see releases of something. What may be done to which, is asked where it is known:
    what somebody may not see does not exist for them, whatever they ask to do with it."""
    if not any(may(principal, each) for each in LOOKING):
        raise Problem("not-allowed")
    return principal


Looker = Annotated[Principal, Depends(_looks)]


@asynccontextmanager
async def _answered() -> AsyncIterator[None]:
    """What keeps something from being done, as a problem."""
    try:
        yield
    except (NoSuchProject, NoSuchRelease):
        raise Problem("not-found") from None
    except NotAllowed:
        raise Problem("not-allowed") from None
    except NotOpen as shut:
        missing = [each for each in shut.gates if not each.open]
        names = Both("".join(each.says.zh for each in missing), " ".join(each.says.en for each in missing))
        found = [gate(each).model_dump() for each in shut.gates]
        raise Problem("release-not-open", findings=found, names=names) from None
    except Taken as taken:
        raise Problem("release-taken", slug=str(taken)) from None
    except Nothing:
        raise Problem("release-nothing") from None
    except Overtaken:
        raise Problem("release-overtaken") from None
    except NotTrusted:
        raise Problem("release-not-trusted") from None
    except NoProjectFile:
        raise Problem("release-no-project") from None


@router.get("/releases", responses=problems(401, 403))
async def every(who: Looker, context: TheContext) -> shapes.ReleasesShape:
    """The projects whose releases the asker may see, with what new sessions of each begin with."""
    found = await context.releases.all(who)
    return shapes.ReleasesShape(projects=[_project(who, each) for each in found])


@router.get("/projects/{project}/releases", responses=READING)
async def of_project(project: Id, who: Looker, context: TheContext) -> shapes.ProjectReleases:
    """The releases of a project, the newest first."""
    async with _answered():
        return _project(who, await context.releases.one(who, project))


@router.post("/projects/{project}/releases", status_code=201, responses=PROBLEMS)
async def make(
    project: Id, who: Looker, context: TheContext, request: Request, wanted: shapes.NewRelease | None = None
) -> shapes.ReleaseShape:
    """Makes a release of the newest version, in testing: all its files as one bundle that does not change any more,
    signed."""
    async with _answered():
        notes = wanted.notes if wanted else None
        return release(await context.releases.make(who, project, notes, asker_language(request)))


@router.put("/projects/{project}/releases/rules", responses=PROBLEMS)
async def rule(project: Id, who: Looker, context: TheContext, wanted: shapes.NewRules) -> shapes.RulesShape:
    """What the project asks of its releases before they are published."""
    async with _answered():
        found = await context.releases.rule(who, project, Rules(wanted.coverage, wanted.reviewers))
    return shapes.RulesShape(coverage=found.coverage, reviewers=found.reviewers)


@router.get("/projects/{project}/releases/figures", responses=READING)
async def side_by_side(project: Id, who: Looker, context: TheContext) -> shapes.FiguresSideBySide:
    """How sessions of what is published, of what is being tried and of the former release go, and which limits are
    crossed."""
    async with _answered():
        found = await context.releases.compare(who, project)
    return shapes.FiguresSideBySide(
        release=_figures(found.release),
        candidate=_figures(found.candidate),
        former=_figures(found.former),
        crossed=[
            shapes.CrossedShape(
                what=each.what, now=each.now, before=each.before, limit=each.limit, says=_both(each.says)
            )
            for each in found.crossed
        ],
    )


@router.get("/projects/{project}/releases/log", responses=READING)
async def log(project: Id, who: Looker, context: TheContext) -> shapes.ReleaseLog:
    """Who has made, reviewed, published, halted and taken back what, the last first."""
    async with _answered():
        found = await context.releases.log(who, project)
    return shapes.ReleaseLog(
        happened=[
            shapes.HappenedShape(
                release=each.release, at=each.at, name=each.who.name, what=each.what, detail=dict(each.detail)
            )
            for each in found
        ]
    )


@router.post("/projects/{project}/releases/share", responses=PROBLEMS)
async def share(project: Id, wanted: shapes.NewShare, who: Looker, context: TheContext) -> shapes.ServedShape:
    """Gives what is being tried another share of the persons; 1 makes it the one that is published."""
    limits = Limits.of(wanted.limits.model_dump()) if wanted.limits is not None else None
    async with _answered():
        return _served(await context.releases.share(who, project, wanted.share, limits))


@router.post("/projects/{project}/releases/back", responses=PROBLEMS)
async def back(project: Id, who: Looker, context: TheContext) -> shapes.ServedShape:
    """New sessions begin with the former release again, at once; what is being tried is taken back first. Sessions that
    have begun go on with theirs."""
    async with _answered():
        return _served(await context.releases.back(who, project))


@router.post("/projects/{project}/releases/halt", responses=PROBLEMS)
async def halt(project: Id, who: Looker, context: TheContext) -> shapes.ServedShape:
    """As going back, and the release is put down as halted."""
    async with _answered():
        return _served(await context.releases.halt(who, project))


@router.get("/releases/{release_id}", responses=READING)
async def one(release_id: ReleaseId, who: Looker, context: TheContext) -> shapes.ReleaseSummary:
    """A release, and what has to be done before it is published. Nothing is run."""
    async with _answered():
        return await _standing(context, who, release_id, await context.releases.gates(who, release_id))


@router.put("/releases/{release_id}/notes", responses=PROBLEMS)
async def write_notes(
    release_id: ReleaseId, wanted: shapes.NewNotes, who: Looker, context: TheContext
) -> shapes.ReleaseShape:
    """Other notes; the bundle stays as it is."""
    async with _answered():
        return release(await context.releases.write_notes(who, release_id, wanted.notes))


@router.get("/releases/{release_id}/changes", responses=READING)
async def changes(release_id: ReleaseId, who: Looker, context: TheContext) -> shapes.ReleaseChanges:
    """What it changes beside what is published, in words: what a reviewer reads."""
    async with _answered():
        (before, after), then, now = await context.releases.changes(who, release_id)
    found = await run_in_threadpool(lambda: changes_json(compared(then, now, context.workbench.registry)))
    return shapes.ReleaseChanges(before=before, after=after, changes=[ChangeShape(**each) for each in found])


@router.post("/releases/{release_id}/check", responses=PROBLEMS)
async def check(release_id: ReleaseId, who: Looker, context: TheContext, request: Request) -> shapes.ReleaseSummary:
    """Runs its tests, and for a safety project the risk files; how the gates stand then."""
    async with _answered():
        found = await context.releases.check(who, release_id, asker_language(request))
        return await _standing(context, who, release_id, found)


@router.post("/releases/{release_id}/review", responses=PROBLEMS)
async def review(
    release_id: ReleaseId, wanted: shapes.NewVerdict, who: Looker, context: TheContext
) -> shapes.ReleaseSummary:
    """Approves it, or asks for changes; in place of what the same reviewer said before."""
    async with _answered():
        found = await context.releases.review(who, release_id, wanted.verdict, wanted.note)
        return await _standing(context, who, release_id, found)


@router.post("/releases/{release_id}/impact", responses=PROBLEMS)
async def impact(release_id: ReleaseId, who: Looker, context: TheContext) -> shapes.ImpactShape:
    """What it would do to every session of the project that is not over. Nothing of them changes."""
    async with _answered():
        found = await context.releases.impact(who, release_id)
    return shapes.ImpactShape(
        sessions=found.all,
        **found.counts,
        unread=found.unread,
        examples=[
            shapes.ExampleShape(
                kind=each.kind,
                script=each.script,
                phase=each.place[0],
                topic=each.place[1],
                action=each.place[2],
                parts=[shapes.PartShape(**part.plain()) for part in each.parts],
                reason=each.reason,
                about=each.about,
                sessions=each.sessions,
            )
            for each in found.examples
        ],
    )


@router.post("/releases/{release_id}/publish", responses=PROBLEMS)
async def publish(
    release_id: ReleaseId, who: Looker, context: TheContext, wanted: shapes.NewPublication | None = None
) -> shapes.PublishedShape:
    """New sessions begin with it, or a share of them. ``release-not-open`` where something has to be done first; its
    ``findings`` are the gates."""
    given = wanted or shapes.NewPublication()
    rule_of = Rule(given.existing, frozenset(given.allowed), frozenset(given.topics))
    async with _answered():
        limits = Limits.of(given.limits.model_dump())
        done = await context.releases.publish(who, release_id, rule_of, given.share, limits)
    return shapes.PublishedShape(served=_served(done.served), moved=shapes.MovedShape(**asdict(done.moved)))


async def _standing(
    context: AppContext, who: Principal, release_id: str, found: Sequence[Gate]
) -> shapes.ReleaseSummary:
    record = await context.sessions.store.releases.find(release_id)
    if record is None:
        raise Problem("not-found")
    votes = await context.releases.votes(who, release_id)
    return shapes.ReleaseSummary(
        release=release(record),
        open=all(each.open for each in found),
        gates=[gate(each) for each in found],
        votes=[shapes.VoteShape(name=each.name, verdict=each.verdict, note=each.note, at=each.at) for each in votes],
    )


def release(record: ReleaseRecord) -> shapes.ReleaseShape:
    return shapes.ReleaseShape(
        id=record.id,
        project=record.project,
        number=record.number,
        slug=record.slug,
        version=record.version,
        bundle=record.bundle,
        state=record.state,
        author=record.author.name,
        made_at=record.made_at,
        notes=record.notes,
        publisher=record.publisher,
        published_at=record.published_at,
        key=record.key,
    )


def gate(found: Gate) -> shapes.GateShape:
    return shapes.GateShape(
        name=found.name,
        open=found.open,
        says=_both(found.says),
        mend=_both(found.mend) if found.mend is not None else None,
        details=[_both(each) for each in found.details],
    )


def _both(said: Bilingual) -> BothShape:
    return BothShape(zh=said.zh, en=said.en)


def _served(found: ServedRelease) -> shapes.ServedShape:
    return shapes.ServedShape(
        slug=found.slug,
        release=found.release,
        former=found.former,
        candidate=found.candidate,
        share=found.share,
        limits=dict(found.limits),
    )


def _project(who: Principal, found: ReleaseStatus) -> shapes.ProjectReleases:
    return shapes.ProjectReleases(
        project=found.project,
        name=found.name,
        slug=found.slug,
        version=found.version,
        draft=all(each.version != found.version for each in found.releases),
        rules=shapes.RulesShape(coverage=found.rules.coverage, reviewers=found.rules.reviewers),
        served=_served(found.served) if found.served is not None else None,
        releases=[release(each) for each in found.releases],
        may=[name for name, action in DEEDS.items() if may(who, action, found.thing)],
    )


def _figures(found: tuple[ReleaseRecord, Figures] | None) -> shapes.FiguresOfRelease | None:
    if found is None:
        return None
    record, told_of = found
    return shapes.FiguresOfRelease(release=record.id, number=record.number, **asdict(told_of))
