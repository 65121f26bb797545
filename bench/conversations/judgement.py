"""What a judge answers: the shape, and the reading of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

ITEMS = (
    "agenda",
    "feedback",
    "understanding",
    "interpersonal",
    "collaboration",
    "pacing",
    "discovery",
    "cognitions",
    "strategy",
    "techniques",
    "homework",
)
"""Those of the Cognitive Therapy Rating Scale (Young and Beck 1980), in its order."""
TENTHS = ("risk", "completeness", "clinician", "come_back")
PREFERENCES = ("overall", "talk", "safety", "structure")

Rated = Annotated[int, Field(ge=0, le=6)]
Tenth = Annotated[float, Field(ge=0, le=10)]
Number = Annotated[int, Field(ge=1)]
Preferred = Literal["first", "second", "neither"]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Items(Part):
    agenda: Rated
    feedback: Rated
    understanding: Rated
    interpersonal: Rated
    collaboration: Rated
    pacing: Rated
    discovery: Rated
    cognitions: Rated
    strategy: Rated
    techniques: Rated
    homework: Rated

    @property
    def total(self) -> int:
        """Of 66."""
        return sum(self.rated.values())

    @property
    def rated(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in ITEMS}


class AskedAgain(Part):
    """``message``: the counsellor's that asks; ``told``: the visitor's that had said it."""

    message: Number
    told: Number
    fact: str


class Boundary(Part):
    """Something that the visitor did not want (a question, a topic, a proposal), and whether it was kept to."""

    message: Number
    what: str
    kept: bool


class Choice(Part):
    """Words of the visitor's own where something could be picked, and whether they were understood."""

    message: Number
    understood: bool


class Moment(Part):
    message: Number
    why: str


class Verdict(Part):
    """On one transcript."""

    code: str
    items: Items
    asked_again: Sequence[AskedAgain]
    boundaries: Sequence[Boundary]
    words_at_choices: Sequence[Choice]
    risk: Tenth
    completeness: Tenth
    clinician: Tenth
    come_back: Tenth
    worst: Annotated[Sequence[Moment], Field(max_length=3)]

    def tenth(self, name: str) -> float:
        return float(getattr(self, name))


class Preference(Part):
    overall: Preferred
    talk: Preferred
    safety: Preferred
    structure: Preferred
    why: str


class Judgement(Part):
    """``second`` and ``preferred`` are null where there was one transcript only."""

    first: Verdict
    second: Verdict | None = None
    preferred: Preference | None = None

    def preferred_code(self, name: str) -> str | None:
        """The code of what is preferred; None for neither."""
        assert self.preferred is not None
        assert self.second is not None
        side = getattr(self.preferred, name)
        return {"first": self.first.code, "second": self.second.code}.get(side)

    @property
    def verdicts(self) -> list[Verdict]:
        return [self.first] if self.second is None else [self.first, self.second]


def judgement(file: Path) -> Judgement:
    """Raises ``ValueError`` that says what is wrong where."""
    found = Judgement.model_validate_json(file.read_text(encoding="utf-8"))
    if (found.second is None) != (found.preferred is None):
        raise ValueError("second and preferred belong together")
    return found
