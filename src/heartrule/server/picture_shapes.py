"""The clinical picture beside a session: what a counsellor needs to know of the person, from the record alone."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from heartrule.server.shapes import Count, FormShape, Shape

Number = int | float
Level = Literal["urgent", "attention", "watch"]


class Trigger(Shape):
    """Words that were heard as danger, or as something to attend to. ``start``, ``end``: where they stand in the
    message, in characters; null where they were taken back, or stand in a form. ``name``: of the script that noticed
    it, as its author calls it."""

    message: Count | None
    start: Count | None
    end: Count | None
    words: str
    awareness: str
    name: str
    verdict: Literal["yes", "unknown", "watch"]
    source: Literal["rules", "model", "default"]
    level: Level
    turn: Count
    at: datetime


class BandShape(Shape):
    label: str
    low: Number
    high: Number


class PointShape(Shape):
    at: datetime
    value: Number
    band: str
    session: str


class ScoreCourse(Shape):
    """How a score went, oldest first. ``ranges``: of the latest form."""

    name: str
    points: list[PointShape]
    ranges: list[BandShape]
    limits: list[Number] | None


class ScoreShape(Shape):
    """``value``: null where an answer was missing."""

    name: str
    label: str
    value: Number | None
    band: str
    limits: list[Number] | None
    ranges: list[BandShape]


class AnswerShape(Shape):
    """``own``: in the person's own words. ``alarm``: an answer at which the form calls for help, or for somebody."""

    field: str
    label: str
    words: str
    value: Any
    own: bool
    alarm: bool


class FormPicture(Shape):
    session: str
    form: str
    name: str
    at: datetime
    by: Literal["person", "counsellor"]
    source: str
    scores: list[ScoreShape]
    answers: list[AnswerShape]


class FormInProgress(Shape):
    """A form that the person is filling now: ``answered`` of ``of`` fields."""

    form: FormShape
    answered: Count
    of: Count


class NextStep(Shape):
    """What the script wants next: where it stands, and the words of its author for it. ``waiting``: for the person."""

    phase: str
    topic: str
    action: str
    type: str
    asks: str
    waiting: bool


class PictureLine(Shape):
    label: str
    words: str


class ValueShape(Shape):
    """What was taken from the person's words. ``message``: of which it is; ``options``: what it can be, where the
    script says so. ``corrected``: a counsellor has set it right."""

    scope: Literal["session", "phase", "topic", "global"]
    scope_key: str
    name: str
    label: str
    value: Any
    type: str
    evidence: str | None
    message: Count | None
    strategy: str
    options: list[Any] | None
    corrected: bool
    updated_at: datetime


class CorrectionShape(Shape):
    name: str
    label: str
    old: Any
    value: Any
    by: str
    at: datetime
    reason: str


class EarlierScore(Shape):
    name: str
    score: Number | None
    band: str


class Earlier(Shape):
    """Another session of the same person."""

    session: str
    name: str
    status: str
    created_at: datetime
    last_active_at: datetime
    ended_at: datetime | None
    crisis: bool
    taken_over: bool
    forms: list[EarlierScore]
    notes: Count


class Picture(Shape):
    """``earlier``: the latest that whoever asks may see, twenty at most; courses and forms are of all of these."""

    triggers: list[Trigger]
    scores: list[ScoreCourse]
    forms: list[FormPicture]
    filling: FormInProgress | None
    next: NextStep | None
    summary: list[PictureLine]
    values: list[ValueShape]
    corrections: list[CorrectionShape]
    earlier: list[Earlier]


class Values(Shape):
    values: list[ValueShape]
    corrections: list[CorrectionShape]
