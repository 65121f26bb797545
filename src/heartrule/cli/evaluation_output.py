"""What an evaluation came to, as people read it and as programs do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from heartrule.cli.words import Words
from heartrule.evals.figures import Share, Size, largest
from heartrule.llm.prices import PARTS


def shown(found: Sequence[Size], words: Words) -> Iterator[str]:
    for each in found:
        yield words(
            "eval_accuracy",
            size=each.size,
            accuracy=share(each.accuracy),
            precision=share(each.precision),
            recall=share(each.recall),
            f1=share(each.f1),
            unanswered=share(each.unanswered),
        )
        yield "  " + words(
            "eval_spent",
            calls=f"{each.calls:,}",
            tries=f"{each.tries:,}",
            input=f"{each.tokens_in:,}",
            output=f"{each.tokens_out:,}",
            untold=f"{each.untold:,}",
            costs=", ".join(f"{c} {cost}" for c, cost in _costs(each).items()) or "–",
            unpriced=f"{each.unpriced:,}",
            p50=f"{each.p50 or 0:.2f}",
            p95=f"{each.p95 or 0:.2f}",
        )
        if each.size > 1:
            key = "eval_below" if each.below else "eval_level"
            yield "  " + words(key, worse=each.worse, better=each.better, p=f"{each.p:.3f}")
    yield words("eval_largest", size=largest(found), items=found[0].items)


def share(found: Share | None, places: int = 1) -> str:
    """With its interval, in percent."""
    if found is None:
        return "–"
    value, low, high = (f"{each:.{places}%}" for each in (found.value, found.low, found.high))
    return f"{value} [{low}, {high}]"


def _costs(size: Size) -> dict[str, str]:
    return {currency: f"{Decimal(cost) / PARTS:f}" for currency, cost in size.costs.items()}


def plain(found: Sequence[Size]) -> dict[str, Any]:
    """For JSON: amounts are decimal texts."""
    told = [{**asdict(each), "costs": _costs(each), "below": each.below} for each in found]
    return {"largest": largest(found), "test": "McNemar, exact, two-sided, p < 0.05", "sizes": told}
