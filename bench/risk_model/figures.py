"""What was heard of sentences nobody was trained on, by kind and language, with 95 % intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from bench.risk_model.data import EVERYDAY, POSTS
from bench.risk_model.held_out import Heard

from heartrule.engine.awareness.linear import LIKELY
from heartrule.evals.figures import wilson

Told = Callable[[Heard], bool]
ALARMED = 0.05
"""Share of harmless sentences near to danger that the classifier alone may raise; thresholds follow from it."""


def thresholds(heard: Sequence[Heard]) -> dict[str, float]:
    """By language: the score that so many of the harmless sentences near to danger come to, no author counted twice."""
    found = {}
    for lang in ("en", "zh"):
        scores = [each.score for each in heard if each.row.kind == "near" and each.row.lang == lang]
        found[lang] = round(float(np.quantile(scores, 1 - ALARMED)), 3) if scores else 0.5
    return found


@dataclass(frozen=True, slots=True)
class Tiers:
    """Who hears what."""

    thresholds: Mapping[str, float]

    def learned(self, each: Heard) -> bool:
        return each.score >= self.thresholds[each.language]

    @staticmethod
    def ruled(each: Heard) -> bool:
        """With no classifier: what is doubtful is a watch word."""
        return each.ruled.level is not None

    @staticmethod
    def interrupts(each: Heard) -> bool:
        return each.ruled.level == "explicit"

    def both(self, each: Heard) -> bool:
        likely = each.score >= self.thresholds[each.language] * LIKELY
        return self.learned(each) or (self.ruled(each) and (likely or not each.ruled.doubted))

    def taken_for_others(self, each: Heard) -> bool:
        return each.ruled.about == "other" and self.both(each) and not (each.ruled.doubted and self.learned(each))


def table(heard: Sequence[Heard], tiers: Tiers, beside: Sequence[Heard] = ()) -> Iterator[str]:
    """Markdown: a line a group and language. ``beside``: rows of no author, of which some were left out."""
    yield "| group | language | sentences | rules alone | classifier alone | both | interrupted |"
    yield "|---|---|---|---|---|---|---|"
    for group, belongs in GROUPS.items():
        for lang in ("zh", "en"):
            rows = [each for each in heard if each.row.lang == lang and belongs(each)]
            told = (tiers.ruled, tiers.learned, tiers.both, tiers.interrupts)
            yield f"| {group} | {lang} | {len(rows)} | " + " | ".join(share(rows, each) for each in told) + " |"
    for group, belongs in BESIDE.items():
        for lang in ("zh", "en"):
            rows = [each for each in beside if each.row.lang == lang and belongs(each)]
            if rows:
                told = (tiers.ruled, tiers.learned, tiers.both, tiers.interrupts)
                yield f"| {group} | {lang} | {len(rows)} | " + " | ".join(share(rows, each) for each in told) + " |"
    for lang in ("zh", "en"):
        rows = [each for each in heard if each.row.lang == lang and each.row.danger]
        taken = share(rows, tiers.taken_for_others)
        yield f"| own danger taken for somebody else's | {lang} | {len(rows)} | – | – | {taken} | – |"


GROUPS: Mapping[str, Told] = {
    "own danger, direct": lambda each: each.row.kind == "direct",
    "own danger, oblique": lambda each: each.row.kind == "oblique",
    "own danger with others in it": lambda each: each.row.is_mixed,
    "harmless, near to danger": lambda each: each.row.kind == "near",
    "harmless, ordinary": lambda each: each.row.kind == "ordinary",
    "harmless, all": lambda each: not each.row.danger,
}


BESIDE: Mapping[str, Told] = {
    "everyday sessions, a fourth left out": lambda each: each.row.author == EVERYDAY,
    "posts on self-harm, a fourth left out": lambda each: each.row.author == POSTS and each.row.danger,
    "posts labelled none, a fourth left out": lambda each: each.row.author == POSTS and each.row.kind == "none",
}


def share(rows: Sequence[Heard], told: Told) -> str:
    found = wilson(sum(map(told, rows)), len(rows))
    if found is None:
        return "–"
    return f"{found.value * 100:.1f} % ({found.low * 100:.1f}–{found.high * 100:.1f})"
