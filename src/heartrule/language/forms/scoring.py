"""What the answers of a form come to: its scores, each with the band it falls in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from heartrule.language.forms.visible_fields import hidden
from heartrule.language.nodes import Json
from heartrule.language.nodes.forms import Band, Form, FormField, Score
from heartrule.language.references import split

FEEDBACK, POINTS = "session_feedback", (1, 5)
"""How the id of the form begins that asks what a session was like, and on which points its questions are answered."""
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class ScoreResult:
    """``value`` is None while an answer that it needs is missing; ``band`` is the label of the band that the value
    falls in, None where it falls in none."""

    value: int | float | None
    band: str | None


def scores(form: Form, values: Mapping[str, Json]) -> dict[str, ScoreResult]:
    """Every score of the form, by id. ``values`` are those of ``check``; what is hidden is neither needed nor counted,
    and a score of nothing but hidden fields has no value."""
    unseen = hidden(form, values)
    return {score.id: _scored(score, form, values, unseen) for score in form.score_by_id.values()}


def points(ref: str, form: Form, values: Mapping[str, Json]) -> float | None:
    """How content a person was: the mean of what was answered on ``POINTS``. None where the form ``ref`` does not ask
    that, and where nothing in it is asked so: answers on another scale are not made into points."""
    if not is_feedback(split(ref, "")[1]):
        return None
    unseen = hidden(form, values)
    asked = [each for each in form.fields if each.id not in unseen and is_on_points(each)]
    told = [each for each in (counted(field, values.get(field.id)) for field in asked) if each is not None]
    return sum(told) / len(told) if told else None


def counted(field: FormField, value: Json) -> int | float | None:
    """What an answer adds to a score; None when it is no number."""
    if isinstance(value, list):
        parts = [counted(field, each) for each in value]
        return sum(part or 0 for part in parts)
    if field.options:
        found = next((each for each in field.options if _is(each.value, value)), None)
        return found.counts if found is not None else None
    return value if isinstance(value, int | float) else None


def band_of(score: Score, value: int | float) -> Band | None:
    """The first band that holds ``value``."""
    return next((band for band in score.bands if band.from_ <= value <= band.to), None)


def _scored(score: Score, form: Form, values: Mapping[str, Json], unseen: frozenset[str]) -> ScoreResult:
    fields = [form.by_id[name] for name in score.sum if name in form.by_id and name not in unseen]
    parts = [counted(field, values.get(field.id)) for field in fields]
    added = [part for part in parts if part is not None]
    if not parts or len(added) < len(parts):
        return ScoreResult(None, None)
    value = round(sum(added), _DECIMALS)
    plain = int(value) if float(value).is_integer() else value
    band = band_of(score, plain)
    return ScoreResult(plain, band.label if band is not None else None)


def is_feedback(name: str | None) -> bool:
    """Whether a form of this id asks what a session was like."""
    return (name or "").startswith(FEEDBACK)


def is_on_points(field: FormField) -> bool:
    """Whether it is answered on ``POINTS``."""
    least, most = POINTS
    return field.limits == POINTS or [each.counts for each in field.options] == [*range(least, most + 1)]


def _is(option: Json, value: Json) -> bool:
    return isinstance(option, bool) is isinstance(value, bool) and bool(option == value)
