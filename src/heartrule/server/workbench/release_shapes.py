"""What is sent about releases, and what is answered."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from heartrule.server.bodies import Body, speakable
from heartrule.server.shapes import Count, Shape
from heartrule.server.workbench.shapes import BothShape, ChangeShape

Share = Annotated[float, Field(gt=0, le=1)]
Notes = Annotated[str, AfterValidator(speakable), Field(max_length=20_000)]
StateName = Literal["testing", "gradual", "published", "retired", "halted"]


class NewRelease(Body):
    """Of the newest version. Without ``notes`` they are drafted from what has changed."""

    notes: Notes | None = None


class NewNotes(Body):
    notes: Notes


class NewVerdict(Body):
    verdict: Literal["approve", "changes"]
    note: Annotated[str, AfterValidator(speakable), Field(max_length=2_000)] = ""


class LimitsBody(Body):
    """Where a release that is being tried is halted once ``least`` of its sessions are decided: by how much each share
    may be worse than the published one's, and how many times its ``cost`` a turn may cost. null: not looked at."""

    least: Annotated[int, Field(ge=1, le=1_000_000)] = 20
    completed: Annotated[float, Field(ge=0, le=1)] | None = 0.2
    noticed: Annotated[float, Field(ge=0, le=1)] | None = 0.1
    faulty: Annotated[float, Field(ge=0, le=1)] | None = 0.05
    reported: Annotated[float, Field(ge=0, le=1)] | None = 0.05
    unsuitable: Annotated[float, Field(ge=0, le=1)] | None = 0.1
    cost: Annotated[float, Field(gt=0, le=1_000)] | None = 2.0


class NewPublication(Body):
    """``share``: of the persons whose new sessions begin with it. ``existing``: what becomes of sessions that are not
    over: they stay as they are (``pinned``), those move that lose nothing (``safe``), or also those that lose no more
    than ``allowed`` and stand in one of ``topics`` (any, where that is empty; ``rule``)."""

    share: Share = 1.0
    existing: Literal["pinned", "safe", "rule"] = "pinned"
    allowed: Annotated[list[Literal["begins_again", "gone", "dropped"]], Field(max_length=3)] = []
    topics: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=100)] = []
    limits: LimitsBody = LimitsBody()


class NewShare(Body):
    """1 makes it the one that is published."""

    share: Share
    limits: LimitsBody | None = None


class NewRules(Body):
    """``coverage``: per cent of the scripts that its tests come to; ``reviewers``: how many others approve."""

    coverage: Annotated[int, Field(ge=0, le=100)]
    reviewers: Annotated[int, Field(ge=0, le=9)]


class RulesShape(Shape):
    model_config = ConfigDict(title="ReleaseRules")

    coverage: Count
    reviewers: Count


class ReleaseShape(Shape):
    """``version`` of the project is what it is made of; ``bundle`` names exactly the texts that run. ``key``: by which
    it is signed."""

    model_config = ConfigDict(title="Release")

    id: str
    project: str
    number: Count
    slug: str
    version: Count
    bundle: str
    state: StateName
    author: str
    made_at: datetime
    notes: str
    publisher: str
    published_at: datetime | None
    key: str


class ServedShape(Shape):
    """What new sessions begin with: ``candidate`` for ``share`` of the persons, else ``release``; none: the folder of
    this id, where there is one. ``former``: what ``back`` leads to."""

    model_config = ConfigDict(title="Served")

    slug: str
    release: str | None
    former: str | None
    candidate: str | None
    share: float
    limits: dict[str, float | None]


class ProjectReleases(Shape):
    """``version`` is the newest that is saved; ``draft``: it is in no release. ``may``: what the asker may do."""

    project: str
    name: str
    slug: str
    version: Count
    draft: bool
    rules: RulesShape
    served: ServedShape | None
    releases: list[ReleaseShape]
    may: list[Literal["make", "review", "publish", "rule"]]


class ReleasesShape(Shape):
    model_config = ConfigDict(title="Releases")

    projects: list[ProjectReleases]


class GateShape(Shape):
    """Something that has to be done before publishing: how it stands, and how it is mended where it is not ``open``."""

    model_config = ConfigDict(title="Gate")

    name: Literal["lint", "tests", "coverage", "debug", "notes", "review", "risk"]
    open: bool
    says: BothShape
    mend: BothShape | None
    details: list[BothShape]


class VoteShape(Shape):
    model_config = ConfigDict(title="Vote")

    name: str
    verdict: Literal["approve", "changes"]
    note: str
    at: datetime


class ReleaseSummary(Shape):
    """``open``: nothing stands in the way of publishing it."""

    release: ReleaseShape
    open: bool
    gates: list[GateShape]
    votes: list[VoteShape]


class ReleaseChanges(Shape):
    """What it changes beside what is published; ``before`` 0: nothing is."""

    before: Count
    after: Count
    changes: list[ChangeShape]


class PartShape(Shape):
    """What becomes of one part of where a session stands."""

    model_config = ConfigDict(title="Part")

    what: str
    name: str
    fate: Literal["same", "moved", "begins_again", "next", "gone", "dropped"]
    now: str


class ExampleShape(Shape):
    """Sessions that stand at the same place and meet the same. ``reason``: why they cannot be moved at all."""

    model_config = ConfigDict(title="ImpactExample")

    kind: Literal["safe", "lost", "stuck"]
    script: str
    phase: str
    topic: str
    action: str
    parts: list[PartShape]
    reason: str
    about: str
    sessions: Count


class ImpactShape(Shape):
    """Sessions that are not over, by where they would be: ``as_is`` go on as they are, ``safe`` carry over whole,
    ``lost`` lose something of where they stand, ``stuck`` cannot be moved, ``held`` are in a crisis or with a human and
    stay, ``unread`` cannot be looked at and stay."""

    model_config = ConfigDict(title="Impact")

    sessions: Count
    as_is: Count
    safe: Count
    lost: Count
    stuck: Count
    held: Count
    unread: Count
    examples: list[ExampleShape]


class MovedShape(Shape):
    """``busy``: of those that stayed, those that somebody was at work on."""

    model_config = ConfigDict(title="MovedSessions")

    moved: Count
    stayed: Count
    busy: Count


class PublishedShape(Shape):
    model_config = ConfigDict(title="Published")

    served: ServedShape
    moved: MovedShape


class FiguresOfRelease(Shape):
    """``decided``: sessions that have ended, or that nobody has come back to; shares are of those. ``left``: by topic,
    where they were left. ``cost``: a turn, by currency. null: nothing to tell it from, or of too few sessions."""

    release: str
    number: Count
    sessions: Count
    turns: Count
    decided: Count
    completed: float | None
    left: dict[str, int]
    noticed: float | None
    faulty: float | None
    cost: dict[str, float]
    reported: float | None
    unsuitable: float | None
    reviewed: Count


class CrossedShape(Shape):
    model_config = ConfigDict(title="Crossed")

    what: str
    now: float
    before: float
    limit: float
    says: BothShape


class FiguresSideBySide(Shape):
    release: FiguresOfRelease | None
    candidate: FiguresOfRelease | None
    former: FiguresOfRelease | None
    crossed: list[CrossedShape]


class HappenedShape(Shape):
    model_config = ConfigDict(title="Happened")

    release: str
    at: datetime
    name: str
    what: str
    detail: dict[str, Any]


class ReleaseLog(Shape):
    happened: list[HappenedShape]
