"""How scores stood at a time that is named, beside how they stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from heartrule.memory.item import Item
from heartrule.memory.time_words import Span

EARLIER, SCORES = 0.5, 3
"""How long before a time that is named a score may lie that stands for it, in lengths of that time: later ones say how
it was afterwards. And of how many scores it is told."""


@dataclass(frozen=True, slots=True)
class ScoreThen:
    """One score: how it was about then, None where nobody looked, and how it was last, which may be the same."""

    then: Item | None
    last: Item


def stood(items: Iterable[Item], span: Span) -> list[ScoreThen]:
    """Of the scores among ``items``, those that were looked at last first. What a person has put in place of one is
    theirs, and no score any more."""
    scores = [each for each in items if each.kind == "score" and "value" in each.fields]
    scores.sort(key=lambda each: (each.at, each.message, each.id), reverse=True)
    found: list[ScoreThen] = []
    for subject in list(dict.fromkeys(each.subject for each in scores))[:SCORES]:
        own = [each for each in scores if each.subject == subject]
        about = [each for each in own if since(span) <= each.at <= span.last]
        found.append(ScoreThen(min(about, key=lambda each: abs(each.at - span.middle), default=None), own[0]))
    return found


def since(span: Span) -> datetime:
    """From when on a score may stand for that time."""
    return span.first - EARLIER * (span.last - span.first)
