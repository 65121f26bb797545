"""What stands in a report. Whoever makes one has read the store; whoever writes one out needs nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from heartrule.language.compiling.script import Contact

Number = int | float


@dataclass(frozen=True, slots=True)
class Range:
    """A band of a score: its name, from where to where, and whether the score falls in it."""

    label: str
    low: Number
    high: Number
    here: bool = False


@dataclass(frozen=True, slots=True)
class Score:
    """``value``: None where an answer was missing. ``label`` is empty for a form that has one score only. ``limits``:
    the least and the most that it can come to, where that is known."""

    label: str
    value: Number | None = field(repr=False)
    band: str = field(repr=False)
    limits: tuple[Number, Number] | None = None
    ranges: tuple[Range, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """``own``: words that the person wrote, rather than chose."""

    label: str
    words: str = field(repr=False)
    own: bool


@dataclass(frozen=True, slots=True)
class FilledForm:
    """A form that the person handed in."""

    name: str
    at: datetime
    source: str
    scores: tuple[Score, ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class ShownForm:
    """A form that was shown to be read: what the script holds on to. ``lines``: label and words; a label may be
    empty."""

    name: str
    description: str
    lines: tuple[tuple[str, str], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Exercise:
    """``whole``: it was gone through to its end."""

    name: str
    whole: bool


@dataclass(frozen=True, slots=True)
class HeldSession:
    """A session. ``unfilled``: forms that were offered and not handed in. ``locale``: the language of all that is in
    it."""

    name: str
    locale: str
    began: datetime
    ended: datetime | None
    noted: tuple[ShownForm, ...]
    filled: tuple[FilledForm, ...]
    exercises: tuple[Exercise, ...]
    unfilled: tuple[str, ...] = ()
    mine: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """What is the person's own of it: label and words."""


@dataclass(frozen=True, slots=True)
class Point:
    at: datetime
    value: Number = field(repr=False)
    band: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Course:
    """How one score went, oldest first. ``ranges`` are the latest form's; ``better`` (``high``, ``low``, or
    empty where the form does not say) and ``limits`` too."""

    name: str
    points: tuple[Point, ...]
    ranges: tuple[Range, ...] = ()
    better: str = ""
    limits: tuple[Number, Number] | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """``one``: of a single session, else of all that a person had (``held``, the last first). ``zone``: in which times
    are told. ``locale``: the language of what is said around it."""

    locale: str
    zone: tzinfo
    made: datetime
    one: bool
    held: tuple[HeldSession, ...]
    courses: tuple[Course, ...]
    contacts: tuple[Contact, ...]
