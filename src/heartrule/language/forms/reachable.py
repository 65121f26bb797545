"""Which values a score can come to, whatever is answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from heartrule.language.nodes.forms import Form, FormField, Score

_MANY = 20_000
_STEPS = 2_000
_WHOLE = ("integer", "slider", "mood")


@dataclass(frozen=True, slots=True)
class Range:
    """``values`` in order where they can be told one by one, else None: then anything from ``low`` to ``high``; None is
    without bound."""

    values: tuple[float, ...] | None
    low: float | None
    high: float | None


def reachable(form: Form, score: Score) -> Range | None:
    """None when no field of the sum counts anything."""
    parts = [_counts(form.by_id[name]) for name in score.sum if name in form.by_id]
    known = [part for part in parts if part is not None]
    if not known:
        return None
    total = known[0]
    for part in known[1:]:
        total = _added(total, part)
    return total


def _counts(field: FormField) -> Range | None:
    """What a field may add; with nothing, where it may be hidden."""
    found = _own(field)
    if found is None or (field.show_when is None and field.within is None):
        return found
    values = None if found.values is None else (*found.values, 0.0)
    return _of(values) if values is not None else Range(None, _least(found.low, 0.0), _most(found.high, 0.0))


def _own(field: FormField) -> Range | None:
    counts = [each.counts for each in field.options if each.counts is not None]
    if field.type == "single":
        return _of(counts) if counts else None
    if field.type == "multiple":
        return _several(counts) if counts else None
    if field.type == "boolean":
        return _of((0.0, 1.0))
    if field.type not in (*_WHOLE, "number"):
        return None
    limits, step = field.limits, field.step or (1.0 if field.type in _WHOLE else None)
    if limits is None or limits[0] > limits[1]:  # which lint tells
        return Range(None, None, None)
    if step is None or (limits[1] - limits[0]) / step > _STEPS:
        return Range(None, *limits)
    return _of(limits[0] + step * number for number in range(int((limits[1] - limits[0]) / step + 1e-9) + 1))


def _several(counts: list[float]) -> Range:
    """Any of them together, one at least."""
    sums: set[float] = set()
    for count in counts:
        sums |= {round(count + each, 6) for each in (0.0, *sums)}
        if len(sums) > _MANY:
            return Range(None, min(*counts, sum(c for c in counts if c < 0)), sum(c for c in counts if c > 0))
    return _of(sums)


def _added(one: Range, other: Range) -> Range:
    if one.values is None or other.values is None or len(one.values) * len(other.values) > _MANY * 10:
        low = None if one.low is None or other.low is None else one.low + other.low
        high = None if one.high is None or other.high is None else one.high + other.high
        return Range(None, low, high)
    return _of({round(left + right, 6) for left in one.values for right in other.values})


def _of(values: Iterable[float]) -> Range:
    ordered = tuple(sorted({float(value) for value in values}))
    return Range(ordered, ordered[0], ordered[-1])


def _least(one: float | None, other: float) -> float | None:
    return None if one is None else min(one, other)


def _most(one: float | None, other: float) -> float | None:
    return None if one is None else max(one, other)
