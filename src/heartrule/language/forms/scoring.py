"""What the answers of a form come to: its scores, each with the band it falls in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from heartrule.language.forms.showing import hidden
from heartrule.language.nodes import Json
from heartrule.language.nodes.forms import Band, Form, FormField, Score

_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Scored:
    """``value`` is None while an answer that it needs is missing; ``band`` is the label of the band that the value
    falls in, None where it falls in none."""

    value: int | float | None
    band: str | None


def scores(form: Form, values: Mapping[str, Json]) -> dict[str, Scored]:
    """Every score of the form, by id. ``values`` are those of ``check``; what is hidden is neither needed nor counted,
    and a score of nothing but hidden fields has no value."""
    unseen = hidden(form, values)
    return {score.id: _scored(score, form, values, unseen) for score in form.score_by_id.values()}


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


def _scored(score: Score, form: Form, values: Mapping[str, Json], unseen: frozenset[str]) -> Scored:
    fields = [form.by_id[name] for name in score.sum if name in form.by_id and name not in unseen]
    parts = [counted(field, values.get(field.id)) for field in fields]
    added = [part for part in parts if part is not None]
    if not parts or len(added) < len(parts):
        return Scored(None, None)
    value = round(sum(added), _DECIMALS)
    plain = int(value) if float(value).is_integer() else value
    band = band_of(score, plain)
    return Scored(plain, band.label if band is not None else None)


def _is(option: Json, value: Json) -> bool:
    return isinstance(option, bool) is isinstance(value, bool) and bool(option == value)
