"""The ledger's sums as people read them, and as programs do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from heartrule.cli.safe_text import shown as safe
from heartrule.cli.words import Words
from heartrule.llm.prices import PARTS
from heartrule.store.records import Figures


def shown(figures: Figures, words: Words, *, part: bool = False) -> Iterator[str]:
    """``part``: a turn may belong to several groups, so that only those that asked this one are counted."""
    if not figures.calls:
        if figures.turns:
            yield words("stats_only_turns", turns=figures.turns)
        yield from _not_asked(figures, words)
        return
    assert figures.first is not None
    assert figures.last is not None
    yield words(
        "stats_calls_of_model" if part else "stats_calls",
        calls=f"{figures.calls:,}",
        turns=f"{figures.turns:,}",
        each=f"{figures.calls / figures.turns:.2f}" if figures.turns else "–",
        first=f"{figures.first:%Y-%m-%d %H:%M}",
        last=f"{figures.last:%Y-%m-%d %H:%M}",
    )
    if figures.models:
        yield words("stats_models", names=", ".join(safe(name) for name in figures.models))
    tokens = words(
        "stats_tokens",
        input=f"{figures.tokens_in:,}",
        cached=f"{figures.cached:,}",
        output=f"{figures.tokens_out:,}",
        reasoning=f"{figures.reasoning:,}",
    )
    yield tokens + (words("stats_untold", calls=f"{figures.untold:,}") if figures.untold else "")
    yield _cost(figures, words)
    if figures.p50 is not None:
        cuts = {"p50": figures.p50, "p95": figures.p95, "p99": figures.p99}
        yield words("stats_seconds", **{name: f"{seconds:.2f}" for name, seconds in cuts.items()})
    names = ("ok", "rejected", "failed", "timed_out", "cancelled", "retried", "fallbacks")
    yield words("stats_rates", **{name: _share(getattr(figures, name), figures.calls) for name in names})
    yield from _not_asked(figures, words)


def _not_asked(figures: Figures, words: Words) -> Iterator[str]:
    if figures.not_asked:
        yield words("stats_not_asked", number=f"{figures.not_asked:,}")


def _cost(figures: Figures, words: Words) -> str:
    """What is unknown is said beside what is known, and never added to it as nothing."""
    known = ", ".join(f"{currency} {_amount(cost)}" for currency, cost in figures.costs)
    told = words("stats_cost", costs=known or words("stats_cost_none"))
    unknown = figures.unpriced + figures.unpriced_failures
    if not unknown:
        return told
    return told + words(
        "stats_unknown",
        answers=f"{figures.unpriced:,}",
        failures=f"{figures.unpriced_failures:,}",
        share=_share(unknown, figures.calls),
    )


def _amount(billionths: int) -> str:
    amount = Decimal(billionths) / PARTS
    return f"{amount:,.4f}" if amount == 0 or amount >= Decimal("0.01") else f"{amount:.9f}".rstrip("0")


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}"


def plain(figures: Figures) -> dict[str, Any]:
    """For JSON: amounts are decimal texts, times are ISO 8601, shares are of all calls; None where there are none."""
    told = asdict(figures)
    calls = figures.calls
    told["key"] = list(figures.key)
    told["models"] = list(figures.models)
    told["costs"] = {currency: f"{Decimal(cost) / PARTS:f}" for currency, cost in figures.costs}
    told["calls_of_unknown_cost"] = figures.unpriced + figures.unpriced_failures
    told["calls_per_turn"] = calls / figures.turns if figures.turns else None
    for name in ("ok", "rejected", "failed", "timed_out", "retried", "fallbacks"):
        told[f"{name}_rate"] = getattr(figures, name) / calls if calls else None
    for name in ("first", "last"):
        moment = getattr(figures, name)
        told[name] = moment.isoformat() if moment else None
    return told
