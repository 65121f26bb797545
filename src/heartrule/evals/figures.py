"""What came of a batch size, in numbers that say how sure they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil, comb, sqrt

SURE = 0.05
"""A size is significantly below size 1 when McNemar's exact test, two-sided, gives less than this."""
_Z = 1.959964


@dataclass(frozen=True, slots=True)
class Share:
    """A share and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Count:
    """How many of some cases something holds of."""

    label: str
    count: int
    of: int
    share: Share | None

    @classmethod
    def over(cls, label: str, held: Iterable[bool]) -> Count:
        rows = list(held)
        return cls(label, sum(rows), len(rows), wilson(sum(rows), len(rows)))


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """One question's right answer and the model's; ``found`` is None where it gave none that could be used."""

    right: bool
    found: bool | None

    @property
    def correct(self) -> bool:
        return self.found is self.right


@dataclass(frozen=True, slots=True)
class CallSpend:
    """One call: tokens (None: not told), cost in billionths of ``currency`` (None: unknown), seconds with its retries;
    ``tries`` asked a model."""

    tokens_in: int | None
    tokens_out: int | None
    cost: int | None
    currency: str | None
    seconds: float
    tries: int = 1


@dataclass(frozen=True, slots=True)
class Size:
    """``unanswered`` questions count as wrong; those that hold are missed, the others are not found to hold. ``worse``
    and ``better`` are the pairs that differ from size 1, ``p`` is McNemar's."""

    size: int
    items: int
    accuracy: Share
    precision: Share | None
    recall: Share | None
    f1: Share | None
    unanswered: Share
    worse: int
    better: int
    p: float
    calls: int
    tries: int
    tokens_in: int
    tokens_out: int
    untold: int
    costs: dict[str, int] = field(default_factory=dict)
    unpriced: int = 0
    p50: float | None = None
    p95: float | None = None

    @property
    def below(self) -> bool:
        """Whether it is significantly less accurate than size 1."""
        return self.p < SURE and self.worse > self.better


def wilson(part: int, whole: int) -> Share | None:
    """The share and Wilson's score interval; None of nothing."""
    if not whole:
        return None
    p, square = part / whole, _Z * _Z
    centre = (p + square / (2 * whole)) / (1 + square / whole)
    half = _Z * sqrt(p * (1 - p) / whole + square / (4 * whole * whole)) / (1 + square / whole)
    return Share(p, max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half)))


def f1(hits: int, wrong: int, missed: int) -> Share | None:
    """F1 is 2J/(1+J) of J = hits/(hits+wrong+missed), which is a share: its interval is that of J, taken along."""
    share = wilson(hits, hits + wrong + missed)
    return None if share is None else Share(*(2 * j / (1 + j) for j in (share.value, share.low, share.high)))


def mcnemar(worse: int, better: int) -> float:
    """Exact, two-sided: how often chance alone splits the pairs that differ as unevenly."""
    pairs = worse + better
    tail = sum(comb(pairs, k) for k in range(min(worse, better) + 1))
    return min(1.0, float(2 * tail / 2**pairs))


def measured(
    size: int, judged: Sequence[JudgedQuestion], alone: Sequence[JudgedQuestion], spent: Sequence[CallSpend]
) -> Size:
    """``alone``: the same questions, in the same order, at size 1."""
    hits = sum(one.right and one.found is True for one in judged)
    wrong = sum(not one.right and one.found is True for one in judged)
    missed = sum(one.right and one.found is not True for one in judged)
    pairs = list(zip(judged, alone, strict=True))
    worse = sum(before.correct and not now.correct for now, before in pairs)
    better = sum(now.correct and not before.correct for now, before in pairs)
    accuracy = wilson(sum(one.correct for one in judged), len(judged))
    unanswered = wilson(sum(one.found is None for one in judged), len(judged))
    assert accuracy is not None
    assert unanswered is not None
    costs: dict[str, int] = {}
    for one in spent:
        if one.cost is not None and one.currency is not None:
            costs[one.currency] = costs.get(one.currency, 0) + one.cost
    seconds = sorted(one.seconds for one in spent)
    return Size(
        size=size,
        items=len(judged),
        accuracy=accuracy,
        precision=wilson(hits, hits + wrong),
        recall=wilson(hits, hits + missed),
        f1=f1(hits, wrong, missed),
        unanswered=unanswered,
        worse=worse,
        better=better,
        p=mcnemar(worse, better),
        calls=len(spent),
        tries=sum(one.tries for one in spent),
        tokens_in=sum(one.tokens_in or 0 for one in spent),
        tokens_out=sum(one.tokens_out or 0 for one in spent),
        untold=sum(one.tokens_in is None or one.tokens_out is None for one in spent),
        costs=costs,
        unpriced=sum(one.cost is None for one in spent),
        p50=_cut(seconds, 50),
        p95=_cut(seconds, 95),
    )


def _cut(ordered: Sequence[float], part: int) -> float | None:
    return ordered[ceil(len(ordered) * part / 100) - 1] if ordered else None


def largest(sizes: Sequence[Size]) -> int:
    """The largest size that is not significantly below size 1, and none that is smaller is."""
    found = 1
    for each in sorted(sizes, key=lambda one: one.size):
        if each.below:
            break
        found = each.size
    return found
