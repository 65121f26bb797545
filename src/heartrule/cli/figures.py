"""The ledger's sums as people read them, and as programs do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from heartrule.cli.safe_text import shown as safe
from heartrule.cli.words import Words
from heartrule.llm.prices import PARTS
from heartrule.store.records import Figures, TurnFigures


def shown(figures: Figures, words: Words, *, part: bool = False) -> Iterator[str]:
    """``part``: a turn may belong to several groups, so that only those that asked this one are counted."""
    if not figures.calls:
        if figures.turns:
            yield words("stats_only_turns", turns=figures.turns)
        if figures.of_turns is not None:
            yield from sessions_of(figures.of_turns, words)
        yield from _not_asked(figures, words)
        return
    assert figures.first is not None
    assert figures.last is not None
    yield words(
        "stats_calls_of_model" if part else "stats_calls",
        calls=f"{figures.calls:,}",
        turns=f"{figures.turns:,}",
        each=f"{(figures.calls - figures.beside) / figures.turns:.2f}" if figures.turns else "–",
        first=f"{figures.first:%Y-%m-%d %H:%M}",
        last=f"{figures.last:%Y-%m-%d %H:%M}",
    )
    if figures.beside and not part:
        yield words("stats_beside", calls=f"{figures.beside:,}")
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
        yield words("stats_seconds", **_seconds(cuts))
    if figures.first_p50 is not None:
        first = {"p50": figures.first_p50, "p95": figures.first_p95, "p99": figures.first_p99}
        yield words("stats_first", **_seconds(first))
    if figures.of_turns is not None:
        yield from _of_turns(figures.of_turns, words)
    names = ("ok", "rejected", "failed", "timed_out", "cancelled", "retried", "fallbacks", "blocked")
    yield words("stats_rates", **{name: _share(getattr(figures, name), figures.calls) for name in names})
    yield from _not_asked(figures, words)


def _seconds(cuts: Mapping[str, float | None]) -> dict[str, str]:
    return {name: "–" if seconds is None else f"{seconds:.2f}" for name, seconds in cuts.items()}


def _of_turns(turns: TurnFigures, words: Words) -> Iterator[str]:
    """What was never counted, or never happened, is passed over."""
    yield from sessions_of(turns, words)
    if turns.waited:
        cuts = _seconds({"p50": turns.p50, "p95": turns.p95, "p99": turns.p99})
        yield words("stats_waits", waited=f"{turns.waited:,}", once=_share(turns.waited_once, turns.waited), **cuts)
    if turns.perceptions:
        each = f"{turns.perceived / turns.perceptions:.1f}"
        yield words("stats_perceived", perceived=f"{turns.perceived:,}", calls=f"{turns.perceptions:,}", each=each)
    if turns.speculative or turns.fused:
        yield words(
            "stats_again",
            speculative=f"{turns.speculative:,}",
            redone=f"{turns.redone:,}",
            redone_share=_share(turns.redone, turns.speculative),
            fused=f"{turns.fused:,}",
            unfused=f"{turns.unfused:,}",
            unfused_share=_share(turns.unfused, turns.fused),
        )


def sessions_of(turns: TurnFigures, words: Words) -> Iterator[str]:
    """How many sessions came to their end, and what people said of them."""
    if turns.started:
        share = _share(turns.completed, turns.started)
        yield words("stats_sessions", started=f"{turns.started:,}", completed=f"{turns.completed:,}", share=share)
    if turns.rated:
        yield words("stats_satisfaction", mean=f"{turns.satisfaction / turns.rated:.1f}", rated=f"{turns.rated:,}")


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
    return f"{part / whole:.1%}" if whole else "–"


def _rate(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def plain(figures: Figures) -> dict[str, Any]:
    """For JSON: amounts are decimal texts, times are ISO 8601, shares are of all calls; None where there are none."""
    told = asdict(figures)
    calls = figures.calls
    told["key"] = list(figures.key)
    told["models"] = list(figures.models)
    told["costs"] = {currency: f"{Decimal(cost) / PARTS:f}" for currency, cost in figures.costs}
    told["calls_of_unknown_cost"] = figures.unpriced + figures.unpriced_failures
    told["calls_per_turn"] = (calls - figures.beside) / figures.turns if figures.turns else None
    for name in ("ok", "rejected", "failed", "timed_out", "retried", "fallbacks", "blocked"):
        told[f"{name}_rate"] = _rate(getattr(figures, name), calls)
    if (turns := figures.of_turns) is not None:
        told["of_turns"] |= {
            "waited_once_rate": _rate(turns.waited_once, turns.waited),
            "merge_rate": _rate(turns.perceived, turns.perceptions),
            "redone_rate": _rate(turns.redone, turns.speculative),
            "unfused_rate": _rate(turns.unfused, turns.fused),
            "completion_rate": _rate(turns.completed, turns.started),
            "satisfaction_mean": turns.satisfaction / turns.rated if turns.rated else None,
        }
    for name in ("first", "last"):
        moment = getattr(figures, name)
        told[name] = moment.isoformat() if moment else None
    return told
