"""W284: a score that leaves out a question of the same kind. E285: a field in a sum that counts nothing. E286: bands
that overlap. W287: a score that falls in no band. W288: a band beyond what the score can come to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from heartrule.language.expressions.values import plain_number
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.forms.reachable import Range, reachable
from heartrule.language.linting.view import View
from heartrule.language.nodes.forms import Form, FormField, Score

_NUMBERS = ("integer", "number", "slider", "mood", "boolean")
_SHOWN = 3


def check(view: View) -> Iterator[Finding]:
    for form in view.project.forms:
        for index, score in enumerate(form.scores):
            yield from _sum(view, form, score, index)
            yield from _bands(view, form, score, index)


def _sum(view: View, form: Form, score: Score, index: int) -> Iterator[Finding]:
    summed = [form.by_id[name] for name in score.sum if name in form.by_id]
    for number, name in enumerate(score.sum):
        field = form.by_id.get(name)
        if field is not None and not _counts(field):
            place = view.project.at(form, "scores", index, "sum", number, value=True)
            yield finding("E285", place, name=clip(name))
        if name in score.sum[:number]:
            place = view.project.at(form, "scores", index, "sum", number, value=True)
            yield finding("E201", place, name=clip(name), line=place.line, file=place.file)
    kinds = {_kind(field) for field in summed}
    elsewhere = {name for each in form.scores for name in each.sum}
    missed = [field.id for field in form.fields if field.id not in elsewhere and _kind(field) in kinds]
    if (len(summed) > 1 or _too_far(form, score)) and len(kinds) == 1 and None not in kinds and missed:
        place = view.project.at(form, "scores", index, "sum")
        yield finding("W284", place, score=clip(score.id), fields=", ".join(missed))


def _too_far(form: Form, score: Score) -> bool:
    """Whether bands go on beyond what the sum can come to, so that more was to be summed."""
    found = reachable(form, score)
    return found is not None and any(_beyond(band.from_, band.to, found) for band in score.bands)


def _counts(field: FormField) -> bool:
    if field.type in ("single", "multiple"):
        return all(option.counts is not None for option in field.options)
    return field.type in _NUMBERS


def _kind(field: FormField) -> tuple[object, ...] | None:
    """Equal for questions that are answered by the same options."""
    options = tuple((str(option.value), option.label) for option in field.options)
    return (field.type, options) if options else None


def _bands(view: View, form: Form, score: Score, index: int) -> Iterator[Finding]:
    found = reachable(form, score)
    if not score.bands or found is None:
        return
    at = view.project.at
    ordered = sorted(enumerate(score.bands), key=lambda each: (each[1].from_, each[1].to))
    for (_, before), (number, band) in pairwise(ordered):
        if band.from_ <= before.to:
            yield finding("E286", at(form, "scores", index, "bands", number), one=before.label, other=band.label)
    for number, band in enumerate(score.bands):
        place = at(form, "scores", index, "bands", number)
        if band.from_ > band.to or _beyond(band.from_, band.to, found):
            reach = f"{_shown(found.low)}–{_shown(found.high)}"
            yield finding("W288", place, label=band.label, reach=reach)
    missing, behind = _uncovered(score, found)
    if missing:
        number = max(sum(band.from_ < behind for band in score.bands) - 1, 0)
        place = at(form, "scores", index, "bands", ordered[number][0])
        yield finding("W287", place, score=clip(score.id), missing=missing)


def _beyond(low: float, high: float, found: Range) -> bool:
    return (found.high is not None and high > found.high) or (found.low is not None and low < found.low)


def _uncovered(score: Score, found: Range) -> tuple[str, float]:
    """The first values that are in no band, in words, "" when there are none; and the first of them."""
    if found.values is not None:
        gone = [value for value in found.values if not any(band.from_ <= value <= band.to for band in score.bands)]
        words = ", ".join(_shown(value) for value in gone[:_SHOWN]) + ("…" if len(gone) > _SHOWN else "")
        return words, gone[0] if gone else 0.0
    gaps: list[tuple[str, float]] = []
    end = found.low
    for band in sorted(score.bands, key=lambda each: each.from_):
        if end is None or band.from_ > end:
            gaps.append((f"{_shown(end)}–{_shown(band.from_)}", band.from_ if end is None else end + 1e-9))
        end = band.to if end is None else max(end, band.to)
    if end is not None and (found.high is None or end < found.high):
        gaps.append((f"{_shown(end)}–{_shown(found.high)}", end + 1e-9))
    return ", ".join(words for words, _ in gaps[:_SHOWN]), gaps[0][1] if gaps else 0.0


def _shown(value: float | None) -> str:
    return "…" if value is None else plain_number(value)
